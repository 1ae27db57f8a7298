#define _GNU_SOURCE
#include "CLinux.h"
#include <semaphore.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/btrfs.h>
#include <linux/btrfs_tree.h>
#include <linux/fs.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

// listxattrat(2), Linux 6.13: newer than these headers.
#define SYS_LISTXATTRAT 465

int linux_openat2(int directory, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve) {
  struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int linux_open_directory_path(const char *path) { return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC); }

int linux_pidfd_open(pid_t pid, unsigned flags) { return (int)syscall(SYS_pidfd_open, pid, flags); }

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int linux_peer_pidfd(int socket) {
  int descriptor = -1;
  socklen_t size = sizeof descriptor;
  return getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &descriptor, &size) < 0 ? -1 : descriptor;
}

int linux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int linux_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0) return -1;
  *pid = credentials.pid;
  *uid = credentials.uid;
  *gid = credentials.gid;
  return 0;
}

// Room for SCM_MAX_FD descriptors and a sender, aligned as the kernel wants it.
typedef union {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int) * LINUX_MAX_DESCRIPTORS) + CMSG_SPACE(sizeof(struct ucred))];
} control_buffer;

ssize_t linux_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
  if (descriptor_count > LINUX_MAX_DESCRIPTORS) {
    errno = EINVAL;
    return -1;
  }
  struct iovec vector = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  control_buffer control;
  if (descriptor_count) {
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count);
    memset(control.bytes, 0, message.msg_controllen);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * descriptor_count);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t linux_receive_descriptors(int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count, int *is_truncated) {
  struct iovec vector = {bytes, capacity};
  control_buffer control;
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  *descriptor_count = 0;
  *is_truncated = 0;
  ssize_t received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  *is_truncated = (message.msg_flags & MSG_CTRUNC) != 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(descriptors + *descriptor_count, CMSG_DATA(header), count * sizeof(int));
    *descriptor_count += count;
  }
  return received;
}

ssize_t linux_peek(int socket, void *bytes, size_t capacity, int *has_descriptors) {
  struct iovec vector = {bytes, capacity};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  ssize_t received = recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT);
  *has_descriptors = received >= 0 && (message.msg_flags & MSG_CTRUNC) != 0;
  return received;
}

int linux_tell_senders(int socket) {
  int yes = 1;
  if (setsockopt(socket, SOL_SOCKET, SO_OOBINLINE, &yes, sizeof yes) < 0) return -1;
  return setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
}

ssize_t linux_peek_sender(int socket, void *bytes, size_t capacity, int *has_descriptors, struct linux_sender *sender) {
  struct iovec vector = {bytes, capacity};
  // Room for the sender, which comes first, and for nothing else: a descriptor that fits would be received.
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(struct ucred))];
  } control;
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t received = recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT);
  *has_descriptors = received >= 0 && (message.msg_flags & MSG_CTRUNC) != 0;
  if (received <= 0) return received;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_CREDENTIALS) {
    errno = EPROTO;
    return -1;
  }
  struct ucred credentials;
  memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
  *sender = (struct linux_sender){credentials.pid, credentials.uid, credentials.gid};
  return received;
}

int linux_fcntl_int(int descriptor, int command, int argument) { return fcntl(descriptor, command, argument); }

long linux_voluntary_switches(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) < 0 ? 0 : usage.ru_nvcsw;
}

void linux_return_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
  mallopt(M_ARENA_MAX, 2);
}

static volatile sig_atomic_t continued;
static void count(int signal) {
  (void)signal;
  continued++;
}

unsigned linux_times_continued(void) {
  static int counts;
  if (!counts) {
    struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
    counts = sigaction(SIGCONT, &action, NULL) == 0;
  }
  return (unsigned)continued;
}

int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

char *const *linux_environment(void) { return environ; }

