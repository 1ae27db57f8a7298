// Requests and replies over a Unix socket.
//
//   reqbench SOCKET --request-file F [--hello-file F] [--end nl|nul] [--clients K] [--n 50000] [--pid PID]
//            [--per-s N] [--errors 1] [--also-file F] [--warm 500]
//   reqbench SOCKET --request-file F --until TEXT [--also-file F] [--gap-us 1000] [--every 100]
//   reqbench SOCKET --request-file F --stream TEXT [--pid PID]
//   reqbench SOCKET --each-file F [--end nl|nul] [--pid PID]
//
// Every client sends a request when the one before was answered; a reply ends with a newline or a NUL, and
// descriptors that come with it are closed. --hello-file is sent once per connection and answered once. With
// several clients one process serves them all through epoll, so that it costs little beside the server.
//
// --warm: so many requests come first that are not measured. --each-file: each request in it is asked once, in their order.
// --per-s: one client asks no more often than this. --errors: a reply may be an error.
// --also-file, with one client: asks that in between, in no order that one could tell beforehand; its samples are "also_".
// --until: asks until a reply contains the text, and in between EVERY times what is in --also-file, with a pause before
// each; the samples are of those, the samples "until_" of the others. "first_ns" and "until_ns" say when the first reply
// and the last one were there, by the monotonic clock.
// --stream: asks once; the answer is many replies, all but the last with "continues":true. Counts the text.
//
// Prints one JSON object.
#include "measure.h"
#include <sys/epoll.h>

enum { buffer_size = 1 << 20 };

typedef struct {
    int fd;
    size_t n;
    char *buffer;
    uint64_t sent_ns;
} Client;

static struct {
    const char *request_file, *hello_file, *end, *until, *also_file, *each_file, *stream;
    long clients, n, pid, gap_us, every, per_s, errors, warm;
} options = {.end = "nul", .clients = 1, .n = 50000, .gap_us = 1000, .every = 100, .warm = 500};

static char *request;
static size_t request_n;
static char end_of_reply;
static long descriptors;

// Returns whether something was there.
static int receive(Client *client) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(16 * sizeof(int))];
    } control;
    struct iovec rest = {client->buffer + client->n, buffer_size - client->n};
    struct msghdr message = {
        .msg_iov = &rest, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t r = recvmsg(client->fd, &message, MSG_CMSG_CLOEXEC);
    if (r < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (r <= 0) {
        fprintf(stderr, "reqbench: the server closed the connection\n");
        exit(1);
    }
    client->n += (size_t)r;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        for (size_t i = 0; i < (header->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
            close(fd);
            descriptors++;
        }
    }
    return 1;
}

// The length of the first reply in the buffer, its end included; 0 when it is not there.
static size_t reply_length(const Client *client) {
    const char *end = memchr(client->buffer, end_of_reply, client->n);
    return end ? (size_t)(end - client->buffer) + 1 : 0;
}

static void drop_reply(Client *client, size_t length) {
    client->n -= length;
    memmove(client->buffer, client->buffer + length, client->n);
}

// Waits for a reply, and returns its length.
static size_t await_reply(Client *client) {
    size_t length;
    while (!(length = reply_length(client))) {
        if (client->n == buffer_size) {
            fprintf(stderr, "reqbench: a reply of more than %d bytes\n", buffer_size);
            exit(1);
        }
        receive(client);
    }
    return length;
}

static void refuse_error(const Client *client, size_t length) {
    if (options.errors) return;
    if (!memmem(client->buffer, length, "\"error\"", 7) && memcmp(client->buffer, "ERR", 3)) return;
    fprintf(stderr, "reqbench: %.*s\n", (int)length, client->buffer);
    exit(1);
}

static Client open_client(const char *socket) {
    Client client = {.fd = unix_connect(socket), .buffer = checked_realloc(NULL, buffer_size)};
    if (options.hello_file) {
        size_t n;
        char *hello = read_file(options.hello_file, &n);
        write_all(client.fd, hello, n);
        free(hello);
        size_t length = await_reply(&client);
        refuse_error(&client, length);
        drop_reply(&client, length);
    }
    return client;
}

static void call(Client *client, const char *text, size_t n) {
    write_all(client->fd, text, n);
    size_t length = await_reply(client);
    refuse_error(client, length);
    drop_reply(client, length);
}

static void call_one_by_one(Client *client, Samples *samples, Samples *also_samples) {
    char *also = request;
    size_t also_n = request_n;
    if (options.also_file) also = read_file(options.also_file, &also_n);
    uint32_t random = 1;
    uint64_t start = now_ns();
    for (long i = 0; i < options.n; i++) {
        if (options.per_s) sleep_until(start + (uint64_t)i * 1000000000 / (uint64_t)options.per_s);
        random = random * 1664525 + 1013904223;
        int is_other = options.also_file && random >> 31;
        uint64_t sent = now_ns();
        call(client, is_other ? also : request, is_other ? also_n : request_n);
        add_sample(is_other ? also_samples : samples, now_ns() - sent);
    }
}

static void send_request(Client *client) {
    client->sent_ns = now_ns();
    write_all(client->fd, request, request_n);
}

static void call_together(Client *clients, Samples *samples) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    for (long i = 0; i < options.clients; i++) {
        fcntl(clients[i].fd, F_SETFL, O_NONBLOCK);
        struct epoll_event interest = {.events = EPOLLIN, .data.ptr = &clients[i]};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, clients[i].fd, &interest)) die("epoll_ctl");
        send_request(&clients[i]);
    }
    for (long sent = options.clients, done = 0; done < sent;) {
        struct epoll_event ready[64];
        int n = epoll_wait(epoll, ready, 64, -1);
        for (int i = 0; i < n; i++) {
            Client *client = ready[i].data.ptr;
            if (!receive(client)) continue;
            for (size_t length; (length = reply_length(client)); done++) {
                drop_reply(client, length);
                add_sample(samples, now_ns() - client->sent_ns);
                if (sent < options.n) {
                    send_request(client);
                    sent++;
                }
            }
        }
    }
}

