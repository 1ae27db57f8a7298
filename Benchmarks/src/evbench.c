// What does a subscriber see of files that appear?
//
//   evbench latency   one file after another, each when the one before was told
//   evbench burst     many files at once, in many directories
//   evbench fanout    one file, or a batch, to many subscribers
//
// Files are called evt-NNNNNNN.jpg, and the first time that name is seen in the source's bytes is when it was
// told; so any watcher can be measured without knowing its format. Sources (--source):
//
//   inotify        an inotify queue of this process: the floor
//   cmd:COMMAND    the output of a command (sh -c; exec it, so that its process is the watcher)
//   unix:PATH      a Unix socket, which is sent the bytes of each --send-file; one answer is awaited between
//
// For all: --dir D (where files appear), --ready TEXT (nothing appears before every connection said so),
// --settle-ms MS (how long to wait after that), --pid PID (whose processor time and memory is reported),
// --n FILES, --timeout-ms MS.
//
//   latency  --op rename|close  --staging DIR  --photos DIR  --warm-up N  --gap-us US
//            rename: of a whole file, from DIR, which nobody watches; t0 is before rename(2).
//            close: of a file written in place; t0 is before close(2).
//            With --photos, files are copies of the ones there; else 4 KiB.
//   burst    --dirs N  [--new-dirs]  [--stop]  --quiet-ms MS
//            --new-dirs makes the directories during the burst. --stop stops the watcher (SIGSTOP) while files
//            are made, so that the kernel's queue overflows for certain, and continues it then. It ends when
//            all were told, or when nothing came for --quiet-ms.
//   fanout   --subscribers N  --batch FILES  --stuck N  --warm-up N  --gap-us US  --staging DIR
//            --stuck adds subscribers that never read.
//
// Prints one JSON object; a file that was not told is counted as lost.
#include "measure.h"
#include <ctype.h>
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/wait.h>

enum { send_capacity = 4, buffer_size = 1 << 17, event_path = 4096 };

static struct {
    const char *mode, *dir, *staging, *source, *op, *photos, *ready, *send_files[send_capacity];
    long n, dirs, warm_up, gap_us, settle_ms, timeout_ms, quiet_ms, subscribers, batch, stuck, pid, sends;
    int new_dirs, stop;
} options = {.op = "rename", .n = 100, .dirs = 100, .gap_us = 1000, .settle_ms = 300, .timeout_ms = 10000,
             .quiet_ms = 3000, .subscribers = 1, .batch = 1};

typedef struct {
    int fd, is_ready;
    size_t kept; // bytes of the buffer that the next read belongs behind
    char *buffer;
    unsigned char *told; // a bit per file
} Connection;

static Connection *connections;
static long connection_count, file_count;
static int epoll_fd;
static pid_t watcher;

// Written by the thread that makes files, read by the reader.
static uint64_t *made_ns;
// Written by the reader.
static uint64_t *told_ns;                // per file: when the first connection was told
static atomic_uint *told_by;             // per file: how many connections were
static atomic_long told_by_all, mentions, ready_count, waited_for;
static atomic_ullong last_told_ns, stream_bytes;
static atomic_int is_over;
static Samples deliveries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t progressed;

static void note(Connection *connection, long i, uint64_t now) {
    mentions++;
    if (i >= file_count || connection->told[i / 8] & (1 << i % 8)) return;
    connection->told[i / 8] |= (unsigned char)(1 << i % 8);
    if (i >= options.warm_up && connection_count > 1) add_sample(&deliveries, now - made_ns[i]);
    unsigned count = ++told_by[i];
    if (count == 1) told_ns[i] = now;
    if (count < (unsigned)connection_count) return;
    told_by_all++;
    last_told_ns = now;
    if (waited_for != i) return;
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&progressed);
    pthread_mutex_unlock(&lock);
}

