// How long from a photograph's appearance until a subscriber has been told?
//
//   evbench --photos DIRECTORY --dir D --op rename|close --source S --peer NAME
//           [--send-file FILE] [--ready TEXT] [--n 100] [--warm-up 10] [--gap-us 1000] [--timeout-ms 5000]
//
// Copies of the photographs appear in D, one after another, each when the one before was told: by rename(2)
// of a whole file from D.staging, which nobody watches (t0 is before rename, the rename itself included), or
// by close(2) after writing in place (t0 is before close). They are called evt-NNNNNNN.jpg, and the first
// time that name is seen in the source's bytes is the end of the measurement; so any watcher can be measured
// without knowing its format. Sources:
//
//   inotify        an inotify queue of this process: the floor
//   cmd:COMMAND    the output of a command (sh -c)
//   unix:PATH      a Unix socket, which is sent the bytes of --send-file
//
// With --ready, nothing appears before that text was seen. Prints one JSON object. Ends with 1 if a file
// was not told in time.
#include "common.h"
#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/wait.h>

static struct {
    const char *photos, *dir, *op, *source, *peer, *send_file, *ready;
    long n, warm_up, gap_us, timeout_ms;
} options = {.op = "rename", .peer = "?", .n = 100, .warm_up = 10, .gap_us = 1000, .timeout_ms = 5000};

// What the reading thread has seen, under the lock.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static uint64_t *seen_ns; // per file, 0 while unseen
static int is_ready, is_closed;
static int source_fd;

// Notes the names in the first n bytes; returns how many at the end may be the start of another.
static size_t scan(const char *bytes, size_t n, uint64_t now, long files) {
    static const size_t length = sizeof "evt-0000000" - 1;
    size_t at = 0;
    for (const char *p; n - at >= length && (p = memmem(bytes + at, n - at, "evt-", 4));) {
        at = (size_t)(p - bytes);
        if (n - at < length) return n - at;
        char *end;
        long i = strtol(p + 4, &end, 10);
        if (end == p + length && i < files && !seen_ns[i]) seen_ns[i] = now;
        at += 4;
    }
    size_t rest = n - at;
    return rest < length ? rest : length - 1;
}

static void *read_source(void *files) {
    static char buffer[1 << 18];
    size_t kept = 0;
    for (;;) {
        ssize_t r = read(source_fd, buffer + kept, sizeof buffer - 1 - kept);
        uint64_t now = now_ns();
        if (r < 0 && errno == EINTR) continue;
        pthread_mutex_lock(&lock);
        if (r > 0) {
            size_t n = kept + (size_t)r;
            if (options.ready && memmem(buffer, n, options.ready, strlen(options.ready))) is_ready = 1;
            kept = scan(buffer, n, now, *(const long *)files);
            // While --ready is awaited, keep enough to find it across two reads.
            if (!is_ready && options.ready && kept < strlen(options.ready)) kept = strlen(options.ready);
            if (kept > n) kept = n;
            memmove(buffer, buffer + n - kept, kept);
        } else
            is_closed = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        if (r <= 0) return NULL;
    }
}

// Waits until *flag is set. Returns whether it was, before the source closed and in time.
static int await_uint64(const uint64_t *flag, const int *or_flag) {
    uint64_t until = now_ns() + (uint64_t)options.timeout_ms * 1000000u;
    struct timespec ts = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
    pthread_mutex_lock(&lock);
    int status = 0;
    while (!(flag ? *flag != 0 : *or_flag) && !is_closed && status == 0)
        status = pthread_cond_timedwait(&changed, &lock, &ts);
    int is_set = flag ? *flag != 0 : *or_flag;
    pthread_mutex_unlock(&lock);
    return is_set;
}

static pid_t open_source(void) {
    pid_t child = 0;
    if (!strcmp(options.source, "inotify")) {
        source_fd = inotify_init1(IN_CLOEXEC);
        if (source_fd < 0 || inotify_add_watch(source_fd, options.dir, IN_CLOSE_WRITE | IN_MOVED_TO) < 0)
            die("inotify");
    } else if (!strncmp(options.source, "cmd:", 4)) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC)) die("pipe2");
        child = fork();
        if (child < 0) die("fork");
        if (child == 0) {
            dup2(ends[1], STDOUT_FILENO);
            execl("/bin/sh", "sh", "-c", options.source + 4, (char *)NULL);
            _exit(127);
        }
        close(ends[1]);
        source_fd = ends[0];
    } else if (!strncmp(options.source, "unix:", 5)) {
        source_fd = unix_connect(options.source + 5);
        if (options.send_file) {
            size_t n;
            char *bytes = read_file(options.send_file, &n);
            write_all(source_fd, bytes, n);
            free(bytes);
        }
    } else {
        fprintf(stderr, "evbench: no such source: %s\n", options.source);
        exit(2);
    }
    return child;
}

