// What is measured: samples of durations, and what a process uses (proc(5)).
#pragma once
#include "common.h"

typedef struct {
    uint64_t *ns;
    size_t n, capacity;
} Samples;

static inline void add_sample(Samples *samples, uint64_t ns) {
    if (samples->n == samples->capacity) {
        samples->capacity = samples->capacity ? samples->capacity * 2 : 4096;
        samples->ns = checked_realloc(samples->ns, samples->capacity * sizeof *samples->ns);
    }
    samples->ns[samples->n++] = ns;
}

static inline int compare_ns(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// In microseconds, of sorted samples. The nearest rank: the smallest that at least p of 100 do not exceed.
static inline double percentile_us(const Samples *samples, size_t p) {
    size_t rank = (p * samples->n + 99) / 100;
    return (double)samples->ns[rank ? rank - 1 : 0] / 1000;
}

// Continues a JSON object: ,"PREFIXmin_us":...
static inline void print_samples(const char *prefix, Samples *samples) {
    printf(",\"%ssamples\":%zu", prefix, samples->n);
    if (!samples->n) return;
    qsort(samples->ns, samples->n, sizeof *samples->ns, compare_ns);
    const struct {
        const char *name;
        size_t p;
    } points[] = {{"min", 0}, {"p50", 50}, {"p90", 90}, {"p99", 99}, {"max", 100}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        printf(",\"%s%s_us\":%.1f", prefix, points[i].name, percentile_us(samples, points[i].p));
}

// Processor seconds of a process and all its threads.
static inline double process_cpu_s(pid_t pid) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = 0;
    // The name in parentheses may hold anything.
    char *rest = strrchr(text, ')');
    unsigned long user = 0, kernel = 0;
    if (!rest || sscanf(rest + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel) != 2) return 0;
    return (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
}

// A line of /proc/PID/status in kB, such as VmHWM, the most memory that was ever resident.
static inline long process_kb(pid_t pid, const char *key) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    long kb = 0;
    size_t length = strlen(key);
    while (!kb && fgets(line, sizeof line, file))
        if (!strncmp(line, key, length) && line[length] == ':') kb = atol(line + length + 1);
    fclose(file);
    return kb;
}
