// As much of the D-Bus protocol as the benchmarks need, without a library, so that the client costs little:
// building messages, and a connection that reads them (D-Bus Specification, "Message Protocol").
#pragma once
#include "common.h"

enum { dbus_call = 1, dbus_reply = 2, dbus_error = 3, dbus_signal = 4 };

typedef struct {
    uint8_t bytes[4096];
    size_t n;
} Bytes;

static inline void align(Bytes *b, size_t to) {
    while (b->n % to) b->bytes[b->n++] = 0;
}
static inline void put_u32(Bytes *b, uint32_t value) {
    align(b, 4);
    memcpy(b->bytes + b->n, &value, 4);
    b->n += 4;
}
static inline void put_u64(Bytes *b, uint64_t value) {
    align(b, 8);
    memcpy(b->bytes + b->n, &value, 8);
    b->n += 8;
}
static inline void put_text(Bytes *b, const char *text) {
    put_u32(b, (uint32_t)strlen(text));
    strcpy((char *)b->bytes + b->n, text);
    b->n += strlen(text) + 1;
}
static inline void put_signature(Bytes *b, const char *text) {
    b->bytes[b->n++] = (uint8_t)strlen(text);
    strcpy((char *)b->bytes + b->n, text);
    b->n += strlen(text) + 1;
}
// An array begins with its length, which is known only at its end. `element` is the alignment of its elements.
typedef struct {
    size_t length_at, start;
} Array;
static inline Array begin_array(Bytes *b, size_t element) {
    put_u32(b, 0);
    Array array = {.length_at = b->n - 4};
    align(b, element);
    array.start = b->n;
    return array;
}
static inline void end_array(Bytes *b, Array array) {
    uint32_t length = (uint32_t)(b->n - array.start);
    memcpy(b->bytes + array.length_at, &length, 4);
}
static inline void put_field(Bytes *b, int code, const char *type, const char *value) {
    if (!value) return;
    align(b, 8);
    b->bytes[b->n++] = (uint8_t)code;
    put_signature(b, type);
    if (*type == 'g')
        put_signature(b, value);
    else
        put_text(b, value);
}

typedef struct {
    const char *destination, *path, *interface, *member, *signature;
} Address;

static inline void build_message(Bytes *b, int type, uint32_t serial, Address to, const Bytes *body) {
    *b = (Bytes){.bytes = {'l', (uint8_t)type, 0, 1}, .n = 4};
    put_u32(b, body ? (uint32_t)body->n : 0);
    put_u32(b, serial);
    Array fields = begin_array(b, 8);
    put_field(b, 1, "o", to.path);
    put_field(b, 2, "s", to.interface);
    put_field(b, 3, "s", to.member);
    put_field(b, 6, "s", to.destination);
    put_field(b, 8, "g", to.signature);
    end_array(b, fields);
    align(b, 8);
    if (!body) return;
    memcpy(b->bytes + b->n, body->bytes, body->n);
    b->n += body->n;
}

typedef struct {
    int fd;
    size_t n;
    uint8_t buffer[1 << 16];
    uint64_t sent_ns;
} BusClient;

static uint32_t next_serial = 1;

// The length of a message, 0 when it is not all there.
static inline size_t message_length(const uint8_t *bytes, size_t n) {
    uint32_t body, fields;
    if (n < 16) return 0;
    memcpy(&body, bytes + 4, 4);
    memcpy(&fields, bytes + 12, 4);
    size_t length = 16 + ((fields + 7u) & ~7u) + body;
    return n >= length ? length : 0;
}

static inline void drop_message(BusClient *client, size_t length) {
    client->n -= length;
    memmove(client->buffer, client->buffer + length, client->n);
}

// Waits for a message at the start of the buffer, and returns its length.
static inline size_t await_message(BusClient *client) {
    for (;;) {
        size_t length = message_length(client->buffer, client->n);
        if (length) return length;
        ssize_t r = read(client->fd, client->buffer + client->n, sizeof client->buffer - client->n);
        if (r < 0 && errno == EINTR) continue;
        if (r <= 0) die("the bus closed the connection");
        client->n += (size_t)r;
    }
}

// Sends a call and waits for its answer. Signals in between are dropped.
static inline void call_bus(BusClient *client, const Bytes *message) {
    write_all(client->fd, message->bytes, message->n);
    for (;;) {
        size_t length = await_message(client);
        int type = client->buffer[1];
        if (type == dbus_error) {
            fprintf(stderr, "error: %.*s\n", (int)length, client->buffer);
            fwrite(client->buffer, 1, length, stderr);
            exit(1);
        }
        drop_message(client, length);
        if (type == dbus_reply) return;
    }
}

static const Address bus_itself = {"org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", NULL, NULL};

static inline BusClient *open_bus(const char *socket) {
    BusClient *client = calloc(1, sizeof *client);
    if (!client) die("calloc");
    client->fd = unix_connect(socket);
    char uid[16], line[128] = "AUTH EXTERNAL ", answer[256];
    snprintf(uid, sizeof uid, "%u", (unsigned)getuid());
    for (char *digit = uid; *digit; digit++) sprintf(line + strlen(line), "%02x", (unsigned)*digit);
    strcat(line, "\r\n");
    write_all(client->fd, "\0", 1);
    write_all(client->fd, line, strlen(line));
    size_t n = 0;
    while (n < 2 || memcmp(answer + n - 2, "\r\n", 2)) {
        ssize_t r = read(client->fd, answer + n, sizeof answer - n);
        if (r <= 0) die("AUTH");
        n += (size_t)r;
    }
    if (memcmp(answer, "OK ", 3)) {
        fprintf(stderr, "the bus refused: %.*s\n", (int)n, answer);
        exit(1);
    }
    write_all(client->fd, "BEGIN\r\n", 7);
    Bytes hello;
    Address to = bus_itself;
    to.member = "Hello";
    build_message(&hello, dbus_call, next_serial++, to, NULL);
    call_bus(client, &hello);
    return client;
}
