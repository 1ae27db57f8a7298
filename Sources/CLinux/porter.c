// The porter: a process that receives descriptors which peers sent, reads the files behind them, and closes them.
//
// Each of these can wait for as long as the peer likes (a file system of its own, a socket that lingers), also so
// that no signal ends it: such a wait must not be the daemon's. The porter is forked before the daemon has threads,
// holds nothing but its control socket, and forks a child for each job, which shares no memory with the daemon and
// ends with its job's socket. The children of one that hangs are left to themselves.
#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

// A step that takes longer ends the child, where a signal can (alarm(2)).
enum { PATIENCE_SECONDS = 30, CHUNK = PORTER_STEP_BYTES, THROUGH_MEMORY = 1 << 18 };

static int files[LINUX_MAX_DESCRIPTORS];
static size_t file_count;

static void reply(int job, struct porter_reply answer, const void *bytes, size_t count) {
  struct iovec parts[2] = {{&answer, sizeof answer}, {(void *)bytes, count}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  if (sendmsg(job, &message, MSG_NOSIGNAL) < 0) _exit(0);
}

// Bytes that the daemon has looked at, with the descriptors that came with them.
static struct porter_reply receive_files(int connection, uint64_t count) {
  static char bytes[1 << 16];
  size_t left = count;
  while (left) {
    int found[LINUX_MAX_DESCRIPTORS], is_truncated;
    size_t found_count;
    ssize_t taken = linux_receive_descriptors(connection, bytes, left < sizeof bytes ? left : sizeof bytes, found, &found_count, &is_truncated);
    if (taken < 0 && errno == EINTR) continue;
    if (taken <= 0) return (struct porter_reply){.stage = PORTER_SOURCE, .error = taken ? errno : EPIPE};
    for (size_t i = 0; i < found_count; i++) {
      if (file_count == LINUX_MAX_DESCRIPTORS) return (struct porter_reply){.stage = PORTER_SOURCE, .error = E2BIG};
      files[file_count++] = found[i];
    }
    if (is_truncated) return (struct porter_reply){.stage = PORTER_SOURCE, .error = EMFILE};
    left -= (size_t)taken;
  }
  return (struct porter_reply){.count = file_count};
}

// Who writes a file may make a read wait; what is no regular file is not read at all. Nor is a file of proc(5): what it says
// depends on who reads it (ptrace(2), "Ptrace access mode checking"), and its sender may read less of others than this process.
static struct porter_reply check(uint64_t index, struct stat *status) {
  if (index >= file_count) return (struct porter_reply){.stage = PORTER_SOURCE, .error = EBADF};
  if (fstat(files[index], status) < 0) return (struct porter_reply){.stage = PORTER_SOURCE, .error = errno};
  if (!S_ISREG(status->st_mode)) return (struct porter_reply){.stage = PORTER_NOT_REGULAR, .error = EINVAL};
  struct statfs system = {0};
  // A server of FUSE need not answer that: its file is none of the kernel's all the same.
  if (fstatfs(files[index], &system) < 0 && errno != ENOSYS) return (struct porter_reply){.stage = PORTER_SOURCE, .error = errno};
  if (system.f_type == PROC_SUPER_MAGIC) return (struct porter_reply){.stage = PORTER_NOT_REGULAR, .error = EINVAL};
  int flags = fcntl(files[index], F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_WRONLY || flags & LINUX_O_PATH) return (struct porter_reply){.stage = PORTER_SOURCE, .error = EBADF};
  return (struct porter_reply){.count = (uint64_t)status->st_size};
}

static void look(int job, struct porter_request request) {
  static char beginning[PORTER_MOST_BYTES];
  struct stat status;
  struct porter_reply answer = check(request.index, &status);
  ssize_t count = 0;
  if (!answer.error) {
    count = pread(files[request.index], beginning, request.count < sizeof beginning ? request.count : sizeof beginning, 0);
    if (count < 0) answer = (struct porter_reply){.stage = PORTER_SOURCE, .error = errno};
  }
  reply(job, answer, beginning, count > 0 ? (size_t)count : 0);
}

// Whether the daemon does not want this copy any more. When it wants nothing at all, it has closed its side for writing.
static int is_stopped(int job) {
  struct porter_request next;
  ssize_t count = recv(job, &next, sizeof next, MSG_PEEK | MSG_DONTWAIT);
  if (count == 0) _exit(0);
  if (count != sizeof next || next.kind != PORTER_STOP) return 0;
  recv(job, &next, sizeof next, MSG_DONTWAIT);
  return 1;
}

static const struct porter_reply stopped = {.stage = PORTER_STOPPED, .error = ECANCELED};

// After each part, so that the daemon sees that it gets on.
static void got_on(int job, uint64_t count) {
  reply(job, (struct porter_reply){.stage = PORTER_GOES_ON, .count = count}, NULL, 0);
  alarm(PATIENCE_SECONDS);
}

static struct porter_reply copy_through_memory(int job, int from, int to, int64_t limit) {
  static char bytes[THROUGH_MEMORY];
  int64_t offset = 0;
  for (;;) {
    ssize_t count = pread(from, bytes, sizeof bytes, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return (struct porter_reply){.stage = PORTER_SOURCE, .error = errno};
    if (!count) return (struct porter_reply){.count = (uint64_t)offset};
    if (offset + count > limit) return (struct porter_reply){.stage = PORTER_TOO_LARGE, .error = EFBIG};
    // The read may have waited for long: what nobody wants any more is not written.
    if (is_stopped(job)) return stopped;
    for (ssize_t written = 0; written < count;) {
      ssize_t result = pwrite(to, bytes + written, (size_t)(count - written), offset + written);
      if (result < 0 && errno == EINTR) continue;
      if (result <= 0) return (struct porter_reply){.stage = PORTER_TARGET, .error = result ? errno : EIO};
      written += result;
    }
    offset += count;
    if (offset % CHUNK < count) got_on(job, (uint64_t)offset);
  }
}

static struct porter_reply copy_content(int job, int from, int to, int64_t limit) {
  if (ioctl(to, FICLONE, from) == 0) {
    struct stat status;
    if (fstat(to, &status) < 0) return (struct porter_reply){.stage = PORTER_TARGET, .error = errno};
    if (status.st_size > limit) return (struct porter_reply){.stage = PORTER_TOO_LARGE, .error = EFBIG};
    return (struct porter_reply){.count = (uint64_t)status.st_size};
  }
  off64_t read = 0, written = 0;
  for (;;) {
    // One byte beyond the limit is enough to see that it is exceeded.
    int64_t length = limit + 1 - read < CHUNK ? limit + 1 - read : CHUNK;
    ssize_t count = copy_file_range(from, &read, to, &written, (size_t)length, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EIO || errno == EFBIG))
      return (struct porter_reply){.stage = PORTER_TARGET, .error = errno};
    // Some file systems say that there is nothing where there is something.
    if (count < 0 || (!count && !read)) return copy_through_memory(job, from, to, limit);
    if (!count) return (struct porter_reply){.count = (uint64_t)read};
    if (read > limit) return (struct porter_reply){.stage = PORTER_TOO_LARGE, .error = EFBIG};
    if (is_stopped(job)) return stopped;
    got_on(job, (uint64_t)read);
  }
}

static void copy(int job, struct porter_request request, int to) {
  struct stat status;
  struct porter_reply answer = check(request.index, &status);
  if (!answer.error && status.st_size > (int64_t)request.count) answer = (struct porter_reply){.stage = PORTER_TOO_LARGE, .error = EFBIG};
  if (!answer.error) answer = copy_content(job, files[request.index], to, (int64_t)request.count);
  if (!answer.error) {
    // A copy of a picture of 2008 is not of today. A time that has not come would keep it from ever being old.
    struct timespec now, times[2] = {{.tv_nsec = UTIME_OMIT}, status.st_mtim};
    if (!clock_gettime(CLOCK_REALTIME, &now) && times[1].tv_sec > now.tv_sec) times[1] = now;
    futimens(to, times);
    if (is_stopped(job)) answer = stopped;
    else got_on(job, answer.count);
    if (!answer.error && fsync(to) < 0) answer = (struct porter_reply){.stage = PORTER_TARGET, .error = errno};
  }
  // Before the answer: nobody else may be found to write to it then.
  close(to);
  reply(job, answer, NULL, 0);
}

static ssize_t receive_request(int socket, struct porter_request *request, int *descriptor) {
  for (;;) {
    struct iovec vector = {request, sizeof *request};
    union {
      struct cmsghdr header;
      char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *descriptor = -1;
    ssize_t received = recvmsg(socket, &message, 0);
    if (received < 0 && errno == EINTR) continue;
    struct cmsghdr *header = received > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) memcpy(descriptor, CMSG_DATA(header), sizeof(int));
    return received;
  }
}

// One job, to its end. Leaving by _exit(2) closes everything where it harms nobody.
static void serve(int job) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (;;) {
    struct porter_request request;
    int descriptor;
    if (receive_request(job, &request, &descriptor) != sizeof request) _exit(0);
    alarm(PATIENCE_SECONDS);
    switch (request.kind) {
    case PORTER_RECEIVE:
      reply(job, receive_files(descriptor, request.count), NULL, 0);
      close(descriptor);
      break;
    case PORTER_LOOK: look(job, request); break;
    case PORTER_COPY: copy(job, request, descriptor); break;
    case PORTER_CLOSE:
      close(descriptor);
      reply(job, (struct porter_reply){0}, NULL, 0);
      break;
    // The copy was done before that was seen.
    case PORTER_STOP: break;
    default: _exit(0);
    }
    alarm(0);
  }
}

