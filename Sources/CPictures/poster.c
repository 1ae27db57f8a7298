// The picture that stands for a film: its first frame that is not black.
#include "frame.h"
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

enum {
  // How many frames are looked at before the first is good enough.
  MOST_FRAMES = 240,
  MOST_PACKETS = 4000,
};

// What cameras and their tools write, by libavcodec's names.
static const char *const codecs[] = {
    "h264",       "hevc",   "libdav1d", "vp8",    "vp9",     "mjpeg", "mpeg4", "mpeg2video", "h263",
    "mpeg1video", "prores", "dvvideo",  "theora", "msmpeg4", "wmv1",  "wmv2",  "wmv3",       "vc1",
};

static const AVCodec *decoder(enum AVCodecID id) {
  for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
    const AVCodec *codec = avcodec_find_decoder_by_name(codecs[i]);
    if (codec && codec->id == id) return codec;
  }
  return NULL;
}

static int first_track(AVFormatContext *film) {
  for (unsigned i = 0; i < film->nb_streams; i++) {
    const AVStream *stream = film->streams[i];
    if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC))
      return (int)i;
  }
  return -1;
}

// As wide as it is shown: pixels need not be square.
static int shown_width(const AVFrame *frame) {
  AVRational shape = frame->sample_aspect_ratio;
  if (shape.num <= 0 || shape.den <= 0) return frame->width;
  int64_t width = av_rescale(frame->width, shape.num, shape.den);
  return width > 0 && width <= MOST_SIDE ? (int)width : frame->width;
}

static int coefficients(const AVFrame *frame) {
  switch (frame->colorspace) {
  case AVCOL_SPC_BT709: return SWS_CS_ITU709;
  case AVCOL_SPC_BT2020_NCL:
  case AVCOL_SPC_BT2020_CL: return SWS_CS_BT2020;
  case AVCOL_SPC_SMPTE240M: return SWS_CS_SMPTE240M;
  case AVCOL_SPC_UNSPECIFIED: return frame->height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601;
  default: return SWS_CS_ITU601;
  }
}

static int pixels_of(const AVFrame *frame, struct pictures_pixels *out) {
  struct colours colours = {.coefficients = coefficients(frame), .is_full = frame->color_range == AVCOL_RANGE_JPEG};
  return frame_pixels(frame, shown_width(frame), 3, colours, out);
}

// Whether less than one pixel in fifty is to be seen.
static int is_black(struct pictures_pixels pixels) {
  size_t count = (size_t)pixels.width * (size_t)pixels.height, step = count > 65536 ? count / 65536 : 1;
  size_t seen = 0, looked = 0;
  for (size_t i = 0; i < count; i += step, looked++) {
    const uint8_t *pixel = pixels.bytes + i * 3;
    seen += (2 * pixel[0] + 5 * pixel[1] + pixel[2]) / 8 > 32;
  }
  return seen * 50 < looked;
}

// Decodes until there is a frame. 0, or less at the end.
static int next_frame(AVFormatContext *film, AVCodecContext *context, int track, AVPacket *packet, AVFrame *frame,
                      int *packets) {
  for (;;) {
    int result = avcodec_receive_frame(context, frame);
    if (result != AVERROR(EAGAIN)) return result;
    do {
      av_packet_unref(packet);
      if (++*packets > MOST_PACKETS || av_read_frame(film, packet) < 0) {
        if (avcodec_send_packet(context, NULL) < 0) return AVERROR_EOF;
        break;
      }
    } while (packet->stream_index != track);
    // What is damaged is left out.
    if (packet->data && packet->stream_index == track) avcodec_send_packet(context, packet);
  }
}

int pictures_film_poster(pictures_film *film, struct pictures_pixels *out) {
  int track = first_track(film), packets = 0;
  const AVCodec *codec = track < 0 ? NULL : decoder(film->streams[track]->codecpar->codec_id);
  AVCodecContext *context = codec ? avcodec_alloc_context3(codec) : NULL;
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  *out = (struct pictures_pixels){0};
  if (context && packet && frame) {
    context->thread_count = 1;
    context->max_pixels = MOST_PIXELS;
    if (avcodec_parameters_to_context(context, film->streams[track]->codecpar) >= 0 &&
        avcodec_open2(context, codec, NULL) >= 0) {
      for (int i = 0; i < MOST_FRAMES && next_frame(film, context, track, packet, frame, &packets) >= 0; i++) {
        struct pictures_pixels pixels;
        int failed = pixels_of(frame, &pixels);
        av_frame_unref(frame);
        if (failed) continue;
        int black = is_black(pixels);
        if (out->bytes && black) {
          pictures_free_pixels(pixels);
          continue;
        }
        // The first, in case that all are black.
        pictures_free_pixels(*out);
        *out = pixels;
        if (!black) break;
      }
    }
  }
  av_frame_free(&frame);
  av_packet_free(&packet);
  avcodec_free_context(&context);
  return out->bytes ? 0 : -1;
}
