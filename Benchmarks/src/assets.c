// What reading assets costs in C: what `read-assets` (ReadAssets/main.swift) does, with the JSON library yajl.
//
//   assets SOCKET
//
// For each line on standard input, fetches every asset into structures with the same fields, its times as microseconds, and
// says in one line what they come to; both programs say the same. What does not fit a field ends it, as it does there.
//
// Of the libraries in Debian, yajl reads these bytes in the fewest instructions, since it makes no tree of them: 14,500 an
// asset, where cJSON takes 33,000, json-c 57,000 and jansson 93,000 until they have theirs.
#include "common.h"
#include <yajl/yajl_parse.h>

static const char as_owner[] = "{\"method\":\"io.albumd.Manager.ActAsOwner\"}";
static const char fetch_all[] = "{\"method\":\"io.albumd.Library.FetchAssets\",\"parameters\":{\"limit\":1000},\"more\":true}";

enum { none = -1, most_texts = 64 };

typedef struct {
    char **values;
    size_t n;
} Texts;

typedef struct {
    int *values;
    size_t n;
} Words;

typedef struct {
    double latitude, longitude, altitude;
} Location;

typedef struct {
    char *id, *filename, *percent_encoded_filename, *created_local, *content_hash;
    Texts albums;
    Words resources, subtypes;
    Location *location;
    int64_t created, modified, added;
    long long byte_count, pixel_width, pixel_height;
    double duration;
    int media_type, created_from, has_location, offline, is_favorite, is_hidden, has_adjustment;
    // A bit for each member that was there.
    unsigned members;
} Asset;

typedef struct {
    Asset *items;
    size_t n, capacity;
} Assets;

enum member {
    id, filename, percent_encoded_filename, albums, media_type, byte_count, created, modified, resources, pixel_width, pixel_height,
    duration, has_location, created_from, created_local, subtypes, location, offline, content_hash, is_favorite, is_hidden,
    has_adjustment, added, members
};

static const char *const member_names[] = {
    "id", "filename", "percentEncodedFilename", "albums", "mediaType", "byteCount", "created", "modified", "resources", "pixelWidth",
    "pixelHeight", "durationSeconds", "hasLocation", "createdFrom", "createdLocal", "subtypes", "location", "offline", "contentHash",
    "isFavorite", "isHidden", "hasAdjustment", "added"};
static size_t member_lengths[members];

static const unsigned needed = 1u << id | 1u << filename | 1u << albums | 1u << media_type | 1u << byte_count | 1u << created
                               | 1u << modified | 1u << resources | 1u << offline;

// Where in the text it is. A page is an object in the reply, which has an array of objects.
enum place { outside, in_reply, in_page, in_assets, in_asset, in_list, in_location };

typedef struct {
    enum place place;
    // How many objects and arrays deep in what is of no account.
    int ignored;
    int is_member, is_continues, continues, is_page, is_list;
    enum member member;
    double *coordinate;
    Asset asset;
    Texts texts;
    Words words;
    char *list_texts[most_texts];
    int list_words[most_texts];
    Assets *assets;
} Reading;

static int refuse(const char *what) {
    fprintf(stderr, "assets: %s\n", what);
    exit(1);
}

static int is(const unsigned char *text, size_t n, const char *other, size_t other_n) {
    return n == other_n && !memcmp(text, other, n);
}
#define IS(text, n, literal) is(text, n, literal, sizeof literal - 1)

static char *copied(const unsigned char *text, size_t n) {
    char *copy = checked_realloc(NULL, n + 1);
    memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}

static const char *const media_types[] = {"image", "video", "livePhoto", NULL};
static const char *const resource_types[] = {"photo", "pairedVideo", "video", "sidecar", "original", "alternatePhoto", NULL};
static const char *const created_froms[] = {"capture", "file", NULL};
static const char *const subtype_names[] = {"panorama", "screenshot", "hdr", "animated", "raw", "motionPhoto", NULL};

static int word(const unsigned char *text, size_t n, const char *const *words) {
    for (int i = 0; words[i]; i++)
        if (!strncmp(words[i], (const char *)text, n) && !words[i][n]) return i;
    return refuse("another word");
}

