// What a process that reads pictures may still do once its libraries are there: read what it was handed, take memory,
// answer, and end. (docs/decisions/0091-the-sandbox.md)
#define _GNU_SOURCE
#include "CPictures.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <poll.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

// Those of the kernel that this is built on may be fewer than those of the one that it runs on.
enum {
  ACCESS_FS_BY_VERSION_1 = (1 << 13) - 1,
  ACCESS_FS_REFER = 1 << 13,
  ACCESS_FS_TRUNCATE = 1 << 14,
  ACCESS_FS_IOCTL = 1 << 15,
  ACCESS_NET_BIND_AND_CONNECT = 3,
  SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3,
};

struct ruleset {
  uint64_t files, net, scoped;
};

int pictures_landlock_version(void) {
  return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

// 0, or -1 with errno: ENOSYS or EOPNOTSUPP where there is no Landlock, EPERM where it may not be asked for.
static int forbid_files(void) {
  int version = pictures_landlock_version();
  if (version < 1) return -1;
  struct ruleset handled = {.files = ACCESS_FS_BY_VERSION_1};
  size_t size = sizeof handled.files;
  if (version >= 2) handled.files |= ACCESS_FS_REFER;
  if (version >= 3) handled.files |= ACCESS_FS_TRUNCATE;
  if (version >= 5) handled.files |= ACCESS_FS_IOCTL;
  if (version >= 4) {
    handled.net = ACCESS_NET_BIND_AND_CONNECT;
    size = offsetof(struct ruleset, scoped);
  }
  if (version >= 6) {
    handled.scoped = SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS;
    size = sizeof handled;
  }
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0);
  if (ruleset < 0) return -1;
  // Without a rule that allows anything.
  long result = syscall(SYS_landlock_restrict_self, ruleset, 0);
  int code = errno;
  close(ruleset);
  errno = code;
  return (int)result;
}

static const int allowed[] = {
    // What was handed over, and the answer.
    SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(lseek), SCMP_SYS(recvfrom), SCMP_SYS(recvmsg), SCMP_SYS(sendto),
    SCMP_SYS(sendmsg), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(close),
    // Memory.
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(getrandom),
    // Of threads, what one needs that there is.
    SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(gettid), SCMP_SYS(sched_getaffinity),
    // Time, and the end.
    SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(alarm), SCMP_SYS(setitimer),
    SCMP_SYS(restart_syscall), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sched_yield), SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

static int filter_calls(void) {
  // Libraries find that a call fails, as it does on an older kernel, and go on without.
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return -1;
  int result = 0;
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed && result == 0; i++) {
    result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    // This architecture has no such call.
    if (result == -EDOM || result == -EOPNOTSUPP) result = 0;
  }
  // A thread, as pthread_create(3) makes it, and nothing else: glibc asks clone3 first, whose flags no filter can see.
  const uint64_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                          CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  const struct scmp_arg_cmp is_thread = SCMP_A0_64(SCMP_CMP_EQ, thread);
  if (result == 0) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, is_thread);
  if (result == 0) result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  // A memory file for the answer, and its seals. Of what was handed over nothing is open for writing.
  const struct scmp_arg_cmp can_be_sealed = SCMP_A1_64(SCMP_CMP_EQ, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  const struct scmp_arg_cmp is_seal = SCMP_A1_64(SCMP_CMP_EQ, F_ADD_SEALS);
  if (result == 0) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(memfd_create), 1, can_be_sealed);
  if (result == 0) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ftruncate), 0);
  if (result == 0) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1, is_seal);
  // To let others go first, and never the other way.
  const struct scmp_arg_cmp itself = SCMP_A0_64(SCMP_CMP_EQ, 0), idle = SCMP_A1_64(SCMP_CMP_EQ, SCHED_IDLE);
  if (result == 0)
    result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sched_setscheduler), 2, itself, idle);
  // Memory that is never code.
  const struct scmp_arg_cmp not_code = SCMP_A2_64(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
  if (result == 0) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, not_code);
  if (result == 0) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, not_code);
  if (result == 0) result = seccomp_load(filter);
  seccomp_release(filter);
  if (result < 0) errno = -result;
  return result < 0 ? -1 : 0;
}