// Notes the names in the first n bytes; returns how many at the end may be the start of another.
static size_t scan(Connection *connection, size_t n, uint64_t now) {
    static const size_t length = sizeof "evt-0000000" - 1;
    const char *bytes = connection->buffer;
    size_t at = 0;
    for (const char *p; n - at >= length && (p = memmem(bytes + at, n - at, "evt-", 4));) {
        at = (size_t)(p - bytes);
        if (n - at < length) return n - at;
        long i = 0;
        size_t digits = 0;
        while (digits < 7 && isdigit((unsigned char)p[4 + digits])) i = i * 10 + p[4 + digits++] - '0';
        if (digits == 7) note(connection, i, now);
        at += 4 + digits;
    }
    return n - at < length ? n - at : length - 1;
}

static void read_connection(Connection *connection) {
    ssize_t r = read(connection->fd, connection->buffer + connection->kept, buffer_size - connection->kept);
    uint64_t now = now_ns();
    if (r < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (r <= 0) {
        epoll_ctl(epoll_fd, EPOLL_CTL_DEL, connection->fd, NULL);
        if (!is_over) fprintf(stderr, "evbench: the source closed\n");
        return;
    }
    stream_bytes += (unsigned long long)r;
    size_t n = connection->kept + (size_t)r;
    size_t kept = scan(connection, n, now);
    if (!connection->is_ready) {
        if (!options.ready || memmem(connection->buffer, n, options.ready, strlen(options.ready))) {
            connection->is_ready = 1;
            ready_count++;
        } else if (kept < strlen(options.ready)) {
            kept = strlen(options.ready) < n ? strlen(options.ready) : n;
        }
    }
    memmove(connection->buffer, connection->buffer + n - kept, kept);
    connection->kept = kept;
}

static void *read_source(void *unused) {
    (void)unused;
    struct epoll_event ready[256];
    while (!is_over) {
        int n = epoll_wait(epoll_fd, ready, 256, 100);
        for (int i = 0; i < n; i++) read_connection(ready[i].data.ptr);
    }
    return NULL;
}

// Whether every connection is told of the file in time.
static int await(long i, uint64_t until) {
    struct timespec ts = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
    pthread_mutex_lock(&lock);
    waited_for = i;
    int status = 0;
    while (told_by[i] < (unsigned)connection_count && !status)
        status = pthread_cond_timedwait(&progressed, &lock, &ts);
    waited_for = -1;
    pthread_mutex_unlock(&lock);
    return told_by[i] >= (unsigned)connection_count;
}

// --- Sources

static int open_inotify(void) {
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    uint32_t mask = IN_CLOSE_WRITE | IN_MOVED_TO;
    if (fd < 0 || inotify_add_watch(fd, options.dir, mask) < 0) die("inotify");
    for (long d = 0; !strcmp(options.mode, "burst") && d < options.dirs; d++) {
        char path[event_path];
        snprintf(path, sizeof path, "%s/album-%03ld", options.dir, d);
        if (inotify_add_watch(fd, path, mask) < 0) die(path);
    }
    return fd;
}

static int open_command(const char *command) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) die("pipe2");
    watcher = fork();
    if (watcher < 0) die("fork");
    if (watcher == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    options.pid = watcher;
    return ends[0];
}

static int open_socket(const char *path) {
    int fd = unix_connect(path);
    for (long i = 0; i < options.sends; i++) {
        char answer[65536];
        // Not every daemon reads on while it works on a command.
        if (i > 0 && poll(&(struct pollfd){fd, POLLIN, 0}, 1, 5000) > 0 && read(fd, answer, sizeof answer) < 0) die(path);
        size_t n;
        char *bytes = read_file(options.send_files[i], &n);
        write_all(fd, bytes, n);
        free(bytes);
    }
    return fd;
}

static int open_source(void) {
    if (!strcmp(options.source, "inotify")) return open_inotify();
    if (!strncmp(options.source, "cmd:", 4)) return open_command(options.source + 4);
    if (!strncmp(options.source, "unix:", 5)) return open_socket(options.source + 5);
    fprintf(stderr, "evbench: no such source: %s\n", options.source);
    exit(2);
}