static int digits(const unsigned char *text, int count) {
    int value = 0;
    for (int i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9') refuse("no time");
        value = value * 10 + text[i] - '0';
    }
    return value;
}

// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
static int64_t days(int year, int month, int day) {
    year -= month <= 2;
    int era = year / 400, of_era = year - era * 400;
    int of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * INT64_C(146097) + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

// Microseconds since 1970 of a time as albumd writes it: RFC 3339 in UTC, with a fraction of six digits or none.
static int64_t instant(const unsigned char *text, size_t n) {
    if ((n != 20 && n != 27) || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':'
        || text[n - 1] != 'Z' || (n == 27 && text[19] != '.'))
        refuse("no time");
    int month = digits(text + 5, 2), day = digits(text + 8, 2);
    int hour = digits(text + 11, 2), minute = digits(text + 14, 2), second = digits(text + 17, 2);
    if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) refuse("no time");
    int64_t seconds = days(digits(text, 4), month, day) * 86400 + hour * 3600 + minute * 60 + second;
    return seconds * 1000000 + (n == 27 ? digits(text + 20, 6) : 0);
}

// Of what is read, each of these takes one event, and answers whether to go on.

static int on_string(void *context, const unsigned char *text, size_t n) {
    Reading *reading = context;
    Asset *asset = &reading->asset;
    if (reading->ignored) return 1;
    if (reading->place == in_list) {
        if (reading->texts.n == most_texts || reading->words.n == most_texts) refuse("too many");
        switch (reading->member) {
        case albums: reading->list_texts[reading->texts.n++] = copied(text, n); break;
        case resources: reading->list_words[reading->words.n++] = word(text, n, resource_types); break;
        default: reading->list_words[reading->words.n++] = word(text, n, subtype_names); break;
        }
        return 1;
    }
    if (reading->place != in_asset || !reading->is_member) return 1;
    switch (reading->member) {
    case id: asset->id = copied(text, n); break;
    case filename: asset->filename = copied(text, n); break;
    case percent_encoded_filename: asset->percent_encoded_filename = copied(text, n); break;
    case created_local: asset->created_local = copied(text, n); break;
    case content_hash: asset->content_hash = copied(text, n); break;
    case media_type: asset->media_type = word(text, n, media_types); break;
    case created_from: asset->created_from = word(text, n, created_froms); break;
    case created: asset->created = instant(text, n); break;
    case modified: asset->modified = instant(text, n); break;
    case added: asset->added = instant(text, n); break;
    default: return refuse("text where there is none");
    }
    return 1;
}

static int on_integer(void *context, long long value) {
    Reading *reading = context;
    if (reading->ignored) return 1;
    if (reading->place == in_location && reading->coordinate) *reading->coordinate = (double)value;
    if (reading->place != in_asset || !reading->is_member) return 1;
    switch (reading->member) {
    case byte_count: reading->asset.byte_count = value; break;
    case pixel_width: reading->asset.pixel_width = value; break;
    case pixel_height: reading->asset.pixel_height = value; break;
    case duration: reading->asset.duration = (double)value; break;
    default: return refuse("a number where there is none");
    }
    return 1;
}

static int on_double(void *context, double value) {
    Reading *reading = context;
    if (reading->ignored) return 1;
    if (reading->place == in_location && reading->coordinate) *reading->coordinate = value;
    if (reading->place != in_asset || !reading->is_member) return 1;
    if (reading->member != duration) return refuse("a number where there is none");
    reading->asset.duration = value;
    return 1;
}

static int on_boolean(void *context, int value) {
    Reading *reading = context;
    if (reading->ignored) return 1;
    if (reading->place == in_reply && reading->is_continues) reading->continues = value;
    if (reading->place != in_asset || !reading->is_member) return 1;
    switch (reading->member) {
    case has_location: reading->asset.has_location = value; break;
    case offline: reading->asset.offline = value; break;
    case is_favorite: reading->asset.is_favorite = value; break;
    case is_hidden: reading->asset.is_hidden = value; break;
    case has_adjustment: reading->asset.has_adjustment = value; break;
    default: return refuse("a truth where there is none");
    }
    return 1;
}

