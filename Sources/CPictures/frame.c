#include "frame.h"
#include <libswscale/swscale.h>
#include <stdlib.h>

int frame_pixels(const AVFrame *frame, int width, int bands, struct colours colours, struct pictures_pixels *out) {
  static const enum AVPixelFormat formats[] = {
      [1] = AV_PIX_FMT_GRAY8, [2] = AV_PIX_FMT_YA8, [3] = AV_PIX_FMT_RGB24, [4] = AV_PIX_FMT_RGBA};
  if (frame->width <= 0 || frame->height <= 0 || frame->width > MOST_SIDE || frame->height > MOST_SIDE) return -1;
  struct SwsContext *scaler = sws_getContext(frame->width, frame->height, (enum AVPixelFormat)frame->format, width,
                                             frame->height, formats[bands], SWS_BILINEAR, NULL, NULL, NULL);
  // Rows are written in steps of more than a pixel.
  uint8_t *bytes = scaler ? malloc((size_t)width * (size_t)frame->height * (size_t)bands + 64) : NULL;
  int rows = 0;
  if (bytes) {
    const int *matrix = sws_getCoefficients(colours.coefficients);
    sws_setColorspaceDetails(scaler, matrix, colours.is_full, sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16,
                             1 << 16);
    uint8_t *planes[4] = {bytes};
    int strides[4] = {width * bands};
    rows = sws_scale(scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
  }
  sws_freeContext(scaler);
  if (!bytes || rows != frame->height) {
    free(bytes);
    return -1;
  }
  *out = (struct pictures_pixels){.bytes = bytes, .width = width, .height = frame->height, .bands = bands};
  return 0;
}

void pictures_free_pixels(struct pictures_pixels pixels) { free(pixels.bytes); }