static void connect_all(void) {
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    connection_count = options.subscribers;
    connections = checked_realloc(NULL, (size_t)connection_count * sizeof *connections);
    for (long i = 0; i < connection_count; i++) {
        Connection *connection = &connections[i];
        *connection = (Connection){.fd = open_source(), .buffer = checked_realloc(NULL, buffer_size)};
        connection->told = calloc(1, (size_t)file_count / 8 + 1);
        if (!connection->told) die("calloc");
        fcntl(connection->fd, F_SETFL, fcntl(connection->fd, F_GETFL) | O_NONBLOCK);
        struct epoll_event interest = {.events = EPOLLIN, .data.ptr = connection};
        if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, connection->fd, &interest)) die("epoll_ctl");
    }
    for (long i = 0; i < options.stuck; i++) open_source();
}

static void await_ready(void) {
    uint64_t until = now_ns() + 60000000000u;
    while (options.ready && ready_count < connection_count) {
        if (now_ns() > until) {
            fprintf(stderr, "evbench: %ld of %ld never said %s\n", connection_count - ready_count, connection_count,
                    options.ready);
            exit(1);
        }
        sleep_us(1000);
    }
    sleep_us((uint64_t)options.settle_ms * 1000);
}

// --- Files

static struct {
    char *bytes;
    size_t n;
} *contents;
static int content_count;

static int is_photo(const struct dirent *entry) { return entry->d_name[0] != '.' && entry->d_type == DT_REG; }

static void read_contents(void) {
    struct dirent **names = NULL;
    content_count = options.photos ? scandir(options.photos, &names, is_photo, alphasort) : 1;
    if (content_count <= 0) {
        fprintf(stderr, "evbench: no photographs in %s\n", options.photos);
        exit(2);
    }
    contents = checked_realloc(NULL, (size_t)content_count * sizeof *contents);
    for (int i = 0; i < content_count; i++) {
        if (options.photos) {
            char path[event_path];
            snprintf(path, sizeof path, "%s/%s", options.photos, names[i]->d_name);
            contents[i].bytes = read_file(path, &contents[i].n);
        } else {
            contents[i].n = 4096;
            contents[i].bytes = calloc(1, contents[i].n);
            if (!contents[i].bytes) die("calloc");
            memcpy(contents[i].bytes, "\xff\xd8\xff\xe0\0\x10JFIF", 10);
        }
    }
}

// Writes a new file; its descriptor.
static int write_file(const char *path, const void *bytes, size_t n) {
    int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (fd < 0) die(path);
    write_all(fd, bytes, n);
    return fd;
}

static void staged_path(char path[event_path], long i) {
    snprintf(path, event_path, "%s/evt-%07ld.jpg", options.staging, i);
}

static void stage(long i) {
    char path[event_path];
    staged_path(path, i);
    close(write_file(path, contents[i % content_count].bytes, contents[i % content_count].n));
}

static void appear(long i) {
    char path[event_path], staged[event_path];
    snprintf(path, sizeof path, "%s/evt-%07ld.jpg", options.dir, i);
    if (!strcmp(options.op, "rename")) {
        staged_path(staged, i);
        made_ns[i] = now_ns();
        if (rename(staged, path)) die(path);
    } else {
        int fd = write_file(path, contents[i % content_count].bytes, contents[i % content_count].n);
        // What the writing itself woke up is over before the clock starts.
        sleep_us((uint64_t)options.gap_us);
        made_ns[i] = now_ns();
        close(fd);
    }
}

static void make_directory(const char *path) {
    if (mkdir(path, 0755) && errno != EEXIST) die(path);
}

// --- What is measured

static uint64_t deadline(void) { return now_ns() + (uint64_t)options.timeout_ms * 1000000u; }