static void drop_privileges(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[2] = {{0}, {0}};
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // Files are never opened here: not even root's rights are needed.
  syscall(SYS_capset, &header, none);
}

static void run(int control) {
  prctl(PR_SET_NAME, "albumd-porter");
  drop_privileges();
  // Nobody waits for the children.
  signal(SIGCHLD, SIG_IGN);
  for (;;) {
    struct porter_request request;
    int job;
    if (receive_request(control, &request, &job) <= 0) _exit(0);
    if (job < 0) continue;
    pid_t child;
    // Where there is no room for one more process, what the job holds must not be closed here.
    while ((child = fork()) < 0) {
      struct pollfd daemon = {.fd = control};
      if (poll(&daemon, 1, 10) > 0) _exit(0);
    }
    if (child == 0) {
      close(control);
      serve(job);
    }
    close(job);
  }
}

int linux_start_porter(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return -1;
  pid_t child = fork();
  if (child < 0) {
    int code = errno;
    close(ends[0]);
    close(ends[1]);
    errno = code;
    return -1;
  }
  if (child == 0) {
    int null = open("/dev/null", O_RDWR);
    for (int number = 0; number < 3; number++) dup2(null, number);
    // The control socket is all that it holds.
    dup2(ends[1], 3);
    syscall(SYS_close_range, 4, ~0U, 0);
    run(3);
  }
  close(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return ends[0];
}

int linux_porter_job(int control) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0) return -1;
  // The child waits for what it is asked.
  fcntl(ends[1], F_SETFL, 0);
  struct porter_request request = {0};
  ssize_t sent = linux_send_descriptors(control, &request, sizeof request, &ends[1], 1);
  int code = errno;
  close(ends[1]);
  if (sent == sizeof request) return ends[0];
  close(ends[0]);
  errno = code;
  return -1;
}