static uint64_t mapped_bytes(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (!file || fscanf(file, "%lu", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static int limit(__rlimit_resource_t resource, uint64_t most) {
  struct rlimit value;
  if (getrlimit(resource, &value) < 0) return -1;
  if (value.rlim_max < most) most = value.rlim_max;
  value = (struct rlimit){most, most};
  return setrlimit(resource, &value);
}

// Who has none need not be allowed to drop them: a unit may forbid that.
static int drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[2] = {{0}, {0}}, had[2] = {{0}, {0}};
  if (syscall(SYS_capget, &header, had) == 0 && !(had[0].permitted | had[1].permitted | had[0].inheritable |
                                                   had[1].inheritable | had[0].effective | had[1].effective))
    return 0;
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  return (int)syscall(SYS_capset, &header, none);
}

// A signal ends the process: libraries bring handlers, and whoever starts it may have blocked some.
void pictures_reset_signals(void) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  // Whoever asked may have gone: that is told by sendmsg(2).
  signal(SIGPIPE, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static int served = -1;

// SIGIO comes with calls as well.
static void end_with_socket(int number) {
  (void)number;
  int code = errno;
  struct pollfd request = {.fd = served};
  if (poll(&request, 1, 0) == 1 && request.revents & POLLHUP) _exit(0);
  errno = code;
}

// What it is at is for nobody once the socket is shut down: the kernel says so in the middle of it (F_SETOWN, fcntl(2)).
static int end_with(int socket) {
  served = socket;
  const struct sigaction action = {.sa_handler = end_with_socket, .sa_flags = SA_RESTART};
  int flags = fcntl(socket, F_GETFL);
  return flags < 0 || sigaction(SIGIO, &action, NULL) || fcntl(socket, F_SETOWN, getpid()) ||
         fcntl(socket, F_SETFL, flags | O_ASYNC);
}

int pictures_confine(struct pictures_limits limits) {
  pictures_reset_signals();
  if (end_with(limits.socket)) return PICTURES_NOT_CONFINED;
  uint64_t mapped = mapped_bytes();
  if (!mapped || limit(RLIMIT_AS, mapped + limits.memory) || limit(RLIMIT_CPU, limits.processor) ||
      limit(RLIMIT_FSIZE, limits.file) || limit(RLIMIT_NOFILE, limits.descriptors) || limit(RLIMIT_CORE, 0) || limit(RLIMIT_MEMLOCK, 0))
    return PICTURES_NOT_CONFINED;
  // No other process may look into this one either.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) || drop_capabilities())
    return PICTURES_NOT_CONFINED;
  int has_landlock = forbid_files() == 0;
  // A container's filter of calls may not know it either. What it forbids, the filter here forbids as well.
  if (!has_landlock && errno != ENOSYS && errno != EOPNOTSUPP && errno != EPERM) return PICTURES_NOT_CONFINED;
  if (filter_calls()) return PICTURES_NOT_CONFINED;
  return has_landlock ? PICTURES_CONFINED : PICTURES_WITHOUT_LANDLOCK;
}

void pictures_set_deadline(unsigned seconds, unsigned processor_seconds) {
  struct itimerval processor = {.it_value = {.tv_sec = processor_seconds}};
  alarm(seconds);
  setitimer(ITIMER_PROF, &processor, NULL);
}

void pictures_give_way(void) {
  // Where a service manager's limits forbid even that, it goes on as it is.
  const struct sched_param none = {0};
  sched_setscheduler(0, SCHED_IDLE, &none);
}

void pictures_close_from(unsigned number) { syscall(SYS_close_range, number, ~0U, 0); }

const void *pictures_map(int descriptor, size_t count) {
  void *bytes = mmap(NULL, count, PROT_READ, MAP_PRIVATE, descriptor, 0);
  return bytes == MAP_FAILED ? NULL : bytes;
}

void pictures_unmap(const void *bytes, size_t count) { munmap((void *)bytes, count); }

int64_t pictures_size(int descriptor) { return lseek(descriptor, 0, SEEK_END); }