static void measure_calls(const char *socket) {
    Client *clients = checked_realloc(NULL, (size_t)options.clients * sizeof *clients);
    for (long i = 0; i < options.clients; i++) clients[i] = open_client(socket);
    for (long i = 0; i < options.warm; i++) call(&clients[i % options.clients], request, request_n);
    descriptors = 0;
    Samples samples = {0}, also_samples = {0};
    double cpu = process_cpu_s((pid_t)options.pid);
    uint64_t start = now_ns();
    if (options.clients == 1)
        call_one_by_one(clients, &samples, &also_samples);
    else
        call_together(clients, &samples);
    double seconds = (double)(now_ns() - start) / 1e9;
    printf("{\"clients\":%ld,\"descriptors\":%ld,\"per_s\":%.0f,\"cpu_s\":%.2f", options.clients, descriptors,
           (double)samples.n / seconds, process_cpu_s((pid_t)options.pid) - cpu);
    print_samples("", &samples);
    if (options.also_file) print_samples("also_", &also_samples);
}

static void measure_each(const char *socket) {
    Client client = open_client(socket);
    size_t n;
    char *all = read_file(options.each_file, &n), *end = all + n;
    Samples samples = {0};
    double cpu = process_cpu_s((pid_t)options.pid);
    uint64_t start = now_ns();
    for (char *p = all, *next; p < end && (next = memchr(p, end_of_reply, (size_t)(end - p))); p = next + 1) {
        uint64_t sent = now_ns();
        call(&client, p, (size_t)(next + 1 - p));
        add_sample(&samples, now_ns() - sent);
    }
    double seconds = (double)(now_ns() - start) / 1e9;
    printf("{\"descriptors\":%ld,\"per_s\":%.0f,\"cpu_s\":%.2f", descriptors, (double)samples.n / seconds,
           process_cpu_s((pid_t)options.pid) - cpu);
    print_samples("", &samples);
}

