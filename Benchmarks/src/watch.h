// A recursive inotify watcher without races: a new directory is watched first and listed then, so that a
// name may be told twice but never not at all. For rawwatch.c and refd.c.
#pragma once
#include "common.h"
#include <dirent.h>
#include <limits.h>
#include <sys/inotify.h>

#define WATCH_MASK                                                                                            \
    (IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_ONLYDIR |     \
     IN_DONT_FOLLOW | IN_EXCL_UNLINK)

typedef void (*found_file)(const char *directory, const char *name);

static int watch_fd;
static const char *watch_root;
static char **watched; // the directory of each watch
static int watched_capacity;

// Watches the directory and all below it; found, if not NULL, is told the files that are there.
static void watch_tree(const char *directory, found_file found) {
    int wd = inotify_add_watch(watch_fd, directory, WATCH_MASK);
    if (wd < 0) return; // it is gone again, or no directory
    if (wd >= watched_capacity) {
        int capacity = wd * 2 + 64;
        watched = checked_realloc(watched, (size_t)capacity * sizeof *watched);
        memset(watched + watched_capacity, 0, (size_t)(capacity - watched_capacity) * sizeof *watched);
        watched_capacity = capacity;
    }
    free(watched[wd]);
    watched[wd] = strdup(directory);
    DIR *d = opendir(directory);
    if (!d) return;
    for (struct dirent *entry; (entry = readdir(d));) {
        if (entry->d_name[0] == '.') continue;
        if (entry->d_type == DT_DIR) {
            char path[PATH_MAX];
            snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
            watch_tree(path, found);
        } else if (found)
            found(directory, entry->d_name);
    }
    closedir(d);
}

static void watch_start(const char *root) {
    watch_root = root;
    watch_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (watch_fd < 0) die("inotify_init1");
    watch_tree(root, NULL);
}

// One read; found is told every finished file.
static void watch_read(found_file found) {
    static char buffer[1 << 18] __attribute__((aligned(8)));
    ssize_t n = read(watch_fd, buffer, sizeof buffer);
    for (char *p = buffer; n > 0 && p < buffer + n;) {
        struct inotify_event *event = (void *)p;
        p += sizeof *event + event->len;
        if (event->mask & IN_Q_OVERFLOW) {
            watch_tree(watch_root, found);
            continue;
        }
        if (event->wd < 0 || event->wd >= watched_capacity || !watched[event->wd]) continue;
        if (event->mask & IN_IGNORED) {
            free(watched[event->wd]);
            watched[event->wd] = NULL;
        } else if (event->mask & IN_ISDIR) {
            if (!(event->mask & (IN_CREATE | IN_MOVED_TO))) continue;
            char path[PATH_MAX];
            snprintf(path, sizeof path, "%s/%s", watched[event->wd], event->name);
            watch_tree(path, found);
        } else if (event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO))
            found(watched[event->wd], event->name);
    }
}
