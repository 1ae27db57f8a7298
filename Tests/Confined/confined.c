// Does what a program that reads pictures must not be able to do, from inside its sandbox, and tells over descriptor 3
// what came of it: a line for each, with its name and errno, 0 where it succeeded.
//
//   confined try FILE    everything; FILE is opened before, for reading
//   confined loop        decodes for ever
//   confined hang        waits for ever
//   confined deserted    says that it begins, and decodes for ever
//   confined swell       takes memory without end
//   confined crash       writes to where there is none
#define _GNU_SOURCE
#include "CPictures.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { SOCKET = 3 };

static void say(const char *name, long result) {
  char line[64];
  int count = snprintf(line, sizeof line, "%s %d\n", name, result < 0 ? errno : 0);
  send(SOCKET, line, (size_t)count, MSG_NOSIGNAL);
}

// Tells as an error what is as it should be, like what is refused.
static void check(const char *name, int holds) {
  errno = EPERM;
  say(name, holds ? -1 : 0);
}

static int has_no_capabilities(int status) {
  char text[4096] = "";
  return pread(status, text, sizeof text - 1, 0) > 0 && strstr(text, "\nCapPrm:\t0000000000000000\n") &&
         strstr(text, "\nCapEff:\t0000000000000000\n") && strstr(text, "\nCapInh:\t0000000000000000\n");
}

// The seconds themselves are those of "hang" and "loop".
static int has_deadlines(void) {
  struct itimerval none = {0}, left = {0};
  pictures_set_deadline(100, 100);
  return setitimer(ITIMER_PROF, &none, &left) == 0 && left.it_value.tv_sec > 0 && alarm(0) > 0;
}

static void try_everything(int file, int other, int status) {
  char byte = 0;
  char *const arguments[] = {"/bin/true", NULL};
  struct sockaddr_un place = {.sun_family = AF_UNIX, .sun_path = "/run/systemd/notify"};
  struct open_how how = {.flags = O_RDONLY};
  struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
  check("capabilities", has_no_capabilities(status));
  check("deadlines", has_deadlines());
  say("open", open("/etc/passwd", O_RDONLY));
  say("create", open("/tmp/albumd-confined", O_RDWR | O_CREAT, 0600));
  say("openat2", syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", &how, sizeof how));
  say("reopen", open("/proc/self/fd/4", O_RDWR));
  say("write", write(file, &byte, 1));
  say("pwrite", pwrite(file, &byte, 1, 0));
  say("ftruncate", ftruncate(file, 0));
  say("fcntl", fcntl(file, F_SETFL, O_NONBLOCK));
  say("memfd", memfd_create("x", 0));
  say("clone3", syscall(SYS_clone3, NULL, 0) < 0 && errno == ENOSYS ? (errno = EPERM, -1) : 0);
  say("setscheduler", sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0}));
  say("fchmod", fchmod(file, 0666));
  say("futimens", futimens(file, NULL));
  say("fsetxattr", fsetxattr(file, "user.x", "x", 1, 0));
  say("unlink", unlink("/tmp/albumd-confined"));
  say("socket", socket(AF_UNIX, SOCK_STREAM, 0));
  say("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}));
  say("connect", connect(other, (struct sockaddr *)&place, sizeof place));
  say("bind", bind(other, (struct sockaddr *)&place, sizeof place));
  say("execve", execve("/bin/true", arguments, NULL));
  say("fork", syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL));
  say("vfork", syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL, NULL, NULL, NULL));
  say("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
  say("kill", kill(getppid(), 0));
  say("tgkill", syscall(SYS_tgkill, 1, 1, 0));
  say("unshare", unshare(CLONE_NEWUSER));
  say("setrlimit", setrlimit(RLIMIT_NOFILE, &more));
  say("io_uring", syscall(SYS_io_uring_setup, 1, NULL));
  say("bpf", syscall(SYS_bpf, 0, NULL, 0));
  say("userfaultfd", syscall(SYS_userfaultfd, 0));
  say("code", mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  say("memory", memory == MAP_FAILED ? -1 : 0);
  say("becomes-code", mprotect(memory, 4096, PROT_READ | PROT_EXEC));
  say("read", pread(file, &byte, 1, 0));
}

int main(int count, char **arguments) {
  if (count < 2 || pictures_load_libraries()) return 2;
  int file = count > 2 ? open(arguments[2], O_RDONLY) : -1;
  int other = socket(AF_UNIX, SOCK_DGRAM, 0), status = open("/proc/self/status", O_RDONLY);
  int kind = pictures_confine((struct pictures_limits){.memory = 256 << 20, .processor = 60, .descriptors = 64, .file = 1 << 20, .socket = SOCKET});
  if (kind == PICTURES_NOT_CONFINED) return 3;
  if (strcmp(arguments[1], "try") == 0) {
    errno = ENOSYS;
    say("landlock", kind == PICTURES_CONFINED ? 0 : -1);
    try_everything(file, other, status);
    return 0;
  }
  // What is not tried is far off: a busy machine gives little of its processor in a second, and takes long to give memory.
  int hangs = strcmp(arguments[1], "hang") == 0, loops = strcmp(arguments[1], "loop") == 0;
  pictures_set_deadline(hangs ? 1 : 100, loops ? 1 : 100);
  int is_deserted = strcmp(arguments[1], "deserted") == 0;
  if (is_deserted) say("begun", 0);
  if (loops || is_deserted)
    for (volatile unsigned turn = 0;; turn++) {}
  if (hangs)
    for (;;) poll(NULL, 0, -1);
  if (strcmp(arguments[1], "swell") == 0) {
    size_t taken = 0;
    for (char *part; (part = malloc(1 << 20)); taken++) memset(part, 1, 1 << 20);
    return taken <= 256 ? 4 : 5;
  }
  if (strcmp(arguments[1], "crash") == 0) *(volatile char *)8 = 0;
  return 6;
}
