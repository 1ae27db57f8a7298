// What it costs to have a copy of a file without a name, as `cp --reflink=auto` makes one.
//
//   copyfile FILE DIRECTORY [--n 100]
//
// Opens the file, makes an unnamed one in the directory, shares the content (FICLONE) or, where the file system cannot,
// copies it (copy_file_range), and closes both; so many times. Prints one JSON object.
#include "measure.h"
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

static int copy(const char *file, const char *directory) {
    int from = open(file, O_RDONLY | O_CLOEXEC), to = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (from < 0 || to < 0) die("open");
    int is_shared = !ioctl(to, FICLONE, from);
    if (!is_shared) {
        struct stat facts;
        if (fstat(from, &facts)) die("fstat");
        for (off_t left = facts.st_size; left > 0;) {
            ssize_t n = copy_file_range(from, NULL, to, NULL, (size_t)left, 0);
            if (n <= 0) die("copy_file_range");
            left -= n;
        }
    }
    close(from);
    close(to);
    return is_shared;
}

int main(int argc, char **argv) {
    if (argc != 3 && !(argc == 5 && !strcmp(argv[3], "--n"))) {
        fprintf(stderr, "copyfile FILE DIRECTORY [--n 100]\n");
        return 2;
    }
    long n = argc == 5 ? atol(argv[4]) : 100;
    copy(argv[1], argv[2]);
    Samples samples = {0};
    int shared = 0;
    for (long i = 0; i < n; i++) {
        uint64_t start = now_ns();
        shared += copy(argv[1], argv[2]);
        add_sample(&samples, now_ns() - start);
    }
    printf("{\"shared\":%d", shared);
    print_samples("", &samples);
    printf("}\n");
    return 0;
}