int linux_sealed_file(const void *bytes, size_t count) {
  int file = memfd_create("preview", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  size_t done = 0;
  while (done < count) {
    ssize_t written = write(file, (const char *)bytes + done, count - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += (size_t)written;
  }
  int reader = -1;
  if (done == count && fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0) {
    // A description of its own, which is for reading only.
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    reader = open(path, O_RDONLY | O_CLOEXEC);
  }
  int code = errno;
  close(file);
  errno = code;
  return reader;
}

int64_t linux_sealed_size(int file) {
  const int needed = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  int seals = fcntl(file, F_GET_SEALS);
  struct stat status;
  if (seals < 0 || (seals & needed) != needed || fstat(file, &status) < 0) return -1;
  return status.st_size;
}

int linux_is_open_for_writing(int descriptor) {
  if (fcntl(descriptor, F_SETLEASE, F_RDLCK) < 0) return errno == EAGAIN ? 1 : -1;
  fcntl(descriptor, F_SETLEASE, F_UNLCK);
  return 0;
}

void linux_leave_access_time(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags >= 0) fcntl(descriptor, F_SETFL, flags | O_NOATIME);
}

void linux_read_when_idle(void) {
  // IOPRIO_WHO_PROCESS, the calling thread, IOPRIO_CLASS_IDLE.
  syscall(SYS_ioprio_set, 1, 0, 3 << 13);
}

int64_t linux_hole_bytes(int descriptor, int64_t size, int64_t enough) {
  int64_t holes = 0, position = 0;
  while (position < size && holes <= enough) {
    off_t data = lseek(descriptor, position, SEEK_DATA);
    if (data < 0) return errno == ENXIO ? holes + size - position : 0;
    off_t hole = lseek(descriptor, data, SEEK_HOLE);
    // A server may answer anything: data is not before what was asked for, and the next hole is after the data.
    if (data < position || hole <= data) return 0;
    holes += data - position;
    position = hole;
  }
  return holes;
}

int linux_memory_file(void) { return memfd_create("photo", MFD_CLOEXEC); }

// A file may carry any time (utimensat(2)): what no 64 bits hold is the first or the last that they do.
static int64_t nanoseconds(struct statx_timestamp time) {
  int64_t result;
  if (__builtin_mul_overflow((int64_t)time.tv_sec, 1000000000, &result) || __builtin_add_overflow(result, (int64_t)time.tv_nsec, &result))
    return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
  return result;
}

// When a file was born: unknown, 0, where no 64 bits hold it. All files of such births would have the same otherwise, and it would
// be taken for what tells one from the other.
static int64_t birth(const struct statx *facts) {
  int64_t time = facts->stx_mask & STATX_BTIME ? nanoseconds(facts->stx_btime) : 0;
  return time == INT64_MIN || time == INT64_MAX ? 0 : time;
}

// From Linux 6.8 and 6.10, which the headers of older C libraries do not know.
enum { MOUNT_ID_UNIQUE = 0x4000, SUBVOLUME = 0x8000, SUBVOLUME_OFFSET = 0xa0 };
_Static_assert(offsetof(struct statx, stx_mnt_id) == 0x90, "stx_subvol follows two words after stx_mnt_id");

static int look(int directory, const char *name, int flags, struct linux_facts *out) {
  struct statx facts;
  unsigned mask = STATX_BASIC_STATS | STATX_BTIME | STATX_MNT_ID | MOUNT_ID_UNIQUE | SUBVOLUME;
  if (statx(directory, name, flags | AT_NO_AUTOMOUNT, mask, &facts) < 0) return -1;
  *out = (struct linux_facts){
      .inode = facts.stx_ino,
      .device = (uint64_t)facts.stx_dev_major << 32 | facts.stx_dev_minor,
      .size = (int64_t)facts.stx_size,
      .birth = birth(&facts),
      .modified = nanoseconds(facts.stx_mtime),
      .changed = nanoseconds(facts.stx_ctime),
      .links = facts.stx_nlink,
      .mode = facts.stx_mode,
      .mount_root = (facts.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0,
      .mount = facts.stx_mnt_id,
      .is_mount_unique = (facts.stx_mask & MOUNT_ID_UNIQUE) != 0,
  };
  if (facts.stx_mask & SUBVOLUME) memcpy(&out->subvolume, (const char *)&facts + SUBVOLUME_OFFSET, sizeof out->subvolume);
  return 0;
}

int linux_look_at_file_system(int directory, struct linux_file_system *out) {
  struct statfs facts;
  if (fstatfs(directory, &facts) < 0) return -1;
  *out = (struct linux_file_system){.type = (uint64_t)facts.f_type & UINT32_MAX};
  memcpy(&out->number, &facts.f_fsid, sizeof out->number);
  return 0;
}

// FS_IOC_GETFSUUID, Linux 6.10.
struct file_system_uuid {
  uint8_t length, bytes[16];
};

int linux_file_system_uuid(int directory, uint8_t uuid[16]) {
  // XFS_IOC_FSGEOMETRY_V1, which all kernels have; its UUID comes after 64 bytes of other things.
  union {
    uint8_t bytes[112];
    uint64_t alignment;
  } geometry;
  if (ioctl(directory, _IOC(_IOC_READ, 'X', 100, sizeof geometry), &geometry) == 0) {
    memcpy(uuid, geometry.bytes + 64, 16);
    return 0;
  }
  struct file_system_uuid found = {0};
  if (ioctl(directory, _IOR(0x15, 0, struct file_system_uuid), &found) < 0) return -1;
  if (found.length == 0 || found.length > sizeof found.bytes) {
    errno = EOPNOTSUPP;
    return -1;
  }
  memcpy(uuid, found.bytes, 16);
  return 0;
}

int linux_btrfs_subvolume(int directory, uint64_t *subvolume) {
  struct btrfs_ioctl_ino_lookup_args arguments = {.objectid = BTRFS_FIRST_FREE_OBJECTID};
  if (ioctl(directory, BTRFS_IOC_INO_LOOKUP, &arguments) < 0) return -1;
  *subvolume = arguments.treeid;
  return 0;
}

int64_t linux_mount_id(int place) {
  struct statx facts;
  if (statx(place, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_MNT_ID, &facts) < 0) return -1;
  if (facts.stx_mask & STATX_MNT_ID) return (int64_t)facts.stx_mnt_id;
  errno = EOPNOTSUPP;
  return -1;
}

int linux_is_mounted(uint64_t mount) {
  // From Linux 6.8, like these numbers: its first form asks for nothing but whether it is there.
  enum { STATMOUNT = 457, BYTES = 512 };
  struct {
    uint32_t size, spare;
    uint64_t mount, wanted;
  } request = {.size = sizeof request, .mount = mount};
  char found[BYTES];
  if (syscall(STATMOUNT, &request, found, sizeof found, 0) == 0) return 1;
  return errno == ENOENT ? 0 : -1;
}

int linux_look(int directory, const char *name, struct linux_facts *out) {
  return look(directory, name, AT_SYMLINK_NOFOLLOW | (*name ? 0 : AT_EMPTY_PATH), out);
}

int linux_look_anew(int directory, const char *name, struct linux_facts *out) {
  // AT_STATX_FORCE_SYNC asks for attributes, of the file that the kernel believes to have the name. Which one has it, it asks
  // only for who makes the name (LOOKUP_EXCL). Nothing is made: the name is taken (EEXIST), /proc is elsewhere (EXDEV), and
  // no directory ever gets a second name.
  if (*name) (void)linkat(AT_FDCWD, "/proc", directory, name, 0);
  return look(directory, name, AT_SYMLINK_NOFOLLOW | AT_STATX_FORCE_SYNC | (*name ? 0 : AT_EMPTY_PATH), out);
}

int linux_look_at_program(int process, struct linux_facts *out) { return look(process, "exe", AT_STATX_DONT_SYNC, out); }

uint64_t linux_device_number(uint64_t device) { return makedev((unsigned)(device >> 32), (unsigned)device); }

ssize_t linux_getdents(int directory, void *buffer, size_t size) {
  return syscall(SYS_getdents64, directory, buffer, size);
}

int linux_rename(int from, const char *old_name, int to, const char *new_name, unsigned flags) {
  return renameat2(from, old_name, to, new_name, flags);
}

// No call takes a directory and a name before Linux 6.13. Made for each file that is found: snprintf(3) takes ten times as long.
static int attribute_path(char *path, size_t size, int directory, const char *name) {
  static const char start[] = "/proc/self/fd/";
  char digits[16];
  char *number = digits + sizeof digits;
  *--number = '/';
  unsigned rest = (unsigned)directory;
  do *--number = (char)('0' + rest % 10);
  while (rest /= 10);
  size_t numbers = (size_t)(digits + sizeof digits - number);
  size_t length = strlen(name) + 1;
  if (sizeof start - 1 + numbers + length > size) {
    errno = ENAMETOOLONG;
    return -1;
  }
  path = mempcpy(path, start, sizeof start - 1);
  path = mempcpy(path, number, numbers);
  memcpy(path, name, length);
  return 0;
}

ssize_t linux_list_attributes(int directory, const char *name, void *buffer, size_t size) {
  // Of a million files it matters: it takes as long as statx(2), and a path twice as long. Where it is not there, or not
  // allowed by a filter of calls that is older, it is not tried again.
  static atomic_int is_missing;
  if (!atomic_load_explicit(&is_missing, memory_order_relaxed)) {
    ssize_t count = syscall(SYS_LISTXATTRAT, directory, name, AT_SYMLINK_NOFOLLOW, buffer, size);
    if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
    atomic_store_explicit(&is_missing, 1, memory_order_relaxed);
  }
  char path[320];
  return attribute_path(path, sizeof path, directory, name) == 0 ? llistxattr(path, buffer, size) : -1;
}

ssize_t linux_attribute(int directory, const char *name, const char *attribute, void *buffer, size_t size) {
  char path[320];
  return attribute_path(path, sizeof path, directory, name) == 0 ? lgetxattr(path, attribute, buffer, size) : -1;
}

int linux_link_descriptor(int descriptor, int directory, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW);
}

int linux_open_unnamed(int directory, unsigned mode) {
  return openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int linux_pending(int descriptor) {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) < 0 ? -1 : count;
}

int linux_unread_memory(int socket) {
  int memory = 0;
  return ioctl(socket, SIOCOUTQ, &memory) < 0 ? -1 : memory;
}

int linux_sealable_memory_file(void) { return memfd_create("photo", MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int linux_seal(int descriptor) {
  return fcntl(descriptor, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
}

int linux_empty_for_good(int descriptor) {
  // In this order: what is written between the two is gone as well.
  if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_GROW) < 0 || ftruncate(descriptor, 0) < 0) return -1;
  return linux_seal(descriptor);
}

int linux_is_open_elsewhere(int descriptor) {
  if (fcntl(descriptor, F_SETLEASE, F_WRLCK) != 0) return errno == EAGAIN ? 1 : -1;
  fcntl(descriptor, F_SETLEASE, F_UNLCK);
  return 0;
}

int linux_clone(int to, int from) { return ioctl(to, FICLONE, from); }

ssize_t linux_copy_range(int from, int64_t *from_offset, int to, int64_t *to_offset, size_t count) {
  return copy_file_range(from, (off64_t *)from_offset, to, (off64_t *)to_offset, count, 0);
}

int linux_wait_until(void *semaphore, uint64_t deadline) {
  struct timespec time = {.tv_sec = (time_t)(deadline / 1000000), .tv_nsec = (long)(deadline % 1000000) * 1000};
  return sem_clockwait(semaphore, CLOCK_MONOTONIC, &time);
}
