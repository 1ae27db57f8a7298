// Frames that libavcodec has decoded, as pixels.
#pragma once
#include "CPictures.h"
#include <libavutil/frame.h>

enum {
  // More than any camera's.
  MOST_SIDE = 16384,
  MOST_PIXELS = MOST_SIDE * (MOST_SIDE / 2),
};

// How what is not RGB becomes RGB: libswscale's SWS_CS_ITU709 and the like, and whether it has all values of a byte.
struct colours {
  int coefficients, is_full;
};

// A frame as so many bands, and as wide as that: pixels need not be square. 0, or -1 where it cannot be made. For
// pictures_free_pixels.
int frame_pixels(const AVFrame *frame, int width, int bands, struct colours colours, struct pictures_pixels *out);
