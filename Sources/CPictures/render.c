// A small picture of a large one: libvips reads, turns, shrinks and writes.
#define _GNU_SOURCE
#include "CPictures.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vips/vips.h>

// Each by the name that libvips has for the class of its readers.
static const char *const readers[] = {
    [PICTURES_GIF] = "VipsForeignLoadNsgif", [PICTURES_HEIF] = "VipsForeignLoadHeif",
    [PICTURES_WEBP] = "VipsForeignLoadWebp", [PICTURES_JPEG] = "VipsForeignLoadJpeg",
    [PICTURES_PNG] = "VipsForeignLoadPng",   [PICTURES_TIFF] = "VipsForeignLoadTiff",
};

void pictures_allow_readers(void) {
  // What its makers do not hold to be safe with bytes of anybody's, and then whatever is not asked for here.
  vips_block_untrusted_set(TRUE);
  vips_operation_block_set("VipsForeignLoad", TRUE);
  for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) vips_operation_block_set(readers[i], FALSE);
}

// Replaces an image by another that was made of it: 0, or -1 where that failed.
static int became(VipsImage **image, VipsImage *other, int failed) {
  if (failed) return -1;
  g_object_unref(*image);
  *image = other;
  return 0;
}

// Turns a picture as Exif counts orientations, 1 to 8; those that are mirrored as well are still to be.
static int turn(VipsImage **image, int orientation) {
  static const VipsAngle angles[] = {
      [3] = VIPS_ANGLE_D180, [4] = VIPS_ANGLE_D180, [5] = VIPS_ANGLE_D90,
      [6] = VIPS_ANGLE_D90,  [7] = VIPS_ANGLE_D270, [8] = VIPS_ANGLE_D270,
  };
  if (orientation < 3 || orientation > 8) return 0;
  VipsImage *out = NULL;
  int failed = vips_rot(*image, &out, angles[orientation], NULL);
  return became(image, out, failed);
}

static int mirror(VipsImage **image, int orientation) {
  VipsImage *out = NULL;
  if (orientation != 2 && orientation != 4 && orientation != 5 && orientation != 7) return 0;
  int failed = vips_flip(*image, &out, VIPS_DIRECTION_HORIZONTAL, NULL);
  return became(image, out, failed);
}

// What is in the middle, as wide as it is high.
static int cut_square(VipsImage **image) {
  int width = vips_image_get_width(*image), height = vips_image_get_height(*image);
  int side = width < height ? width : height;
  if (width == height) return 0;
  VipsImage *out = NULL;
  int failed = vips_extract_area(*image, &out, (width - side) / 2, (height - side) / 2, side, side, NULL);
  return became(image, out, failed);
}

// Three bands of sRGB, or four where something shows through, of a byte each.
static int make_plain(VipsImage **image, int *is_transparent) {
  VipsImage *out = NULL;
  if (vips_image_get_interpretation(*image) != VIPS_INTERPRETATION_sRGB) {
    int failed = vips_colourspace(*image, &out, VIPS_INTERPRETATION_sRGB, NULL);
    if (became(image, out, failed)) return -1;
  }
  if (vips_image_get_format(*image) != VIPS_FORMAT_UCHAR) {
    out = NULL;
    int failed = vips_cast_uchar(*image, &out, NULL);
    if (became(image, out, failed)) return -1;
  }
  *is_transparent = 0;
  // Read once from its beginning to its end, which is all that some formats allow.
  VipsImage *memory = vips_image_copy_memory(*image);
  if (became(image, memory, !memory)) return -1;
  int bands = vips_image_get_bands(*image);
  if (bands <= 3) return bands == 3 ? 0 : -1;
  double least = 255;
  VipsImage *alpha = NULL;
  if (vips_extract_band(*image, &alpha, 3, NULL)) return -1;
  int failed = vips_min(alpha, &least, NULL);
  g_object_unref(alpha);
  if (failed) return -1;
  *is_transparent = least < 255;
  out = NULL;
  failed = vips_extract_band(*image, &out, 0, "n", *is_transparent ? 4 : 3, NULL);
  return became(image, out, failed);
}

// Puts what shows through on a grey of the middle.
static int flatten(VipsImage **image) {
  double grey[] = {128, 128, 128};
  VipsArrayDouble *background = vips_array_double_new(grey, 3);
  VipsImage *out = NULL;
  int failed = vips_flatten(*image, &out, "background", background, NULL);
  vips_area_unref(VIPS_AREA(background));
  return became(image, out, failed);
}

