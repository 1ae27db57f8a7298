// What Swift cannot see of the libraries that read pictures: GObject's and FFmpeg's macros, functions with any number of
// arguments, and the sandbox. Each call asks one thing and decides nothing. Nothing here is for two threads at once.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Loads the libraries with all their modules, and lets them say nothing. 0, or -1.
int pictures_load_libraries(void);

/// Metadata of a picture, as libgexiv2 reads it.
typedef struct _GExiv2Metadata pictures_metadata;

/// Reads the metadata of a file that is in memory, which must stay there. NULL where there is none to read.
pictures_metadata *pictures_metadata_open(const void *bytes, size_t count);
void pictures_metadata_close(pictures_metadata *metadata);

/// The value of a tag such as Exif.Photo.DateTimeOriginal, as text; NULL where there is none. For pictures_free.
char *pictures_metadata_text(pictures_metadata *metadata, const char *tag);

/// The size of the picture as stored; 0 where it is not known.
int pictures_metadata_width(pictures_metadata *metadata);
int pictures_metadata_height(pictures_metadata *metadata);

void pictures_free(void *text);

/// The smallest picture within a picture that has so many pixels on its longer side, else the largest: a JPEG. Its
/// longer side is returned with it. NULL where there is none. For pictures_free.
void *pictures_metadata_preview(pictures_metadata *metadata, int pixels, size_t *count, int *longer_side);

/// What libvips says of a picture without decoding it.
struct pictures_image {
  /// With the container's rotation applied, but not Exif's.
  int width, height;
  /// How many pictures or frames.
  int pages;
  /// What it says itself of how it is turned, as Exif counts.
  int orientation;
  /// Blocks of metadata, or NULL; for pictures_image_close.
  void *exif, *xmp;
  size_t exif_count, xmp_count;
};

/// libvips's readers: which one is said, since each that looks whether a file is its own can be led astray by it.
enum pictures_loader { PICTURES_GIF, PICTURES_HEIF, PICTURES_WEBP, PICTURES_JPEG, PICTURES_PNG, PICTURES_TIFF };

/// Reads the beginning of a picture that is in memory. 0, or -1.
int pictures_image_open(const void *bytes, size_t count, enum pictures_loader loader, struct pictures_image *out);
void pictures_image_close(struct pictures_image *image);

/// What is wanted of a picture.
struct pictures_rendition {
  /// The most pixels of its longer side. It is never enlarged.
  int pixels;
  /// Whether the square in the middle is cut out.
  int is_square;
  /// Whether it is written as a binary PPM (ppm(5)).
  int is_pixmap;
};

/// A picture that was made; its bytes are for pictures_free.
struct pictures_rendering {
  void *bytes;
  size_t count;
  int width, height;
  /// WebP, where something shows through; else JPEG.
  int is_webp;
};

/// Lets libvips read with those readers only.
void pictures_allow_readers(void);

/// Makes a picture of one that is in memory. `orientation` is added to what the file says of that: 0 or 1 for none, else
/// as Exif counts. 0, or -1.
int pictures_render(const void *bytes, size_t count, enum pictures_loader loader, int orientation,
                    struct pictures_rendition wanted, struct pictures_rendering *out);

/// A decoded picture: a byte for each band of each pixel, row after row.
struct pictures_pixels {
  uint8_t *bytes;
  int width, height;
  /// 1 of grey, 3 of RGB; 2 and 4 the same with how little shows through.
  int bands;
};
void pictures_free_pixels(struct pictures_pixels pixels);

/// The same of pixels. What they mean is in a profile (ICC.1); NULL where it is sRGB.
int pictures_render_pixels(struct pictures_pixels pixels, const void *profile, size_t profile_count, int orientation,
                           struct pictures_rendition wanted, struct pictures_rendering *out);

/// What libavcodec decodes of which libvips has no reader that its makers hold to be safe.
enum pictures_still_kind { PICTURES_BITMAP, PICTURES_JPEG2000, PICTURES_PHOTOSHOP };