static void measure_until(const char *socket) {
    Client client = open_client(socket);
    Samples samples = {0}, until_samples = {0};
    char *also = request;
    size_t also_n = request_n;
    if (options.also_file) also = read_file(options.also_file, &also_n);
    uint64_t first = 0, now = 0;
    int is_over = 0;
    for (long i = 0; !is_over; i++) {
        int is_other = i % (options.every + 1) != 0;
        uint64_t sent = now_ns();
        write_all(client.fd, is_other ? also : request, is_other ? also_n : request_n);
        size_t length = await_reply(&client);
        now = now_ns();
        add_sample(is_other ? &samples : &until_samples, now - sent);
        if (!first) first = now;
        refuse_error(&client, length);
        is_over = !is_other && memmem(client.buffer, length, options.until, strlen(options.until));
        drop_reply(&client, length);
        if (!is_over) sleep_us((uint64_t)options.gap_us);
    }
    printf("{\"first_ns\":%llu,\"until_ns\":%llu", (unsigned long long)first, (unsigned long long)now);
    print_samples("", &samples);
    print_samples("until_", &until_samples);
}

static void measure_stream(const char *socket) {
    Client client = open_client(socket);
    long before_kb = process_kb((pid_t)options.pid, "VmRSS"), count = 0, replies = 0;
    unsigned long long bytes = 0;
    double cpu = process_cpu_s((pid_t)options.pid);
    uint64_t start = now_ns();
    write_all(client.fd, request, request_n);
    for (int continues = 1; continues; replies++) {
        size_t length = await_reply(&client);
        refuse_error(&client, length);
        const char *end = client.buffer + length;
        for (const char *p = client.buffer; (p = memmem(p, (size_t)(end - p), options.stream, strlen(options.stream)));
             p += strlen(options.stream))
            count++;
        continues = memmem(client.buffer, length, "\"continues\":true", 16) != NULL;
        bytes += length;
        drop_reply(&client, length);
    }
    double seconds = (double)(now_ns() - start) / 1e9;
    printf("{\"count\":%ld,\"replies\":%ld,\"bytes\":%llu,\"seconds\":%.3f,\"per_s\":%.0f,\"cpu_s\":%.2f,\"before_kb\":%ld,"
           "\"peak_kb\":%ld",
           count, replies, bytes, seconds, (double)count / seconds, process_cpu_s((pid_t)options.pid) - cpu, before_kb,
           process_kb((pid_t)options.pid, "VmHWM"));
}

int main(int argc, char **argv) {
    const struct {
        const char *name, **text;
        long *number;
    } known[] = {
        {"--request-file", &options.request_file, NULL}, {"--hello-file", &options.hello_file, NULL},
        {"--end", &options.end, NULL},                   {"--until", &options.until, NULL},
        {"--stream", &options.stream, NULL},             {"--clients", NULL, &options.clients},
        {"--n", NULL, &options.n},                       {"--pid", NULL, &options.pid},
        {"--gap-us", NULL, &options.gap_us},             {"--also-file", &options.also_file, NULL},
        {"--every", NULL, &options.every},               {"--per-s", NULL, &options.per_s},
        {"--errors", NULL, &options.errors},             {"--each-file", &options.each_file, NULL},
        {"--warm", NULL, &options.warm},
    };
    for (int i = 2; i < argc; i += 2) {
        size_t k = 0, count = sizeof known / sizeof *known;
        while (k < count && strcmp(argv[i], known[k].name)) k++;
        if (k == count || i + 1 == argc) {
            fprintf(stderr, "reqbench: %s? See the top of reqbench.c\n", argv[i]);
            return 2;
        }
        if (known[k].text)
            *known[k].text = argv[i + 1];
        else
            *known[k].number = atol(argv[i + 1]);
    }
    if (!(options.request_file || options.each_file) || options.clients < 1 || options.n < options.clients) {
        fprintf(stderr, "reqbench: SOCKET and --request-file or --each-file are needed. See the top of reqbench.c\n");
        return 2;
    }
    raise_open_files();
    if (options.request_file) request = read_file(options.request_file, &request_n);
    end_of_reply = strcmp(options.end, "nl") ? 0 : '\n';
    if (options.each_file)
        measure_each(argv[1]);
    else if (options.until)
        measure_until(argv[1]);
    else if (options.stream)
        measure_stream(argv[1]);
    else
        measure_calls(argv[1]);
    printf("}\n");
    return 0;
}
