// What do calls and signals over D-Bus cost?
//
//   busbench call SOCKET --what ping|lookup|polkit [--clients K] [--n 20000] [--pid PID]
//       ping     org.freedesktop.DBus.Peer.Ping, which the bus itself answers
//       lookup   Lookup of xdg-permission-store, of one app in one entry
//       polkit   CheckAuthorization of polkit, about a process of another user
//   busbench fanout SOCKET --subscribers N [--n 200] [--window 1] [--pid PID]
//       one publisher emits signals with a path of 120 bytes; at most WINDOW are in flight
//
// Prints one JSON object.
#include "dbus.h"
#include "measure.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>

static struct {
    const char *what;
    long clients, n, pid, subscribers, window;
} options = {.what = "ping", .clients = 1, .subscribers = 1, .window = 1};

// --- Calls

static pid_t subject;
static uint64_t subject_start;

// polkit asks about a process of a user who is not root, and wants to know when it was started.
static void start_subject(void) {
    static const uid_t nobody = 65534;
    int ends[2];
    if (pipe(ends)) die("pipe");
    subject = fork();
    if (subject < 0) die("fork");
    if (subject == 0) {
        if (getuid() == 0 && (setgid(nobody) || setuid(nobody))) _exit(1);
        if (write(ends[1], "", 1) != 1) _exit(1);
        for (;;) pause();
    }
    char path[64], text[1024];
    if (read(ends[0], text, 1) != 1) die("the subject");
    snprintf(path, sizeof path, "/proc/%d/stat", (int)subject);
    FILE *file = fopen(path, "re");
    if (!file) die(path);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    unsigned long long start = 0;
    char *rest = strrchr(text, ')');
    if (!rest || sscanf(rest + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &start) != 1)
        die(path);
    subject_start = start;
}

static const Address permission_store = {
    "org.freedesktop.impl.portal.PermissionStore", "/org/freedesktop/impl/portal/PermissionStore",
    "org.freedesktop.impl.portal.PermissionStore", NULL, NULL};

static void build_call(Bytes *message) {
    Bytes body = {.n = 0};
    Address to = bus_itself;
    if (!strcmp(options.what, "ping")) {
        to.interface = "org.freedesktop.DBus.Peer";
        to.member = "Ping";
        build_message(message, dbus_call, next_serial++, to, NULL);
    } else if (!strcmp(options.what, "lookup")) {
        to = permission_store;
        to.member = "Lookup";
        to.signature = "ss";
        put_text(&body, "documents");
        put_text(&body, "album");
        build_message(message, dbus_call, next_serial++, to, &body);
    } else {
        // (sa{sv}) subject, s action, a{ss} details, u flags, s cancellation
        align(&body, 8);
        put_text(&body, "unix-process");
        Array details = begin_array(&body, 8);
        put_text(&body, "pid");
        put_signature(&body, "u");
        put_u32(&body, (uint32_t)subject);
        align(&body, 8);
        put_text(&body, "start-time");
        put_signature(&body, "t");
        put_u64(&body, subject_start);
        align(&body, 8);
        put_text(&body, "uid");
        put_signature(&body, "i");
        put_u32(&body, getuid() == 0 ? 65534 : getuid());
        end_array(&body, details);
        put_text(&body, "org.freedesktop.policykit.exec");
        end_array(&body, begin_array(&body, 8));
        put_u32(&body, 0);
        put_text(&body, "");
        to = (Address){"org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
                       "org.freedesktop.PolicyKit1.Authority", "CheckAuthorization", "(sa{sv})sa{ss}us"};
        build_message(message, dbus_call, next_serial++, to, &body);
    }
}

// Something to look up: Set(table, create, id, app permissions a{sas}, data v).
static void set_permission(BusClient *client) {
    Bytes body = {.n = 0}, message;
    put_text(&body, "documents");
    put_u32(&body, 1);
    put_text(&body, "album");
    Array apps = begin_array(&body, 8);
    put_text(&body, "org.example.App");
    Array permissions = begin_array(&body, 4);
    put_text(&body, "read");
    put_text(&body, "write");
    end_array(&body, permissions);
    end_array(&body, apps);
    put_signature(&body, "s");
    put_text(&body, "");
    Address to = permission_store;
    to.member = "Set";
    to.signature = "sbsa{sas}v";
    build_message(&message, dbus_call, next_serial++, to, &body);
    call_bus(client, &message);
}

