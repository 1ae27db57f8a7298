// Still pictures that libavcodec decodes.
#include "frame.h"
#include <libavcodec/avcodec.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <limits.h>
#include <string.h>

static const char *const decoders[] = {
    [PICTURES_BITMAP] = "bmp", [PICTURES_JPEG2000] = "jpeg2000", [PICTURES_PHOTOSHOP] = "psd"};

// Decoders read beyond the end of what they are given, so that must be a copy.
static AVPacket *packet_of(const struct pictures_still *still) {
  AVPacket *packet = av_packet_alloc();
  size_t count = still->front_count + still->rest_count;
  if (!packet || count > INT_MAX - AV_INPUT_BUFFER_PADDING_SIZE || av_new_packet(packet, (int)count) < 0) {
    av_packet_free(&packet);
    return NULL;
  }
  if (still->front_count) memcpy(packet->data, still->front, still->front_count);
  memcpy(packet->data + still->front_count, still->rest, still->rest_count);
  return packet;
}

static AVCodecContext *open_decoder(enum pictures_still_kind kind, int halvings) {
  const AVCodec *codec = avcodec_find_decoder_by_name(decoders[kind]);
  AVCodecContext *context = codec ? avcodec_alloc_context3(codec) : NULL;
  if (!context) return NULL;
  context->thread_count = 1;
  context->max_pixels = MOST_PIXELS;
  context->lowres = halvings;
  if (avcodec_open2(context, codec, NULL) < 0) avcodec_free_context(&context);
  return context;
}

static int bands_of(const AVFrame *frame, int is_opaque) {
  const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
  if (!format) return 0;
  int is_grey = format->nb_components <= 2 && !(format->flags & AV_PIX_FMT_FLAG_PAL);
  return (is_grey ? 1 : 3) + (!is_opaque && format->flags & AV_PIX_FMT_FLAG_ALPHA ? 1 : 0);
}

int pictures_still_decode(const struct pictures_still *still, int halvings, struct pictures_pixels *out) {
  // JPEG 2000 says luminance and colours as JFIF does.
  static const struct colours colours = {.coefficients = SWS_CS_ITU601, .is_full = 1};
  AVCodecContext *context = open_decoder(still->kind, halvings);
  AVPacket *packet = context ? packet_of(still) : NULL;
  AVFrame *frame = av_frame_alloc();
  int failed = -1;
  if (packet && frame && avcodec_send_packet(context, packet) >= 0) {
    failed = avcodec_receive_frame(context, frame) < 0;
    // The file's copy may be as large as the picture.
    av_packet_free(&packet);
    int bands = failed ? 0 : bands_of(frame, still->is_opaque);
    failed = !bands || frame_pixels(frame, frame->width, bands, colours, out);
  }
  av_frame_free(&frame);
  av_packet_free(&packet);
  avcodec_free_context(&context);
  return failed ? -1 : 0;
}
