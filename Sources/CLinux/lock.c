// A lock on a file, held by a thread that has a table of descriptors of its own (CLOSE_RANGE_UNSHARE, close_range(2)).
//
// The kernel gives up a process's descriptors, and with them every lock of flock(2) and fcntl(2), when its last thread has
// ended. One that waits for a file system which never answers does not end, not by SIGKILL either. The thread that holds
// this lock waits for nothing of the kind: it ends with the signal, and nobody else has its descriptor, which no process
// that is started inherits either.
#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

struct linux_lock {
  const char *path;
  const char *note;
  char *found;
  size_t found_size;
  int error;
  sem_t answered, released;
  pthread_t thread;
};

static void await(sem_t *signal) {
  while (sem_wait(signal) != 0) {}
}

// Opens and locks. The table of the calling thread is empty afterwards, but for the file.
static int take(struct linux_lock *lock) {
  if (syscall(SYS_close_range, 0, ~0U, CLOSE_RANGE_UNSHARE) < 0) return -1;
  int file = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return -1;
  int code = flock(file, LOCK_EX | LOCK_NB) < 0 ? errno : 0;
  ssize_t count = pread(file, lock->found, lock->found_size - 1, 0);
  lock->found[count > 0 ? count : 0] = 0;
  if (code) {
    close(file);
    errno = code;
    return -1;
  }
  // The note is for people: without room for it the lock is held all the same.
  (void)!ftruncate(file, 0);
  (void)!pwrite(file, lock->note, strlen(lock->note), 0);
  return file;
}

static void *hold(void *context) {
  struct linux_lock *lock = context;
  int file = take(lock);
  lock->error = file < 0 ? errno : 0;
  int is_held = file >= 0;
  sem_post(&lock->answered);
  if (is_held) {
    await(&lock->released);
    close(file);
  }
  return NULL;
}

struct linux_lock *linux_lock_take(const char *path, const char *note, char *found, size_t found_size) {
  struct linux_lock *lock = calloc(1, sizeof *lock);
  if (!lock) return NULL;
  *lock = (struct linux_lock){.path = path, .note = note, .found = found, .found_size = found_size};
  found[0] = 0;
  sem_init(&lock->answered, 0, 0);
  sem_init(&lock->released, 0, 0);
  // No signal of the process's is this thread's.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int code = pthread_create(&lock->thread, NULL, hold, lock);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  // EAGAIN is EWOULDBLOCK.
  if (code) code = ENOMEM;
  if (code == 0) {
    await(&lock->answered);
    code = lock->error;
    if (code) pthread_join(lock->thread, NULL);
  }
  if (code == 0) return lock;
  free(lock);
  errno = code;
  return NULL;
}

void linux_lock_release(struct linux_lock *lock) {
  sem_post(&lock->released);
  pthread_join(lock->thread, NULL);
  free(lock);
}