static int on_key(void *context, const unsigned char *text, size_t n) {
    Reading *reading = context;
    if (reading->ignored) return 1;
    switch (reading->place) {
    case in_reply:
        reading->is_page = IS(text, n, "parameters");
        reading->is_continues = IS(text, n, "continues");
        break;
    case in_page: reading->is_list = IS(text, n, "assets"); break;
    case in_asset: {
        // They come in their order, but for those that are left out.
        enum member member = reading->is_member ? reading->member + 1 : id;
        while (member < members && !is(text, n, member_names[member], member_lengths[member])) member++;
        if ((reading->is_member = member < members)) {
            reading->member = member;
            reading->asset.members |= 1u << member;
        }
        break;
    }
    case in_location:
        reading->coordinate = IS(text, n, "latitude")    ? &reading->asset.location->latitude
                              : IS(text, n, "longitude") ? &reading->asset.location->longitude
                              : IS(text, n, "altitude")  ? &reading->asset.location->altitude
                                                         : NULL;
        break;
    default: break;
    }
    return 1;
}

static int on_object(void *context) {
    Reading *reading = context;
    if (reading->ignored)
        reading->ignored++;
    else if (reading->place == outside)
        reading->place = in_reply;
    else if (reading->place == in_reply && reading->is_page)
        reading->place = in_page;
    else if (reading->place == in_assets) {
        reading->place = in_asset;
        reading->is_member = 0;
        reading->asset = (Asset){.created_from = none};
    } else if (reading->place == in_asset && reading->is_member && reading->member == location) {
        reading->place = in_location;
        reading->asset.location = checked_realloc(NULL, sizeof(Location));
        *reading->asset.location = (Location){0};
    } else
        reading->ignored = 1;
    return 1;
}

static int on_object_end(void *context) {
    Reading *reading = context;
    Assets *assets = reading->assets;
    if (reading->ignored)
        reading->ignored--;
    else if (reading->place == in_asset) {
        if ((reading->asset.members & needed) != needed) refuse("a member is not there");
        if (assets->n == assets->capacity) {
            assets->capacity = 2 * assets->capacity + 1000;
            assets->items = checked_realloc(assets->items, assets->capacity * sizeof *assets->items);
        }
        assets->items[assets->n++] = reading->asset;
        reading->place = in_assets;
    } else
        reading->place = reading->place == in_location ? in_asset : reading->place == in_page ? in_reply : outside;
    return 1;
}

static int on_array(void *context) {
    Reading *reading = context;
    int is_list = reading->is_member && (reading->member == albums || reading->member == resources || reading->member == subtypes);
    if (reading->ignored)
        reading->ignored++;
    else if (reading->place == in_page && reading->is_list)
        reading->place = in_assets;
    else if (reading->place == in_asset && is_list) {
        reading->place = in_list;
        reading->texts.n = reading->words.n = 0;
    } else
        reading->ignored = 1;
    return 1;
}

static int on_array_end(void *context) {
    Reading *reading = context;
    if (reading->ignored) {
        reading->ignored--;
        return 1;
    }
    if (reading->place == in_assets) {
        reading->place = in_page;
        return 1;
    }
    reading->place = in_asset;
    if (reading->member == albums) {
        Texts *texts = &reading->asset.albums;
        *texts = (Texts){checked_realloc(NULL, (reading->texts.n + 1) * sizeof *texts->values), reading->texts.n};
        memcpy(texts->values, reading->list_texts, texts->n * sizeof *texts->values);
    } else {
        Words *words = reading->member == resources ? &reading->asset.resources : &reading->asset.subtypes;
        *words = (Words){checked_realloc(NULL, (reading->words.n + 1) * sizeof *words->values), reading->words.n};
        memcpy(words->values, reading->list_words, words->n * sizeof *words->values);
    }
    return 1;
}

