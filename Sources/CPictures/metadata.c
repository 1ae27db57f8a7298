#include "CPictures.h"
#include <gexiv2/gexiv2.h>

pictures_metadata *pictures_metadata_open(const void *bytes, size_t count) {
  GExiv2Metadata *metadata = gexiv2_metadata_new();
  GError *error = NULL;
  if (gexiv2_metadata_open_buf(metadata, bytes, (glong)count, &error)) return metadata;
  g_clear_error(&error);
  g_object_unref(metadata);
  return NULL;
}

void pictures_metadata_close(pictures_metadata *metadata) { g_object_unref(metadata); }

char *pictures_metadata_text(pictures_metadata *metadata, const char *tag) {
  GError *error = NULL;
  char *text = gexiv2_metadata_try_get_tag_string(metadata, tag, &error);
  g_clear_error(&error);
  return text;
}

int pictures_metadata_width(pictures_metadata *metadata) { return gexiv2_metadata_get_pixel_width(metadata); }
int pictures_metadata_height(pictures_metadata *metadata) { return gexiv2_metadata_get_pixel_height(metadata); }

void pictures_free(void *text) { g_free(text); }

static int longer_side_of(GExiv2PreviewProperties *preview) {
  guint32 width = gexiv2_preview_properties_get_width(preview), height = gexiv2_preview_properties_get_height(preview);
  guint32 longer = width > height ? width : height;
  return longer > 1 << 20 ? 0 : (int)longer;
}

// The properties of the one that is wanted; they belong to the library.
static GExiv2PreviewProperties *best(GExiv2PreviewProperties **all, int pixels) {
  GExiv2PreviewProperties *found = NULL;
  for (; all && *all; all++) {
    const char *type = gexiv2_preview_properties_get_mime_type(*all);
    int side = longer_side_of(*all), most = found ? longer_side_of(found) : 0;
    if (!type || g_strcmp0(type, "image/jpeg") != 0 || side == 0) continue;
    if (most < pixels ? side > most : side >= pixels && side < most) found = *all;
  }
  return found;
}

void *pictures_metadata_preview(pictures_metadata *metadata, int pixels, size_t *count, int *longer_side) {
  GError *error = NULL;
  GExiv2PreviewProperties **all = gexiv2_metadata_get_preview_properties(metadata);
  GExiv2PreviewProperties *properties = best(all, pixels);
  if (!properties) return NULL;
  GExiv2PreviewImage *image = gexiv2_metadata_try_get_preview_image(metadata, properties, &error);
  g_clear_error(&error);
  if (!image) return NULL;
  guint32 size = 0;
  const guint8 *bytes = gexiv2_preview_image_get_data(image, &size);
  void *copy = bytes && size ? g_memdup2(bytes, size) : NULL;
  *count = size;
  *longer_side = longer_side_of(properties);
  g_object_unref(image);
  return copy;
}