// A binary PPM: its header, and three bytes of each pixel.
static int save_pixmap(VipsImage **image, struct pictures_rendering *out) {
  if (out->is_webp && flatten(image)) return -1;
  out->is_webp = 0;
  size_t count = 0;
  void *pixels = vips_image_write_to_memory(*image, &count);
  if (!pixels) return -1;
  char header[40];
  int length = snprintf(header, sizeof header, "P6\n%d %d\n255\n", out->width, out->height);
  out->count = (size_t)length + count;
  out->bytes = g_try_malloc(out->count);
  if (out->bytes) {
    memcpy(out->bytes, header, (size_t)length);
    memcpy((char *)out->bytes + length, pixels, count);
  }
  g_free(pixels);
  return out->bytes ? 0 : -1;
}

static int save(VipsImage **image, const struct pictures_rendition *wanted, struct pictures_rendering *out) {
  if (make_plain(image, &out->is_webp)) return -1;
  out->width = vips_image_get_width(*image);
  out->height = vips_image_get_height(*image);
  if (wanted->is_pixmap) return save_pixmap(image, out);
  return out->is_webp
             ? vips_webpsave_buffer(*image, &out->bytes, &out->count, "Q", 82, "strip", TRUE, NULL)
             : vips_jpegsave_buffer(*image, &out->bytes, &out->count, "Q", 82, "strip", TRUE, "optimize_coding", TRUE,
                                    NULL);
}

// Whose reader it is, and none else's: a file cannot choose.
static int is_read_by(const void *bytes, size_t count, enum pictures_loader loader) {
  const char *name = vips_foreign_find_load_buffer(bytes, count);
  return name && strncmp(name, readers[loader], strlen(readers[loader])) == 0;
}

static VipsInteresting part(const struct pictures_rendition *wanted) {
  return wanted->is_square ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE;
}

// Where a profile says what it is of (ICC.1, 7.2.6).
static int is_profile_of(const void *profile, size_t size, int bands) {
  return size > 128 && memcmp((const char *)profile + 16, bands < 3 ? "GRAY" : "RGB ", 4) == 0;
}

// Whether it says that its colours are not those of sRGB: by a profile that is of as many inks, or by inks. Of others libvips
// would go to sRGB by way of another white, which changes each colour; with a profile of something else it goes astray.
static int has_colours_of_its_own(const void *bytes, size_t count) {
  VipsImage *image = vips_image_new_from_buffer(bytes, count, "", NULL);
  if (!image) {
    vips_error_clear();
    return 0;
  }
  int is_inks = vips_image_get_interpretation(image) == VIPS_INTERPRETATION_CMYK, has = is_inks;
  const void *profile;
  size_t size = 0;
  if (!is_inks && vips_image_get_typeof(image, VIPS_META_ICC_NAME) &&
      !vips_image_get_blob(image, VIPS_META_ICC_NAME, &profile, &size))
    has = is_profile_of(profile, size, vips_image_get_bands(image));
  g_object_unref(image);
  return has;
}

// By how much a JPEG is shrunk while it is decoded: to no less than seven fifths of what is wanted, of which that is made. libvips
// alone stops at twice as much, and so decodes four times the pixels of most photographs (a side of 4000, of which 512 are wanted).
static int jpeg_shrink(const void *bytes, size_t count, const struct pictures_rendition *wanted) {
  VipsImage *image = NULL;
  if (vips_jpegload_buffer((void *)bytes, count, &image, NULL)) {
    vips_error_clear();
    return 1;
  }
  int width = vips_image_get_width(image), height = vips_image_get_height(image);
  g_object_unref(image);
  int side = (width > height) == !wanted->is_square ? width : height, by = 8;
  while (by > 1 && side / by < wanted->pixels * 7 / 5) by /= 2;
  return by;
}

#define WANTED(wanted)                                                                                                 \
  (wanted)->pixels, "height", (wanted)->pixels, "size", VIPS_SIZE_DOWN, "crop", part(wanted)

static int shrink_jpeg(const void *bytes, size_t count, int by, const struct pictures_rendition *wanted,
                       const char *profile, VipsImage **out) {
  VipsImage *image = NULL;
  if (vips_jpegload_buffer((void *)bytes, count, &image, "shrink", by, "access", VIPS_ACCESS_SEQUENTIAL, NULL))
    return -1;
  int failed = profile ? vips_thumbnail_image(image, out, WANTED(wanted), "export_profile", profile, NULL)
                       : vips_thumbnail_image(image, out, WANTED(wanted), NULL);
  g_object_unref(image);
  return failed;
}