static const yajl_callbacks callbacks = {
    .yajl_boolean = on_boolean,       .yajl_integer = on_integer,     .yajl_double = on_double,
    .yajl_string = on_string,         .yajl_start_map = on_object,    .yajl_map_key = on_key,
    .yajl_end_map = on_object_end,    .yajl_start_array = on_array,   .yajl_end_array = on_array_end,
};

// Returns whether more replies follow.
static int add(Assets *assets, const char *message, size_t n) {
    static Reading reading;
    reading = (Reading){.assets = assets};
    yajl_handle parser = yajl_alloc(&callbacks, NULL, &reading);
    if (!parser || yajl_parse(parser, (const unsigned char *)message, n) != yajl_status_ok
        || yajl_complete_parse(parser) != yajl_status_ok || strstr(message, "\"error\":"))
        refuse(message);
    yajl_free(parser);
    return reading.continues;
}

typedef struct {
    int fd;
    char *bytes;
    // The first `scanned` have no NUL among them.
    size_t n, capacity, scanned;
} Stream;

// The length of the first message, which is whole then.
static size_t message_length(Stream *stream) {
    char *end;
    while (!(end = memchr(stream->bytes + stream->scanned, 0, stream->n - stream->scanned))) {
        stream->scanned = stream->n;
        if (stream->capacity - stream->n < 65536)
            stream->bytes = checked_realloc(stream->bytes, stream->capacity = 2 * stream->capacity + 65536);
        ssize_t r = read(stream->fd, stream->bytes + stream->n, 65536);
        if (r <= 0) die("read");
        stream->n += (size_t)r;
    }
    return (size_t)(end - stream->bytes);
}

static void drop_message(Stream *stream, size_t length) {
    stream->n -= length + 1;
    stream->scanned = 0;
    memmove(stream->bytes, stream->bytes + length + 1, stream->n);
}

static void say(const Assets *assets) {
    size_t text = 0, words = 0;
    long long bytes = 0, microseconds = 0, pixels = 0;
    double places = 0;
    for (size_t i = 0; i < assets->n; i++) {
        const Asset *asset = &assets->items[i];
        text += strlen(asset->id) + strlen(asset->filename) + (asset->created_local ? strlen(asset->created_local) : 0);
        for (size_t k = 0; k < asset->albums.n; k++) text += strlen(asset->albums.values[k]);
        bytes += asset->byte_count;
        microseconds = (long long)((unsigned long long)microseconds + (unsigned long long)(asset->created + asset->modified));
        pixels += asset->pixel_width + asset->pixel_height;
        words += asset->resources.n + asset->subtypes.n + (asset->media_type == 0) + (asset->created_from == 0);
        if (asset->location) places += asset->location->latitude + asset->location->longitude;
    }
    printf("%zu %zu %lld %lld %lld %zu %.0f\n", assets->n, text, bytes, microseconds, pixels, words, places * 1000);
    fflush(stdout);
}

static void forget(Assets *assets) {
    for (size_t i = 0; i < assets->n; i++) {
        Asset *asset = &assets->items[i];
        for (size_t k = 0; k < asset->albums.n; k++) free(asset->albums.values[k]);
        free(asset->albums.values);
        free(asset->id);
        free(asset->filename);
        free(asset->percent_encoded_filename);
        free(asset->created_local);
        free(asset->content_hash);
        free(asset->resources.values);
        free(asset->subtypes.values);
        free(asset->location);
    }
    free(assets->items);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: assets SOCKET\n");
        return 2;
    }
    for (size_t i = 0; i < members; i++) member_lengths[i] = strlen(member_names[i]);
    Stream stream = {.fd = unix_connect(argv[1])};
    write_all(stream.fd, as_owner, sizeof as_owner);
    stream.bytes = checked_realloc(NULL, stream.capacity = 1 << 20);
    drop_message(&stream, message_length(&stream));
    for (char line[64]; fgets(line, sizeof line, stdin);) {
        Assets assets = {0};
        write_all(stream.fd, fetch_all, sizeof fetch_all);
        for (int continues = 1; continues;) {
            size_t length = message_length(&stream);
            continues = add(&assets, stream.bytes, length);
            drop_message(&stream, length);
        }
        say(&assets);
        forget(&assets);
    }
    return 0;
}