static void send_call(BusClient *client) {
    Bytes message;
    build_call(&message);
    client->sent_ns = now_ns();
    write_all(client->fd, message.bytes, message.n);
}

static void measure_calls(const char *socket) {
    if (!strcmp(options.what, "polkit")) start_subject();
    BusClient **clients = checked_realloc(NULL, (size_t)options.clients * sizeof(BusClient *));
    for (long i = 0; i < options.clients; i++) clients[i] = open_bus(socket);
    if (!strcmp(options.what, "lookup")) set_permission(clients[0]);
    Bytes message;
    for (long i = 0; i < 200; i++) {
        build_call(&message);
        call_bus(clients[i % options.clients], &message);
    }
    Samples samples = {0};
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    double cpu = process_cpu_s((pid_t)options.pid);
    uint64_t start = now_ns();
    if (options.clients == 1)
        for (long i = 0; i < options.n; i++) {
            build_call(&message);
            uint64_t sent = now_ns();
            call_bus(clients[0], &message);
            add_sample(&samples, now_ns() - sent);
        }
    else {
        for (long i = 0; i < options.clients; i++) {
            fcntl(clients[i]->fd, F_SETFL, O_NONBLOCK);
            struct epoll_event interest = {.events = EPOLLIN, .data.ptr = clients[i]};
            if (epoll_ctl(epoll, EPOLL_CTL_ADD, clients[i]->fd, &interest)) die("epoll_ctl");
            send_call(clients[i]);
        }
        for (long sent = options.clients, done = 0; done < sent;) {
            struct epoll_event ready[64];
            int n = epoll_wait(epoll, ready, 64, -1);
            for (int i = 0; i < n; i++) {
                BusClient *client = ready[i].data.ptr;
                ssize_t r = read(client->fd, client->buffer + client->n, sizeof client->buffer - client->n);
                if (r <= 0) continue;
                client->n += (size_t)r;
                for (size_t length; (length = message_length(client->buffer, client->n));) {
                    int type = client->buffer[1];
                    drop_message(client, length);
                    if (type == dbus_error) die("an error reply");
                    if (type != dbus_reply) continue;
                    add_sample(&samples, now_ns() - client->sent_ns);
                    done++;
                    if (sent < options.n) {
                        send_call(client);
                        sent++;
                    }
                }
            }
        }
    }
    double seconds = (double)(now_ns() - start) / 1e9;
    printf("{\"clients\":%ld,\"per_s\":%.0f,\"cpu_s\":%.2f", options.clients, (double)samples.n / seconds,
           process_cpu_s((pid_t)options.pid) - cpu);
    print_samples("", &samples);
    if (subject) kill(subject, SIGKILL);
}

// --- Signals

static BusClient **subscribers;
static int subscribers_epoll;
static uint64_t *emitted_ns, *complete_ns;
static atomic_long *received_by;
static atomic_int is_over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t completed = PTHREAD_COND_INITIALIZER;

static void note_signal(const uint8_t *message, size_t length, uint64_t now) {
    uint32_t body;
    uint64_t i;
    memcpy(&body, message + 4, 4);
    if (message[1] != dbus_signal || body < 100) return;
    memcpy(&i, message + length - body, sizeof i);
    if (i >= (uint64_t)options.n || ++received_by[i] < options.subscribers) return;
    pthread_mutex_lock(&lock);
    complete_ns[i] = now;
    pthread_cond_signal(&completed);
    pthread_mutex_unlock(&lock);
}

static void *read_signals(void *unused) {
    (void)unused;
    struct epoll_event ready[256];
    while (!is_over) {
        int n = epoll_wait(subscribers_epoll, ready, 256, 100);
        for (int k = 0; k < n; k++) {
            BusClient *client = ready[k].data.ptr;
            ssize_t r = read(client->fd, client->buffer + client->n, sizeof client->buffer - client->n);
            if (r <= 0) continue;
            uint64_t now = now_ns();
            client->n += (size_t)r;
            size_t at = 0;
            for (size_t length; (length = message_length(client->buffer + at, client->n - at)); at += length)
                note_signal(client->buffer + at, length, now);
            drop_message(client, at);
        }
    }
    return NULL;
}