static int shrink_other(const void *bytes, size_t count, const struct pictures_rendition *wanted, const char *profile,
                        VipsImage **out) {
  void *buffer = (void *)bytes;
  return profile ? vips_thumbnail_buffer(buffer, count, out, WANTED(wanted), "export_profile", profile, NULL)
                 : vips_thumbnail_buffer(buffer, count, out, WANTED(wanted), NULL);
}

// `srgb` is a profile that libvips has.
static int shrink(const void *bytes, size_t count, enum pictures_loader loader, const struct pictures_rendition *wanted,
                  VipsImage **out) {
  int by = loader == PICTURES_JPEG ? jpeg_shrink(bytes, count, wanted) : 0;
  const char *profile = has_colours_of_its_own(bytes, count) ? "srgb" : NULL;
  for (;;) {
    if (!(by ? shrink_jpeg(bytes, count, by, wanted, profile, out)
             : shrink_other(bytes, count, wanted, profile, out)))
      return 0;
    if (!profile) return -1;
    // A profile that cannot be read is as none.
    vips_error_clear();
    *out = NULL;
    profile = NULL;
  }
}

static int finish(VipsImage **image, int orientation, const struct pictures_rendition *wanted,
                  struct pictures_rendering *out) {
  return turn(image, orientation) || mirror(image, orientation) || (wanted->is_square && cut_square(image)) ||
         save(image, wanted, out);
}

static int ended(VipsImage *image, int failed) {
  if (image) g_object_unref(image);
  if (failed) vips_error_clear();
  return failed ? -1 : 0;
}

int pictures_render(const void *bytes, size_t count, enum pictures_loader loader, int orientation,
                    struct pictures_rendition wanted, struct pictures_rendering *out) {
  memset(out, 0, sizeof *out);
  VipsImage *image = NULL;
  int failed = !is_read_by(bytes, count, loader) || shrink(bytes, count, loader, &wanted, &image) ||
               finish(&image, orientation, &wanted, out);
  return ended(image, failed);
}

static int shrink_pixels(VipsImage *image, const struct pictures_rendition *wanted, const char *profile,
                         VipsImage **out) {
  return profile ? vips_thumbnail_image(image, out, WANTED(wanted), "export_profile", profile, NULL)
                 : vips_thumbnail_image(image, out, WANTED(wanted), NULL);
}

int pictures_render_pixels(struct pictures_pixels pixels, const void *profile, size_t profile_count, int orientation,
                           struct pictures_rendition wanted, struct pictures_rendering *out) {
  memset(out, 0, sizeof *out);
  size_t count = (size_t)pixels.width * (size_t)pixels.height * (size_t)pixels.bands;
  VipsImage *image = vips_image_new_from_memory(pixels.bytes, count, pixels.width, pixels.height, pixels.bands,
                                                VIPS_FORMAT_UCHAR);
  if (!image) return ended(NULL, -1);
  image->Type = pixels.bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  VipsImage *small = NULL;
  int failed = -1;
  if (profile && is_profile_of(profile, profile_count, pixels.bands)) {
    vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, profile, profile_count);
    failed = shrink_pixels(image, &wanted, "srgb", &small);
    // A profile that cannot be read is as none.
    if (failed) {
      vips_error_clear();
      vips_image_remove(image, VIPS_META_ICC_NAME);
      small = NULL;
    }
  }
  if (failed) failed = shrink_pixels(image, &wanted, NULL, &small);
  failed = failed || finish(&small, orientation, &wanted, out);
  g_object_unref(image);
  return ended(small, failed);
}

int pictures_orientation(const void *bytes, size_t count) {
  VipsImage *image = NULL;
  if (vips_jpegload_buffer((void *)bytes, count, &image, NULL)) {
    vips_error_clear();
    return 0;
  }
  int orientation = vips_image_get_orientation(image);
  g_object_unref(image);
  return orientation;
}

int pictures_sealed(const void *bytes, size_t count) {
  int file = (int)memfd_create("preview", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  void *place = MAP_FAILED;
  if (count > 0 && ftruncate(file, (off_t)count) == 0)
    place = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  int sealed = -1;
  if (place != MAP_FAILED) {
    memcpy(place, bytes, count);
    munmap(place, count);
    sealed = fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
  }
  if (sealed == 0) return file;
  int code = errno;
  close(file);
  errno = code;
  return -1;
}
