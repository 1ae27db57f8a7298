// Shared by the benchmark programs: the clock, files, Unix sockets.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static inline void die(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

// Nanoseconds of the monotonic clock.
static inline uint64_t now_ns(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static inline void sleep_us(uint64_t us) {
    struct timespec ts = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
    while (nanosleep(&ts, &ts) == -1 && errno == EINTR) {
    }
}

// By the clock of now_ns(); at once when it is over.
static inline void sleep_until(uint64_t ns) {
    struct timespec ts = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR) {
    }
}

static inline void *checked_realloc(void *p, size_t n) {
    p = realloc(p, n);
    if (!p) die("realloc");
    return p;
}

static inline void write_all(int fd, const void *bytes, size_t n) {
    const char *p = bytes;
    while (n) {
        ssize_t written = write(fd, p, n);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) die("write");
        p += written;
        n -= (size_t)written;
    }
}

// The whole file, allocated; its size in *n.
static inline char *read_file(const char *path, size_t *n) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) die(path);
    char *bytes = checked_realloc(NULL, (size_t)st.st_size + 1);
    for (*n = 0; *n < (size_t)st.st_size;) {
        ssize_t r = read(fd, bytes + *n, (size_t)st.st_size - *n);
        if (r <= 0) die(path);
        *n += (size_t)r;
    }
    close(fd);
    return bytes;
}

static inline struct sockaddr_un unix_address(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        die(path);
    }
    strcpy(address.sun_path, path);
    return address;
}

// Waits up to two seconds for somebody to listen there.
static inline int unix_connect(const char *path) {
    struct sockaddr_un address = unix_address(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) die("socket");
    for (int i = 0; i < 1000; i++) {
        if (!connect(fd, (struct sockaddr *)&address, sizeof address)) return fd;
        if (errno != ENOENT && errno != ECONNREFUSED && errno != EAGAIN) break;
        sleep_us(2000);
    }
    die(path);
    return -1;
}

static inline int unix_listen(const char *path) {
    struct sockaddr_un address = unix_address(path);
    unlink(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, 4096)) die(path);
    return fd;
}

// As many descriptors as are allowed: a subscriber is one.
static inline void raise_open_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) die("getrlimit");
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit)) die("setrlimit");
}
