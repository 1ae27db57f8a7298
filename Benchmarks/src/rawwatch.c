// rawwatch DIRECTORY: prints READY, then the path of every finished file below the directory: a bare
// inotify reader in another process, behind a pipe.
#include "watch.h"
#include <poll.h>

static char out[1 << 16];
static size_t out_n;

static void flush(void) {
    write_all(STDOUT_FILENO, out, out_n);
    out_n = 0;
}

static void print(const char *directory, const char *name) {
    if (out_n + PATH_MAX > sizeof out) flush();
    out_n += (size_t)snprintf(out + out_n, PATH_MAX, "%s/%s\n", directory, name);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: rawwatch DIRECTORY\n");
        return 2;
    }
    watch_start(argv[1]);
    write_all(STDOUT_FILENO, "READY\n", 6);
    for (struct pollfd queue = {watch_fd, POLLIN, 0};;) {
        if (poll(&queue, 1, -1) < 0 && errno != EINTR) die("poll");
        watch_read(print);
        flush();
    }
}