/// A still picture as its decoder is to find it.
struct pictures_still {
  enum pictures_still_kind kind;
  /// One after the other.
  const void *front, *rest;
  size_t front_count, rest_count;
  /// Whether nothing shows through, whatever is behind the colours.
  int is_opaque;
};

/// Decodes it, of JPEG 2000 a half, a quarter, ... as often as `halvings` says, at most 5; for others 0. 0, or -1: then there
/// may be fewer halvings. For pictures_free_pixels.
int pictures_still_decode(const struct pictures_still *still, int halvings, struct pictures_pixels *out);

/// What a JPEG says of how it is turned, as Exif counts; 0 where it is none.
int pictures_orientation(const void *bytes, size_t count);

/// A memory file with those bytes that nobody can change any more; -1 with errno.
int pictures_sealed(const void *bytes, size_t count);

/// A film, as libavformat reads it.
typedef struct AVFormatContext pictures_film;

/// Reads the beginning of a film from a descriptor. `format` is the name of libavformat's reader: nothing is guessed.
pictures_film *pictures_film_open(int descriptor, const char *format);
void pictures_film_close(pictures_film *film);

/// What the container says under a key; NULL where it says nothing. It lives as long as the film.
const char *pictures_film_text(pictures_film *film, const char *key);

/// Microseconds; 0 where it is not known. It is asked once: what says nothing of it is read to its end.
int64_t pictures_film_duration(pictures_film *film);

struct pictures_track {
  /// As stored.
  int width, height;
  /// By how many degrees it is turned clockwise to be shown.
  int rotation;
  /// Whether its transfer function is PQ or HLG (ITU-R BT.2100).
  int is_high_dynamic_range;
};

/// The first track of pictures that is no cover. 0, or -1 where there is none.
int pictures_film_track(pictures_film *film, struct pictures_track *out);

/// The first frame of that track that is not black, else the first: RGB, as wide as it is shown and not turned. 0, or -1
/// where none can be decoded. For pictures_free_pixels.
int pictures_film_poster(pictures_film *film, struct pictures_pixels *out);

/// What became of the sandbox.
enum pictures_confinement {
  PICTURES_CONFINED = 0,
  /// All but Landlock, which the kernel does not have.
  PICTURES_WITHOUT_LANDLOCK = 1,
  /// There is none, and errno says why.
  PICTURES_NOT_CONFINED = -1,
};

struct pictures_limits {
  /// Bytes of memory beyond what is mapped already.
  uint64_t memory;
  /// Seconds of processor time, for the life of the process.
  uint64_t processor;
  /// How many descriptors may be open.
  uint64_t descriptors;
  /// Bytes of a memory file that it makes.
  uint64_t file;
  /// A connected socket (unix(7)): when the other side ends it, the process ends, whatever it is at.
  int socket;
};

/// Takes from this process, for good, whatever reading pictures does not take. Descriptors that are open stay open.
int pictures_confine(struct pictures_limits limits);

/// The version of Landlock that this kernel has; less than 1 where it has none.
int pictures_landlock_version(void);

/// Signals do what they do by themselves, and none is blocked: but SIGPIPE, which is ignored.
void pictures_reset_signals(void);

/// Ends this process by a signal unless it is called again in time: seconds that pass, and seconds of processor time.
/// 0 for both takes that back.
void pictures_set_deadline(unsigned seconds, unsigned processor_seconds);

/// Lets everybody else go first from here on (SCHED_IDLE, sched(7)).
void pictures_give_way(void);

/// Closes every descriptor from that number on (close_range(2)).
void pictures_close_from(unsigned number);

/// The first `count` bytes of an open file, not more than it has, mapped for reading. NULL with errno.
const void *pictures_map(int descriptor, size_t count);
void pictures_unmap(const void *bytes, size_t count);

/// The size of an open regular file or memory file; -1 with errno. Asks for nothing but a seek.
int64_t pictures_size(int descriptor);
