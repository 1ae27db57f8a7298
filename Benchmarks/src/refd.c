// refd DIRECTORY SOCKET: a daemon with albumd's outline (inotify, epoll, a Unix socket, a check of the
// peer's user, descriptors) and nothing else: the fairest yardstick. One thread; a line per request:
//
//   SUB         "OK", then a line "path size mtime" for every finished file, as many as one read(2) gave
//   PING        "OK"
//   STAT path   "size mtime", for a user in a list of 64
//   OPEN path   "OK" with a descriptor, for the same users, beneath the directory and through no link
#include "watch.h"
#include <linux/openat2.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>

typedef struct {
    int fd;
    uid_t uid;
    size_t n;
    char line[4096];
} Client;

static int root_fd;
static uid_t allowed_uids[64];
static Client **subscribers;
static size_t subscriber_count, subscriber_capacity;
static char out[1 << 20];
static size_t out_n;

static void unsubscribe(const Client *client) {
    for (size_t i = 0; i < subscriber_count; i++)
        if (subscribers[i] == client) {
            subscribers[i] = subscribers[--subscriber_count];
            return;
        }
}

// A subscriber that does not keep up misses lines: this is a yardstick, not an example.
static void flush(void) {
    if (!out_n) return;
    for (size_t i = 0; i < subscriber_count; i++)
        if (send(subscribers[i]->fd, out, out_n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EAGAIN)
            subscribers[i--] = subscribers[--subscriber_count];
    out_n = 0;
}

static void tell(const char *directory, const char *name) {
    char path[PATH_MAX];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (lstat(path, &st)) return;
    if (out_n + PATH_MAX + 64 > sizeof out) flush();
    out_n += (size_t)sprintf(out + out_n, "%s %lld %lld%09ld\n", path, (long long)st.st_size,
                             (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

static int is_allowed(uid_t uid) {
    for (size_t i = 0; i < sizeof allowed_uids / sizeof *allowed_uids; i++)
        if (allowed_uids[i] == uid) return 1;
    return 0;
}

static void send_descriptor(int to, int fd) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec text = {"OK\n", 3};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    if (sendmsg(to, &message, MSG_NOSIGNAL) < 0) perror("sendmsg");
}

static void serve_line(Client *client, const char *line) {
    char reply[256] = "OK\n";
    if (!strncmp(line, "STAT ", 5)) {
        struct stat st;
        if (!is_allowed(client->uid) || fstatat(root_fd, line + 5, &st, AT_SYMLINK_NOFOLLOW))
            strcpy(reply, "ERR\n");
        else
            sprintf(reply, "%lld %lld\n", (long long)st.st_size, (long long)st.st_mtim.tv_sec);
    } else if (!strncmp(line, "OPEN ", 5)) {
        struct open_how how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
        int fd = is_allowed(client->uid) ? (int)syscall(SYS_openat2, root_fd, line + 5, &how, sizeof how) : -1;
        if (fd >= 0) {
            send_descriptor(client->fd, fd);
            close(fd);
            return;
        }
        strcpy(reply, "ERR\n");
    } else if (!strcmp(line, "SUB")) {
        if (subscriber_count == subscriber_capacity) {
            subscriber_capacity = subscriber_capacity * 2 + 64;
            subscribers = checked_realloc(subscribers, subscriber_capacity * sizeof(Client *));
        }
        unsubscribe(client);
        subscribers[subscriber_count++] = client;
    }
    if (send(client->fd, reply, strlen(reply), MSG_NOSIGNAL) < 0) perror("send");
}

static void accept_clients(int listener, int epoll) {
    for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
        struct ucred peer;
        socklen_t length = sizeof peer;
        if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length)) die("SO_PEERCRED");
        Client *client = calloc(1, sizeof *client);
        if (!client) die("calloc");
        client->fd = fd;
        client->uid = peer.uid;
        struct epoll_event interest = {.events = EPOLLIN, .data.ptr = client};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &interest)) die("epoll_ctl");
    }
}

static void read_client(Client *client) {
    ssize_t r = read(client->fd, client->line + client->n, sizeof client->line - 1 - client->n);
    if (r < 0 && errno == EAGAIN) return;
    if (r <= 0) {
        unsubscribe(client);
        close(client->fd);
        free(client);
        return;
    }
    client->n += (size_t)r;
    client->line[client->n] = 0;
    char *start = client->line;
    for (char *end; (end = strchr(start, '\n')); start = end + 1) {
        *end = 0;
        serve_line(client, start);
    }
    client->n -= (size_t)(start - client->line);
    memmove(client->line, start, client->n);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: refd DIRECTORY SOCKET\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    raise_open_files();
    size_t last = sizeof allowed_uids / sizeof *allowed_uids - 1;
    for (size_t i = 0; i < last; i++) allowed_uids[i] = (uid_t)(100000 + i);
    allowed_uids[last] = getuid(); // the worst case
    root_fd = open(argv[1], O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root_fd < 0) die(argv[1]);
    watch_start(argv[1]);
    int listener = unix_listen(argv[2]), epoll = epoll_create1(EPOLL_CLOEXEC);
    // Clients are told apart from these two by their pointers.
    struct epoll_event interest = {.events = EPOLLIN, .data.ptr = &watch_fd}, ready[128];
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, watch_fd, &interest)) die("epoll_ctl");
    interest.data.ptr = &listener;
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &interest)) die("epoll_ctl");
    for (;;) {
        int n = epoll_wait(epoll, ready, 128, -1);
        for (int i = 0; i < n; i++) {
            if (ready[i].data.ptr == &watch_fd) {
                watch_read(tell);
                flush();
            } else if (ready[i].data.ptr == &listener)
                accept_clients(listener, epoll);
            else
                read_client(ready[i].data.ptr);
        }
    }
}
