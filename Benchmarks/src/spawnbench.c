// spawnbench N COMMAND [ARGUMENT...]: how long does a whole process take, from posix_spawn(3) until it has ended?
// Its output goes nowhere. Prints one JSON object; a command that fails ends the measurement.
#include "measure.h"
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv) {
    long n = argc > 2 ? atol(argv[1]) : 0;
    if (n < 1) {
        fprintf(stderr, "usage: spawnbench N COMMAND [ARGUMENT...]\n");
        return 2;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    Samples samples = {0};
    static const long warm_up = 3;
    for (long i = -warm_up; i < n; i++) {
        pid_t pid;
        int status;
        uint64_t start = now_ns();
        if ((errno = posix_spawnp(&pid, argv[2], &actions, NULL, argv + 2, environ))) die(argv[2]);
        if (waitpid(pid, &status, 0) != pid || status) {
            fprintf(stderr, "spawnbench: %s failed\n", argv[2]);
            return 1;
        }
        if (i >= 0) add_sample(&samples, now_ns() - start);
    }
    printf("{\"runs\":%ld", n);
    print_samples("", &samples);
    printf("}\n");
    return 0;
}
