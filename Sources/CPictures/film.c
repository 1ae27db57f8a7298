#define _GNU_SOURCE
#include "CPictures.h"
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  BUFFER = 1 << 15,
  // Of files of so many bytes, and so many of their frames, how long they last is added up.
  MOST_ADDED = 64 << 20,
  MOST_ADDED_FRAMES = 1 << 20,
};

// A place in a file of which only the descriptor is known: its own offset stays as it is.
struct place {
  int descriptor;
  int64_t offset, size;
};

static int read_bytes(void *opaque, uint8_t *bytes, int count) {
  struct place *place = opaque;
  ssize_t got;
  do got = pread(place->descriptor, bytes, (size_t)count, place->offset);
  while (got < 0 && errno == EINTR);
  if (got == 0) return AVERROR_EOF;
  if (got < 0) return AVERROR(errno);
  place->offset += got;
  return (int)got;
}

static int64_t go_to(void *opaque, int64_t offset, int whence) {
  struct place *place = opaque;
  switch (whence & ~AVSEEK_FORCE) {
  case AVSEEK_SIZE: return place->size;
  case SEEK_SET: break;
  case SEEK_CUR: offset += place->offset; break;
  case SEEK_END: offset += place->size; break;
  default: return AVERROR(EINVAL);
  }
  if (offset < 0) return AVERROR(EINVAL);
  return place->offset = offset;
}

static void close_io(AVIOContext *io) {
  free(io->opaque);
  av_freep(&io->buffer);
  avio_context_free(&io);
}

static AVIOContext *open_io(int descriptor) {
  struct place *place = calloc(1, sizeof *place);
  uint8_t *buffer = av_malloc(BUFFER);
  AVIOContext *io = NULL;
  if (place && buffer) {
    *place = (struct place){.descriptor = descriptor, .size = pictures_size(descriptor)};
    io = avio_alloc_context(buffer, BUFFER, 0, place, read_bytes, NULL, go_to);
  }
  if (!io) {
    free(place);
    av_free(buffer);
  }
  return io;
}

// The container says enough in its beginning, or its packets must be looked at.
static int is_described(AVFormatContext *film) {
  if (film->duration <= 0) return 0;
  for (unsigned i = 0; i < film->nb_streams; i++) {
    const AVCodecParameters *track = film->streams[i]->codecpar;
    if (track->codec_type == AVMEDIA_TYPE_VIDEO && track->width > 0) return 1;
  }
  return 0;
}

pictures_film *pictures_film_open(int descriptor, const char *format) {
  const AVInputFormat *reader = av_find_input_format(format);
  AVFormatContext *film = avformat_alloc_context();
  AVIOContext *io = reader && film ? open_io(descriptor) : NULL;
  if (!io) {
    avformat_free_context(film);
    return NULL;
  }
  film->pb = io;
  film->flags |= AVFMT_FLAG_CUSTOM_IO;
  // No other file, whatever this one names.
  film->protocol_whitelist = av_strdup("");
  film->probesize = 4 << 20;
  film->max_analyze_duration = AV_TIME_BASE;
  // Frees the context where it fails, and not what it reads from.
  if (avformat_open_input(&film, NULL, reader, NULL) < 0) {
    close_io(io);
    return NULL;
  }
  if (!is_described(film)) avformat_find_stream_info(film, NULL);
  return film;
}

void pictures_film_close(pictures_film *film) {
  AVIOContext *io = film->pb;
  avformat_close_input(&film);
  close_io(io);
}

const char *pictures_film_text(pictures_film *film, const char *key) {
  const AVDictionaryEntry *entry = av_dict_get(film->metadata, key, NULL, 0);
  return entry ? entry->value : NULL;
}

// Of coded frames alone nothing says how long they are shown: they are added up, where that takes no time.
static int64_t added(AVFormatContext *film) {
  AVPacket *packet = av_packet_alloc();
  int64_t duration = 0;
  int result = packet && avio_size(film->pb) <= MOST_ADDED ? 0 : AVERROR(EFBIG);
  for (int count = 0; result >= 0 && count < MOST_ADDED_FRAMES; count++) {
    result = av_read_frame(film, packet);
    if (result < 0) break;
    duration += av_rescale_q(packet->duration, film->streams[packet->stream_index]->time_base, AV_TIME_BASE_Q);
    av_packet_unref(packet);
  }
  av_packet_free(&packet);
  return result == AVERROR_EOF ? duration : 0;
}

int64_t pictures_film_duration(pictures_film *film) {
  if (strcmp(film->iformat->name, "mpegvideo") == 0) return added(film);
  // By its size and how many bits there are in a second: a guess.
  if (film->duration_estimation_method == AVFMT_DURATION_FROM_BITRATE) return 0;
  return film->duration > 0 ? av_rescale(film->duration, 1000000, AV_TIME_BASE) : 0;
}

static int rotation_of(const AVStream *stream) {
  size_t size = 0;
  const uint8_t *matrix = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (!matrix || size < 9 * sizeof(int32_t)) return 0;
  double turned = -av_display_rotation_get((const int32_t *)matrix);
  if (isnan(turned)) return 0;
  int degrees = (int)lround(turned) % 360;
  return degrees < 0 ? degrees + 360 : degrees;
}

int pictures_film_track(pictures_film *film, struct pictures_track *out) {
  for (unsigned i = 0; i < film->nb_streams; i++) {
    const AVStream *stream = film->streams[i];
    const AVCodecParameters *track = stream->codecpar;
    if (track->codec_type != AVMEDIA_TYPE_VIDEO || stream->disposition & AV_DISPOSITION_ATTACHED_PIC) continue;
    *out = (struct pictures_track){
        .width = track->width,
        .height = track->height,
        .rotation = rotation_of(stream),
        .is_high_dynamic_range = track->color_trc == AVCOL_TRC_SMPTE2084 || track->color_trc == AVCOL_TRC_ARIB_STD_B67,
    };
    return 0;
  }
  return -1;
}