static void await_signal(long i) {
    pthread_mutex_lock(&lock);
    while (i >= 0 && !complete_ns[i]) pthread_cond_wait(&completed, &lock);
    pthread_mutex_unlock(&lock);
}

static void measure_fanout(const char *socket) {
    size_t n = (size_t)options.n;
    emitted_ns = calloc(n, sizeof *emitted_ns);
    complete_ns = calloc(n, sizeof *complete_ns);
    received_by = calloc(n, sizeof *received_by);
    if (!emitted_ns || !complete_ns || !received_by) die("calloc");
    subscribers = checked_realloc(NULL, (size_t)options.subscribers * sizeof(BusClient *));
    subscribers_epoll = epoll_create1(EPOLL_CLOEXEC);
    Bytes message, body = {.n = 0};
    put_text(&body, "type='signal',interface='org.example.Album',member='Changed'");
    Address add_match = bus_itself;
    add_match.member = "AddMatch";
    add_match.signature = "s";
    for (long i = 0; i < options.subscribers; i++) {
        subscribers[i] = open_bus(socket);
        build_message(&message, dbus_call, next_serial++, add_match, &body);
        call_bus(subscribers[i], &message);
        fcntl(subscribers[i]->fd, F_SETFL, O_NONBLOCK);
        struct epoll_event interest = {.events = EPOLLIN, .data.ptr = subscribers[i]};
        if (epoll_ctl(subscribers_epoll, EPOLL_CTL_ADD, subscribers[i]->fd, &interest)) die("epoll_ctl");
    }
    BusClient *publisher = open_bus(socket);
    pthread_t reader;
    if (pthread_create(&reader, NULL, read_signals, NULL)) die("pthread_create");
    sleep_us(300000);

    char path[121];
    memset(path, 'p', 120);
    path[120] = 0;
    double cpu = process_cpu_s((pid_t)options.pid);
    uint64_t start = now_ns();
    Address changed = {NULL, "/org/example/Album", "org.example.Album", "Changed", "ts"};
    for (long i = 0; i < options.n; i++) {
        body.n = 0;
        put_u64(&body, (uint64_t)i);
        put_text(&body, path);
        build_message(&message, dbus_signal, next_serial++, changed, &body);
        await_signal(i - options.window);
        emitted_ns[i] = now_ns();
        write_all(publisher->fd, message.bytes, message.n);
    }
    await_signal(options.n - 1);
    double seconds = (double)(now_ns() - start) / 1e9;
    is_over = 1;
    pthread_join(reader, NULL);
    Samples complete = {0};
    for (long i = 0; i < options.n; i++) add_sample(&complete, complete_ns[i] - emitted_ns[i]);
    printf("{\"subscribers\":%ld,\"signals\":%ld,\"window\":%ld,\"deliveries_per_s\":%.0f,\"cpu_s\":%.2f", options.subscribers,
           options.n, options.window, (double)options.n * (double)options.subscribers / seconds,
           process_cpu_s((pid_t)options.pid) - cpu);
    print_samples("all_", &complete);
}

int main(int argc, char **argv) {
    const struct {
        const char *name;
        long *number;
    } known[] = {{"--clients", &options.clients},         {"--n", &options.n},           {"--pid", &options.pid},
                 {"--subscribers", &options.subscribers}, {"--window", &options.window}};
    for (int i = 3; i < argc; i += 2) {
        size_t k = 0, count = sizeof known / sizeof *known;
        while (k < count && strcmp(argv[i], known[k].name)) k++;
        if (i + 1 < argc && k < count)
            *known[k].number = atol(argv[i + 1]);
        else if (i + 1 < argc && !strcmp(argv[i], "--what"))
            options.what = argv[i + 1];
        else
            argc = 0;
    }
    if (argc < 3 || (strcmp(argv[1], "call") && strcmp(argv[1], "fanout"))) {
        fprintf(stderr, "busbench: see the top of busbench.c\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    raise_open_files();
    int is_fanout = !strcmp(argv[1], "fanout");
    if (!options.n) options.n = is_fanout ? 200 : 20000;
    if (is_fanout)
        measure_fanout(argv[2]);
    else
        measure_calls(argv[2]);
    printf("}\n");
    return 0;
}
