#include "CPictures.h"
#include <gexiv2/gexiv2.h>
#include <libavutil/log.h>
#include <string.h>
#include <vips/vips.h>
#include <vips/vector.h>

static void say_nothing(const char *domain, GLogLevelFlags level, const char *text, void *data) {}

int pictures_load_libraries(void) {
  g_log_set_default_handler(say_nothing, NULL);
  av_log_set_level(AV_LOG_QUIET);
  gexiv2_log_set_level(GEXIV2_LOG_LEVEL_MUTE);
  if (!gexiv2_initialize() || vips_init("albumd-pictures")) return -1;
  pictures_allow_readers();
  // Nothing is kept from one file to the next.
  vips_cache_set_max(0);
  vips_concurrency_set(1);
  // Liborc makes code while it runs, which nothing may here.
  vips_vector_set_enabled(FALSE);
  gexiv2_metadata_try_register_xmp_namespace("http://ns.adobe.com/hdr-gain-map/1.0/", "hdrgm", NULL);
  gexiv2_metadata_try_register_xmp_namespace("http://ns.google.com/photos/1.0/camera/", "GCamera", NULL);
  gexiv2_metadata_try_register_xmp_namespace("http://ns.google.com/photos/1.0/panorama/", "GPano", NULL);
  return 0;
}

static void *copied(VipsImage *image, const char *field, size_t *count) {
  const void *bytes;
  if (!vips_image_get_typeof(image, field) || vips_image_get_blob(image, field, &bytes, count)) {
    vips_error_clear();
    *count = 0;
    return NULL;
  }
  return g_memdup2(bytes, *count);
}

int pictures_image_open(const void *bytes, size_t count, enum pictures_loader loader, struct pictures_image *out) {
  memset(out, 0, sizeof *out);
  static int (*const loaders[])(void *, size_t, VipsImage **, ...) = {
      [PICTURES_GIF] = vips_gifload_buffer,
      [PICTURES_HEIF] = vips_heifload_buffer,
      [PICTURES_WEBP] = vips_webpload_buffer,
      [PICTURES_JPEG] = vips_jpegload_buffer,
      [PICTURES_PNG] = vips_pngload_buffer,
      [PICTURES_TIFF] = vips_tiffload_buffer,
  };
  VipsImage *image = NULL;
  // Of what it says, no pixel is read: a picture of any size says it.
  int failed = loader == PICTURES_HEIF ? vips_heifload_buffer((void *)bytes, count, &image, "unlimited", TRUE, NULL)
                                       : loaders[loader]((void *)bytes, count, &image, NULL);
  if (failed) {
    vips_error_clear();
    return -1;
  }
  out->width = vips_image_get_width(image);
  out->height = vips_image_get_height(image);
  out->pages = vips_image_get_n_pages(image);
  out->orientation = vips_image_get_orientation(image);
  out->exif = copied(image, VIPS_META_EXIF_NAME, &out->exif_count);
  out->xmp = copied(image, VIPS_META_XMP_NAME, &out->xmp_count);
  g_object_unref(image);
  return 0;
}

void pictures_image_close(struct pictures_image *image) {
  g_free(image->exif);
  g_free(image->xmp);
}
