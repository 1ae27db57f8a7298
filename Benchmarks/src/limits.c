// limits pingpong|fanout|descriptor|open [--n N] [--subscribers K] [--file F]: what the kernel makes possible here,
// below which no daemon in any language gets.
//
//   pingpong     64 bytes to another process and back, over a Unix socket
//   fanout       160 bytes to each of K sockets, until another process has read them all
//   descriptor   another process opens the file beneath a directory, and passes its descriptor
//   open         openat2(RESOLVE_BENEATH) and close
//
// Prints one JSON object.
#include "measure.h"
#include <linux/openat2.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static long n = 20000, subscribers = 1000;
static const char *file = "/etc/passwd";
static char directory[4096];

static void read_all(int fd, char *bytes, size_t size) {
    while (size) {
        ssize_t r = read(fd, bytes, size);
        if (r <= 0) _exit(0); // the other end is done
        bytes += r;
        size -= (size_t)r;
    }
}

static int open_beneath(int root) {
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    int fd = (int)syscall(SYS_openat2, root, strrchr(file, '/') + 1, &how, sizeof how);
    if (fd < 0) die(file);
    return fd;
}

static int open_directory(void) {
    int root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) die(directory);
    return root;
}

static void serve(int fd, int passes_descriptors) {
    char bytes[64];
    int root = open_directory();
    for (;;) {
        read_all(fd, bytes, sizeof bytes);
        if (!passes_descriptors) {
            write_all(fd, bytes, sizeof bytes);
            continue;
        }
        int opened = open_beneath(root);
        union {
            struct cmsghdr header;
            char bytes[CMSG_SPACE(sizeof(int))];
        } control = {0};
        struct iovec text = {bytes, sizeof bytes};
        struct msghdr message = {
            .msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof opened);
        memcpy(CMSG_DATA(header), &opened, sizeof opened);
        if (sendmsg(fd, &message, MSG_NOSIGNAL) < 0) _exit(0);
        close(opened);
    }
}

static void receive(int fd, int with_descriptor) {
    char bytes[64];
    if (!with_descriptor) {
        read_all(fd, bytes, sizeof bytes);
        return;
    }
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec text = {bytes, sizeof bytes};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    int passed;
    if (recvmsg(fd, &message, MSG_CMSG_CLOEXEC) <= 0 || !CMSG_FIRSTHDR(&message)) die("recvmsg");
    memcpy(&passed, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof passed);
    close(passed);
}

static void measure_round_trips(int with_descriptor) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) die("socketpair");
    pid_t server = fork();
    if (server < 0) die("fork");
    if (server == 0) {
        close(ends[0]);
        serve(ends[1], with_descriptor);
    }
    close(ends[1]);
    static const char bytes[64];
    static const long warm_up = 500;
    Samples samples = {0};
    for (long i = -warm_up; i < n; i++) {
        uint64_t sent = now_ns();
        write_all(ends[0], bytes, sizeof bytes);
        receive(ends[0], with_descriptor);
        if (i >= 0) add_sample(&samples, now_ns() - sent);
    }
    kill(server, SIGKILL);
    printf("{\"clients\":1");
    print_samples("", &samples);
}

static void drain(int (*pairs)[2], atomic_ullong *received) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    for (long i = 0; i < subscribers; i++) {
        close(pairs[i][0]);
        fcntl(pairs[i][1], F_SETFL, O_NONBLOCK);
        struct epoll_event interest = {.events = EPOLLIN, .data.fd = pairs[i][1]};
        epoll_ctl(epoll, EPOLL_CTL_ADD, pairs[i][1], &interest);
    }
    for (;;) {
        char bytes[65536];
        struct epoll_event ready[256];
        int count = epoll_wait(epoll, ready, 256, -1);
        for (int i = 0; i < count; i++) {
            ssize_t r = read(ready[i].data.fd, bytes, sizeof bytes);
            if (r == 0) _exit(0);
            if (r > 0) *received += (unsigned long long)r;
        }
    }
}

// One message to everybody, again when the last has it.
static void measure_fanout(void) {
    static const char bytes[160];
    int(*pairs)[2] = checked_realloc(NULL, (size_t)subscribers * sizeof *pairs);
    for (long i = 0; i < subscribers; i++)
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pairs[i])) die("socketpair");
    atomic_ullong *received = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (received == MAP_FAILED) die("mmap");
    pid_t drainer = fork();
    if (drainer < 0) die("fork");
    if (drainer == 0) drain(pairs, received);
    for (long i = 0; i < subscribers; i++) close(pairs[i][1]);
    uint64_t start = now_ns();
    for (long round = 1; round <= n; round++) {
        for (long i = 0; i < subscribers; i++)
            if (send(pairs[i][0], bytes, sizeof bytes, MSG_NOSIGNAL) != sizeof bytes) die("send");
        while (*received < (unsigned long long)round * (unsigned long long)subscribers * sizeof bytes) sleep_us(20);
    }
    double seconds = (double)(now_ns() - start) / 1e9;
    kill(drainer, SIGKILL);
    printf("{\"subscribers\":%ld,\"deliveries_per_s\":%.0f", subscribers, (double)n * (double)subscribers / seconds);
}

static void measure_open(void) {
    Samples samples = {0};
    int root = open_directory();
    for (long i = 0; i < n; i++) {
        uint64_t start = now_ns();
        close(open_beneath(root));
        add_sample(&samples, now_ns() - start);
    }
    printf("{\"clients\":1");
    print_samples("", &samples);
}

int main(int argc, char **argv) {
    for (int i = 2; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--n"))
            n = atol(argv[i + 1]);
        else if (!strcmp(argv[i], "--subscribers"))
            subscribers = atol(argv[i + 1]);
        else if (!strcmp(argv[i], "--file") && argv[i + 1][0] == '/')
            file = argv[i + 1];
        else
            argc = 0;
    }
    const char *what = argc > 1 ? argv[1] : "";
    raise_open_files();
    snprintf(directory, sizeof directory, "%.*s/", (int)(strrchr(file, '/') - file), file);
    if (!strcmp(what, "pingpong"))
        measure_round_trips(0);
    else if (!strcmp(what, "descriptor"))
        measure_round_trips(1);
    else if (!strcmp(what, "fanout"))
        measure_fanout();
    else if (!strcmp(what, "open"))
        measure_open();
    else {
        fprintf(stderr, "limits: see the top of limits.c\n");
        return 2;
    }
    printf("}\n");
    return 0;
}
