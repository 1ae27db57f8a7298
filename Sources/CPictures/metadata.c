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