static void measure_latency(void) {
    Samples samples = {0};
    long lost = 0;
    double cpu = process_cpu_s((pid_t)options.pid);
    for (long i = 0; i < file_count; i++) {
        if (!strcmp(options.op, "rename")) stage(i);
        sleep_us((uint64_t)options.gap_us);
        appear(i);
        int was_told = await(i, deadline());
        if (i < options.warm_up) continue;
        if (!was_told)
            lost++;
        else // Whoever tells before the file is closed tells of half a file; count it as at once.
            add_sample(&samples, told_ns[i] > made_ns[i] ? told_ns[i] - made_ns[i] : 0);
    }
    printf("{\"files\":%ld,\"lost\":%ld,\"cpu_s\":%.2f", options.n, lost, process_cpu_s((pid_t)options.pid) - cpu);
    print_samples("", &samples);
}

static void measure_fanout(void) {
    Samples complete = {0};
    long lost = 0, step = options.batch;
    double cpu = 0, busy_s = 0;
    for (long i = 0; i < file_count; i++) stage(i);
    for (long i = 0; i < file_count; i += step) {
        if (i == options.warm_up) cpu = process_cpu_s((pid_t)options.pid);
        step = i < options.warm_up ? options.warm_up : options.batch;
        long end = i + step < file_count ? i + step : file_count;
        for (long k = i; k < end; k++) appear(k);
        uint64_t until = deadline();
        int was_told = 1;
        for (long k = i; k < end; k++) {
            int one = await(k, until);
            lost += !one && i >= options.warm_up;
            was_told &= one;
        }
        if (was_told && i >= options.warm_up) {
            add_sample(&complete, last_told_ns - made_ns[i]);
            busy_s += (double)(last_told_ns - made_ns[i]) / 1e9 / (double)(end - i);
        }
        sleep_us((uint64_t)options.gap_us);
    }
    is_over = 1;
    double per_s = busy_s > 0 ? (double)complete.n * (double)connection_count / busy_s : 0;
    printf("{\"subscribers\":%ld,\"files\":%ld,\"batch\":%ld,\"lost\":%ld,\"deliveries_per_s\":%.0f,\"cpu_s\":%.2f",
           connection_count, options.n, options.batch, lost, per_s, process_cpu_s((pid_t)options.pid) - cpu);
    print_samples("all_", &complete);
    print_samples("", &deliveries);
}

static void make_burst(void) {
    long per_directory = (file_count + options.dirs - 1) / options.dirs;
    for (long i = 0; i < file_count; i++) {
        char directory[event_path], path[event_path + 32];
        snprintf(directory, sizeof directory, "%s/album-%03ld", options.dir, i / per_directory);
        if (options.new_dirs && i % per_directory == 0) make_directory(directory);
        snprintf(path, sizeof path, "%s/evt-%07ld.jpg", directory, i);
        made_ns[i] = now_ns();
        close(write_file(path, "0123456789abcdef", 16));
    }
}

static void measure_burst(void) {
    double cpu = process_cpu_s((pid_t)options.pid);
    uint64_t start = now_ns();
    if (options.stop) kill((pid_t)options.pid, SIGSTOP);
    make_burst();
    if (options.stop) kill((pid_t)options.pid, SIGCONT);
    uint64_t made = now_ns(), quiet_since = made;
    for (unsigned long long bytes = 0; told_by_all < file_count;) {
        sleep_us(10000);
        if (stream_bytes != bytes) {
            bytes = stream_bytes;
            quiet_since = now_ns();
        } else if (now_ns() - quiet_since > (uint64_t)options.quiet_ms * 1000000u)
            break;
    }
    // Time for what comes twice.
    sleep_us(500000);
    double seconds = (double)(made - start) / 1e9;
    printf("{\"files\":%ld,\"dirs\":%ld,\"lost\":%ld,\"mentions\":%ld,\"stream_bytes\":%llu,\"made_per_s\":%.0f,"
           "\"last_told_s\":%.3f,\"lag_s\":%.3f,\"cpu_s\":%.2f,\"peak_kb\":%ld",
           file_count, options.dirs, file_count - told_by_all, mentions, (unsigned long long)stream_bytes,
           (double)file_count / seconds, last_told_ns > start ? (double)(last_told_ns - start) / 1e9 : 0,
           last_told_ns > made ? (double)(last_told_ns - made) / 1e9 : 0, process_cpu_s((pid_t)options.pid) - cpu,
           process_kb((pid_t)options.pid, "VmHWM"));
}

