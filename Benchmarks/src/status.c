// status SOCKET: what `albumctl status` asks, in as few system calls as it takes: the status of both levels.
#include "common.h"

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: status SOCKET\n");
        return 2;
    }
    static const char *const levels[] = {"addOnly", "readWrite"};
    int fd = unix_connect(argv[1]);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        char message[4096];
        int length =
            snprintf(message, sizeof message,
                     "{\"method\":\"io.albumd.Authorization.GetStatus\",\"parameters\":{\"accessLevel\":\"%s\"}}", levels[i]);
        write_all(fd, message, (size_t)length + 1);
        size_t n = 0;
        do {
            ssize_t r = read(fd, message + n, sizeof message - n);
            if (r <= 0) die("read");
            n += (size_t)r;
        } while (message[n - 1] && n < sizeof message);
        if (message[n - 1] || strstr(message, "\"error\"")) {
            fprintf(stderr, "status: %.*s\n", (int)n, message);
            return 1;
        }
        static const char key[] = "\"status\":\"";
        const char *status = strstr(message, key);
        if (!status) return 1;
        status += sizeof key - 1;
        printf("%-10s %.*s\n", levels[i], (int)strcspn(status, "\""), status);
    }
    return 0;
}