// The photographs: regular files of the directory, in order of their names.
static struct dirent **photo_names;
static int photo_count;
static int is_photo(const struct dirent *entry) { return entry->d_name[0] != '.' && entry->d_type == DT_REG; }

// Makes the i-th file appear. Returns t0.
static uint64_t appear(long i) {
    char from[4096], path[4096], staged[4096];
    const char *name = photo_names[i % photo_count]->d_name, *suffix = strrchr(name, '.');
    snprintf(from, sizeof from, "%s/%s", options.photos, name);
    snprintf(path, sizeof path, "%s/evt-%07ld%s", options.dir, i, suffix ? suffix : "");
    snprintf(staged, sizeof staged, "%s.staging/evt-%07ld%s", options.dir, i, suffix ? suffix : "");
    size_t n;
    char *bytes = read_file(from, &n);
    int by_rename = !strcmp(options.op, "rename");
    int fd = open(by_rename ? staged : path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (fd < 0) die(path);
    write_all(fd, bytes, n);
    free(bytes);
    // What the writing itself woke up is over before the clock starts.
    if (by_rename) close(fd);
    sleep_us((uint64_t)options.gap_us);
    uint64_t t0 = now_ns();
    if (by_rename ? rename(staged, path) : close(fd)) die(path);
    return t0;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The nearest rank: the smallest sample that at least p of 100 do not exceed.
static double percentile(const double *sorted, long n, long p) {
    long rank = (p * n + 99) / 100;
    return sorted[rank > 0 ? rank - 1 : 0];
}

static void parse(int argc, char **argv) {
    const struct {
        const char *name, **text;
        long *number;
    } known[] = {
        {"--photos", &options.photos, NULL},       {"--dir", &options.dir, NULL},
        {"--op", &options.op, NULL},               {"--source", &options.source, NULL},
        {"--peer", &options.peer, NULL},           {"--send-file", &options.send_file, NULL},
        {"--ready", &options.ready, NULL},         {"--n", NULL, &options.n},
        {"--warm-up", NULL, &options.warm_up},     {"--gap-us", NULL, &options.gap_us},
        {"--timeout-ms", NULL, &options.timeout_ms},
    };
    for (int i = 1; i < argc; i += 2) {
        size_t k = 0, count = sizeof known / sizeof *known;
        while (k < count && strcmp(argv[i], known[k].name)) k++;
        if (k == count || i + 1 == argc) {
            fprintf(stderr, "evbench: %s? See the top of evbench.c\n", argv[i]);
            exit(2);
        }
        if (known[k].text)
            *known[k].text = argv[i + 1];
        else
            *known[k].number = atol(argv[i + 1]);
    }
    if (!options.photos || !options.dir || !options.source || options.n < 1) {
        fprintf(stderr, "evbench: --photos, --dir and --source are needed\n");
        exit(2);
    }
}

int main(int argc, char **argv) {
    parse(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    photo_count = scandir(options.photos, &photo_names, is_photo, alphasort);
    if (photo_count <= 0) {
        fprintf(stderr, "evbench: no photographs in %s\n", options.photos);
        return 2;
    }
    char staging[4096];
    snprintf(staging, sizeof staging, "%s.staging", options.dir);
    if (mkdir(staging, 0755) && errno != EEXIST) die(staging);

    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &monotonic);
    long files = options.warm_up + options.n;
    seen_ns = calloc((size_t)files, sizeof *seen_ns);
    double *us = calloc((size_t)options.n, sizeof *us);
    if (!seen_ns || !us) die("calloc");

    pid_t child = open_source();
    pthread_t reader;
    if (pthread_create(&reader, NULL, read_source, &files)) die("pthread_create");
    if (options.ready && !await_uint64(NULL, &is_ready)) {
        fprintf(stderr, "evbench: %s never said %s\n", options.peer, options.ready);
        return 1;
    }

    long measured = 0, lost = 0;
    for (long i = 0; i < files; i++) {
        uint64_t t0 = appear(i);
        int was_told = await_uint64(&seen_ns[i], NULL);
        if (i < options.warm_up) continue;
        if (was_told)
            // Whoever tells before the file is closed tells of half a file; count it as at once.
            us[measured++] = seen_ns[i] > t0 ? (double)(seen_ns[i] - t0) / 1000 : 0;
        else
            lost++;
    }
    if (child > 0) {
        kill(child, SIGTERM);
        waitpid(child, NULL, 0);
    }
    qsort(us, (size_t)measured, sizeof *us, compare);
    printf("{\"bench\":\"latency-%s\",\"peer\":\"%s\",\"n\":%ld,\"lost\":%ld", options.op, options.peer, measured, lost);
    if (measured)
        printf(",\"min_us\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"max_us\":%.1f", us[0],
               percentile(us, measured, 50), percentile(us, measured, 99), us[measured - 1]);
    printf("}\n");
    return lost > 0;
}
