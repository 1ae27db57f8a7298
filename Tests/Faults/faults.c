// What a disk and a clock can do to a process, preloaded into it (ld.so(8), LD_PRELOAD).
//
// FAULTS names a directory. While there is a file of one of these names in it, calls fail with the number that it
// holds (errno(3)), on files whose path begins with FAULTS_BENEATH:
//   write   write, pwrite, copy_file_range
//   sync    fsync, fdatasync
// `kill` holds before which of these calls on such files, counted from when it is there, the process is killed (SIGKILL).
// And `clock` holds by how many seconds CLOCK_REALTIME is another.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// By system calls alone: what is called here may be what is replaced below.
static long number_in(const char *name) {
  const char *directory = getenv("FAULTS");
  char path[4096], text[32] = {0};
  if (!directory || snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) return 0;
  int saved = errno;
  long file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (file >= 0) {
    syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
  }
  errno = saved;
  return strtol(text, NULL, 10);
}

static int fails(const char *name, int descriptor) {
  static atomic_long steps;
  const char *beneath = getenv("FAULTS_BENEATH");
  long error = number_in(name), last = number_in("kill");
  if (!(error || last) || !beneath) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length < 0 || strncmp(path, beneath, strlen(beneath)) != 0) return 0;
  if (last && ++steps >= last) raise(SIGKILL);
  if (!error) return 0;
  errno = (int)error;
  return 1;
}

ssize_t write(int file, const void *bytes, size_t count) {
  return fails("write", file) ? -1 : syscall(SYS_write, file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return fails("write", file) ? -1 : syscall(SYS_pwrite64, file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) { return pwrite(file, bytes, count, offset); }

ssize_t copy_file_range(int from, off64_t *read, int to, off64_t *written, size_t count, unsigned flags) {
  return fails("write", to) ? -1 : syscall(SYS_copy_file_range, from, read, to, written, count, flags);
}

int fsync(int file) { return fails("sync", file) ? -1 : (int)syscall(SYS_fsync, file); }

int fdatasync(int file) { return fails("sync", file) ? -1 : (int)syscall(SYS_fdatasync, file); }

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += number_in("clock");
  return result;
}
