// mktree DIRECTORY DIRECTORIES FILES: a library of that many albums, a hundred to a year, with FILES photographs
// each, called IMG_NNNNNNN.jpg; each holds the first bytes of a JPEG.
#include "common.h"

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: mktree DIRECTORY DIRECTORIES FILES\n");
        return 2;
    }
    static const char jpeg[] = "\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0";
    long directories = atol(argv[2]), files = atol(argv[3]), number = 0;
    char path[4096];
    if (mkdir(argv[1], 0755) && errno != EEXIST) die(argv[1]);
    for (long d = 0; d < directories; d++) {
        snprintf(path, sizeof path, "%s/year-%03ld", argv[1], d / 100);
        if (d % 100 == 0 && mkdir(path, 0755)) die(path);
        snprintf(path, sizeof path, "%s/year-%03ld/album-%05ld", argv[1], d / 100, d);
        if (mkdir(path, 0755)) die(path);
        int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (directory < 0) die(path);
        for (long f = 0; f < files; f++) {
            snprintf(path, sizeof path, "IMG_%07ld.jpg", number++);
            int fd = openat(directory, path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
            if (fd < 0) die(path);
            write_all(fd, jpeg, sizeof jpeg - 1);
            close(fd);
        }
        close(directory);
    }
    return 0;
}