static void parse(int argc, char **argv) {
    const struct {
        const char *name, **text;
        long *number;
        int *flag;
    } known[] = {
        {"--dir", &options.dir, NULL, NULL},
        {"--staging", &options.staging, NULL, NULL},
        {"--source", &options.source, NULL, NULL},
        {"--op", &options.op, NULL, NULL},
        {"--photos", &options.photos, NULL, NULL},
        {"--ready", &options.ready, NULL, NULL},
        {"--n", NULL, &options.n, NULL},
        {"--dirs", NULL, &options.dirs, NULL},
        {"--warm-up", NULL, &options.warm_up, NULL},
        {"--gap-us", NULL, &options.gap_us, NULL},
        {"--settle-ms", NULL, &options.settle_ms, NULL},
        {"--timeout-ms", NULL, &options.timeout_ms, NULL},
        {"--quiet-ms", NULL, &options.quiet_ms, NULL},
        {"--subscribers", NULL, &options.subscribers, NULL},
        {"--batch", NULL, &options.batch, NULL},
        {"--stuck", NULL, &options.stuck, NULL},
        {"--pid", NULL, &options.pid, NULL},
        {"--new-dirs", NULL, NULL, &options.new_dirs},
        {"--stop", NULL, NULL, &options.stop},
    };
    options.mode = argc > 1 ? argv[1] : "";
    for (int i = 2; i < argc; i++) {
        size_t k = 0, count = sizeof known / sizeof *known;
        while (k < count && strcmp(argv[i], known[k].name)) k++;
        if (k < count && known[k].flag)
            *known[k].flag = 1;
        else if (i + 1 < argc && !strcmp(argv[i], "--send-file") && options.sends < send_capacity)
            options.send_files[options.sends++] = argv[++i];
        else if (i + 1 < argc && k < count && known[k].text)
            *known[k].text = argv[++i];
        else if (i + 1 < argc && k < count)
            *known[k].number = atol(argv[++i]);
        else {
            fprintf(stderr, "evbench: %s? See the top of evbench.c\n", argv[i]);
            exit(2);
        }
    }
    if (!options.dir || !options.source || options.n < 1 || options.dirs < 1 || options.subscribers < 1) {
        fprintf(stderr, "evbench: --dir and --source are needed. See the top of evbench.c\n");
        exit(2);
    }
}

int main(int argc, char **argv) {
    parse(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    raise_open_files();
    int is_burst = !strcmp(options.mode, "burst"), is_fanout = !strcmp(options.mode, "fanout");
    if (!is_burst && !is_fanout && strcmp(options.mode, "latency")) {
        fprintf(stderr, "evbench: latency, burst or fanout?\n");
        return 2;
    }
    file_count = options.n + (is_burst ? 0 : options.warm_up);
    made_ns = calloc((size_t)file_count, sizeof *made_ns);
    told_ns = calloc((size_t)file_count, sizeof *told_ns);
    told_by = calloc((size_t)file_count, sizeof *told_by);
    if (!made_ns || !told_ns || !told_by) die("calloc");
    waited_for = -1;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&progressed, &monotonic);

    make_directory(options.dir);
    if (options.staging) make_directory(options.staging);
    for (long d = 0; is_burst && !options.new_dirs && d < options.dirs; d++) {
        char path[event_path];
        snprintf(path, sizeof path, "%s/album-%03ld", options.dir, d);
        make_directory(path);
    }
    read_contents();
    connect_all();
    pthread_t reader;
    if (pthread_create(&reader, NULL, read_source, NULL)) die("pthread_create");
    await_ready();
    mentions = 0;

    if (is_burst)
        measure_burst();
    else if (is_fanout)
        measure_fanout();
    else
        measure_latency();
    printf("}\n");
    is_over = 1;
    pthread_join(reader, NULL);
    if (watcher > 0) {
        kill(watcher, SIGTERM);
        waitpid(watcher, NULL, 0);
    }
    return 0;
}
