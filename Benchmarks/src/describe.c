// What pictures and films say of themselves, by the libraries that albumd-pictures uses and nothing else.
//
//   describe LIST [--processes N]
//
// LIST has a path in each line; every process reads each Nth. Of a picture: when, with its offset, how large, which way up,
// where. Of a film: how long, how large, when. Prints one JSON object.
#include "measure.h"
#include <gexiv2/gexiv2.h>
#include <libavformat/avformat.h>
#include <strings.h>
#include <sys/wait.h>

static int describe_film(const char *path) {
    AVFormatContext *film = NULL;
    if (avformat_open_input(&film, path, NULL, NULL) < 0) return 0;
    int width = 0;
    for (unsigned i = 0; i < film->nb_streams; i++)
        if (film->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO) width = film->streams[i]->codecpar->width;
    int is_known = width > 0 && film->duration > 0 && av_dict_get(film->metadata, "creation_time", NULL, 0);
    avformat_close_input(&film);
    return is_known;
}

static int describe_picture(const char *path) {
    static const char *const tags[] = {"Exif.Photo.DateTimeOriginal", "Exif.Photo.SubSecTimeOriginal",
                                       "Exif.Photo.OffsetTimeOriginal", "Exif.Image.Orientation"};
    GExiv2Metadata *metadata = gexiv2_metadata_new();
    int is_known = gexiv2_metadata_open_path(metadata, path, NULL);
    for (size_t i = 0; is_known && i < sizeof tags / sizeof *tags; i++) {
        gchar *text = gexiv2_metadata_try_get_tag_string(metadata, tags[i], NULL);
        is_known = text != NULL;
        g_free(text);
    }
    double longitude, latitude, altitude;
    is_known = is_known && gexiv2_metadata_get_pixel_width(metadata) > 0 && gexiv2_metadata_get_pixel_height(metadata) > 0
               && gexiv2_metadata_try_get_gps_info(metadata, &longitude, &latitude, &altitude, NULL);
    g_object_unref(metadata);
    return is_known;
}

static long describe(char **paths, long count, long first, long step) {
    long known = 0;
    for (long i = first; i < count; i += step) {
        const char *end = strrchr(paths[i], '.');
        known += end && !strcasecmp(end, ".mov") ? describe_film(paths[i]) : describe_picture(paths[i]);
    }
    return known;
}

int main(int argc, char **argv) {
    if (argc != 2 && !(argc == 4 && !strcmp(argv[2], "--processes"))) {
        fprintf(stderr, "describe LIST [--processes N]\n");
        return 2;
    }
    long processes = argc == 4 ? atol(argv[3]) : 1, count = 0, capacity = 0;
    size_t n;
    char *list = read_file(argv[1], &n), **paths = NULL;
    list = checked_realloc(list, n + 1);
    list[n] = 0;
    for (char *line = strtok(list, "\n"); line; line = strtok(NULL, "\n")) {
        if (count == capacity) paths = checked_realloc(paths, (size_t)(capacity = capacity ? 2 * capacity : 1024) * sizeof *paths);
        paths[count++] = line;
    }
    av_log_set_level(AV_LOG_QUIET);
    gexiv2_log_set_level(GEXIV2_LOG_LEVEL_MUTE);
    gexiv2_initialize();
    int results[2];
    if (pipe(results)) die("pipe");
    uint64_t start = now_ns();
    for (long i = 0; i < processes; i++) {
        pid_t child = fork();
        if (child < 0) die("fork");
        if (child) continue;
        long known = describe(paths, count, i, processes);
        _exit(write(results[1], &known, sizeof known) != sizeof known);
    }
    long known = 0, part;
    for (long i = 0; i < processes; i++) {
        if (read(results[0], &part, sizeof part) != sizeof part) die("read");
        known += part;
        wait(NULL);
    }
    double seconds = (double)(now_ns() - start) / 1e9;
    printf("{\"files\":%ld,\"known\":%ld,\"seconds\":%.3f,\"per_s\":%.1f}\n", count, known, seconds, (double)count / seconds);
    return 0;
}
