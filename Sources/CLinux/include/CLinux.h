// Kernel calls and macros that Swift cannot see: control messages, openat2, pidfd, inotify's
// variable-length records, ioctl and fcntl with their variadic arguments. Each returns what the
// system call returns, with errno set; nothing here decides anything.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <linux/openat2.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/statfs.h>
#include <sys/xattr.h>

/// openat2(2). `resolve` are RESOLVE_* flags.
int linux_openat2(int directory, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve);

/// open(2) with O_PATH, O_DIRECTORY and O_CLOEXEC: a directory as a place, not to be read.
int linux_open_directory_path(const char *path);

/// pidfd_open(2).
int linux_pidfd_open(pid_t pid, unsigned flags);

/// SO_PEERPIDFD (Linux 6.5): a descriptor that pins the process which connected, or -1.
int linux_peer_pidfd(int socket);

/// SO_PEERCRED (unix(7)).
int linux_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid);

/// One end of a TCP connection: the bytes of its address as in a packet, 4 or 16 of them, and its port.
struct linux_tcp_end {
  uint8_t address[16];
  uint16_t port;
};

/// Whose the socket is that has these ends, by sock_diag(7). `family` is AF_INET or AF_INET6. -1 with ENOENT where there is
/// none, or no process has it any more, or the kernel keeps no such account; with other errors where it was not asked.
int linux_tcp_owner(int family, struct linux_tcp_end local, struct linux_tcp_end remote, uid_t *uid);

/// accept4(2) without the peer's address; non-blocking and close-on-exec.
int linux_accept(int listener);

/// Most descriptors the kernel takes in one message (SCM_MAX_FD).
#define LINUX_MAX_DESCRIPTORS 253

/// sendmsg(2) of one buffer with descriptors on its first byte; never raises SIGPIPE, never blocks.
ssize_t linux_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

/// recvmsg(2) of at most `capacity` bytes. Descriptors that came along (close-on-exec) go to
/// `descriptors`, which holds LINUX_MAX_DESCRIPTORS, their number to `descriptor_count`, and to `is_truncated` whether
/// the kernel dropped some (MSG_CTRUNC).
ssize_t linux_receive_descriptors(int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count, int *is_truncated);

/// recvmsg(2) with MSG_PEEK and no room for control messages: looks at the bytes and says in
/// `has_descriptors` whether descriptors travel with them, without receiving any.
ssize_t linux_peek(int socket, void *bytes, size_t capacity, int *has_descriptors);

/// Lets a socket tell who sent its bytes (SO_PASSCRED, unix(7)), and treats what comes out of band as all else
/// (SO_OOBINLINE): the kernel drops it otherwise, with the descriptors that came along, inside of whatever call is next.
/// What was sent before this, over a connection of a listening socket of which it was not said either, has no sender.
int linux_tell_senders(int socket);

/// Who wrote bytes to a socket, as the kernel says. `pid` is 0 where it does not say, or not in this pid namespace.
struct linux_sender {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};

/// As linux_peek, of a socket that tells senders; the bytes are of one. EPROTO where it tells none.
ssize_t linux_peek_sender(int socket, void *bytes, size_t capacity, int *has_descriptors, struct linux_sender *sender);

/// How often the calling thread gave its processor away because it had nothing to do (getrusage(2), RUSAGE_THREAD).
long linux_voluntary_switches(void);

/// The mount that an open place is on (statx(2), STATX_MNT_ID), without asking its file system. -1 with errno.
int64_t linux_mount_id(int place);

/// mallopt(3): what is large is mapped by itself, and threads share two heaps.
void linux_return_memory(void);

/// Counts how often this process was continued after it had been stopped (SIGCONT), from the first call on; the count.
/// A thread that runs again has counted already, if it is the one that signals go to: the first.
unsigned linux_times_continued(void);

/// eventfd(2), close-on-exec and non-blocking.
int linux_eventfd(void);

/// A memory file with those bytes, sealed against every change (F_ADD_SEALS, fcntl(2)), open for reading; -1 with errno.
int linux_sealed_file(const void *bytes, size_t count);

/// The size of a memory file that is sealed against changes of its content and its size; -1 of any other file.
int64_t linux_sealed_size(int file);

/// memfd_create(2), close-on-exec: a regular file without a name or a disk.
int linux_memory_file(void);

/// The environment to hand over to a program (environ(7)).
char *const *linux_environment(void);

/// fcntl(2) with an int argument.
int linux_fcntl_int(int descriptor, int command, int argument);

/// O_PATH of open(2) and F_SETLEASE of fcntl(2), which need _GNU_SOURCE.
enum { LINUX_O_PATH = 010000000, LINUX_F_SETLEASE = 1024 };
// Leaves a time as it is: utimensat(2).
enum { LINUX_UTIME_OMIT = (1 << 30) - 2 };

/// What statx(2) says, times in nanoseconds. `birth` is 0 where the file system keeps none.
struct linux_facts {
  uint64_t inode, device;
  int64_t size, birth, modified, changed;
  uint32_t links, mode;
  /// Whether it is the root of a mount (STATX_ATTR_MOUNT_ROOT).
  int mount_root;
  /// The mount that it is in (STATX_MNT_ID); where `is_mount_unique`, a number that is never used again (Linux 6.8).
  uint64_t mount;
  int is_mount_unique;
  /// The subvolume that it is in (STATX_SUBVOL, Linux 6.10); 0 when the kernel does not tell, or there are none.
  uint64_t subvolume;
};

/// Whether a mount is there still (statmount(2)), by a number that is never used again; its file system is not asked. -1 where
/// the kernel does not tell: before Linux 6.8, or where the call is not allowed.
int linux_is_mounted(uint64_t mount);

/// statx(2) of `name` in `directory`, or of `directory` itself when `name` is empty. Never follows a
/// symbolic link and never triggers an automount.
int linux_look(int directory, const char *name, struct linux_facts *out);

/// The same of a file system that a process serves (fuse(4)), which is asked itself: for about a second the kernel believes
/// what it was told of names and attributes, whatever has become of them by another name of the file. Two questions more.
int linux_look_anew(int directory, const char *name, struct linux_facts *out);

/// llistxattr(2) of `name` in `directory`, whose descriptor may be of O_PATH. -1 with errno.
ssize_t linux_list_attributes(int directory, const char *name, void *buffer, size_t size);

/// lgetxattr(2), likewise.
ssize_t linux_attribute(int directory, const char *name, const char *attribute, void *buffer, size_t size);

/// What fstatfs(2) says of a file system.
struct linux_file_system {
  /// Which kind it is (`f_type`).
  uint64_t type;
  /// Which it is, of its kind (`f_fsid`); 0 where it does not say.
  uint32_t number[2];
};

/// fstatfs(2); a descriptor with O_PATH will do.
int linux_look_at_file_system(int directory, struct linux_file_system *out);

/// The UUID of the file system of an open directory: XFS_IOC_FSGEOMETRY, or FS_IOC_GETFSUUID (Linux 6.10). ENOTTY where it
/// has none.
int linux_file_system_uuid(int directory, uint8_t uuid[16]);

/// Which subvolume of btrfs an open directory is in: BTRFS_IOC_INO_LOOKUP, which anybody may ask.
int linux_btrfs_subvolume(int directory, uint64_t *subvolume);

/// statx(2) of what a process runs, through the link `exe` in its directory of proc(5). Never asks the file system, which
/// may be one that never answers (AT_STATX_DONT_SYNC).
int linux_look_at_program(int process, struct linux_facts *out);

/// The number of a device as stat(2) has it.
uint64_t linux_device_number(uint64_t device);

/// sem_clockwait(3) of a sem_t until CLOCK_MONOTONIC shows that time, in microseconds.
int linux_wait_until(void *semaphore, uint64_t deadline);

/// getdents64(2).
ssize_t linux_getdents(int directory, void *buffer, size_t size);

/// renameat2(2): flags 1 is RENAME_NOREPLACE, 2 is RENAME_EXCHANGE.
int linux_rename(int from, const char *old_name, int to, const char *new_name, unsigned flags);

/// linkat(2) of an open file through /proc/self/fd, which needs no privilege.
int linux_link_descriptor(int descriptor, int directory, const char *name);

/// openat(2) with O_TMPFILE | O_RDWR | O_CLOEXEC.
int linux_open_unnamed(int directory, unsigned mode);

/// ioctl(FIONREAD): how many bytes can be read now.
int linux_pending(int descriptor);

/// ioctl(SIOCOUTQ): how much memory what the peer has not read takes.
int linux_unread_memory(int socket);

/// memfd_create(2) of one that can be sealed.
int linux_sealable_memory_file(void);

/// fcntl(F_ADD_SEALS): nobody changes the memory file any more.
int linux_seal(int descriptor);

/// Empties a memory file that can be sealed, for good: whoever else has it open holds nothing by that, and writes nothing.
int linux_empty_for_good(int descriptor);

/// Whether anybody else has the file open: a lease is given to the only one who has (fcntl(2), F_SETLEASE). -1 where that
/// cannot be told. The descriptor is of an open(2) of its own, for reading only.
int linux_is_open_elsewhere(int descriptor);

/// Whether anybody has the file open for writing: then no read lease is given (fcntl(2), F_SETLEASE), and one that is given is
/// returned at once. -1 where that cannot be told. The descriptor is for reading only.
int linux_is_open_for_writing(int descriptor);

/// From now on the file's reads leave its last access as it is (O_NOATIME), where this process may say so.
void linux_leave_access_time(int descriptor);

/// What the calling thread reads from disks from now on is read when nobody else wants anything of them (ioprio_set(2),
/// IOPRIO_CLASS_IDLE), where that may be said.
void linux_read_when_idle(void);

/// How many bytes of an open file of `size` bytes are in holes (lseek(2), SEEK_HOLE), counted until they are more than
/// `enough`; where they cannot be told, none.
int64_t linux_hole_bytes(int descriptor, int64_t size, int64_t enough);

/// ioctl(FICLONE): `to` shares all blocks of `from`.
int linux_clone(int to, int from);

/// copy_file_range(2); both offsets advance.
ssize_t linux_copy_range(int from, int64_t *from_offset, int to, int64_t *to_offset, size_t count);

/// What the porter is asked (porter.c): one request at a time, as one message of a SOCK_SEQPACKET socket.
enum {
  /// Receive `count` bytes, which were looked at, from the connection that comes with the request, and keep the
  /// descriptors that come with them. Answered with how many there are now.
  PORTER_RECEIVE = 1,
  /// The first `count` bytes of the file with that index. Answered with its size, and the bytes.
  PORTER_LOOK = 2,
  /// Copy the file with that index into the one that comes with the request, at most `count` bytes, and bring it to
  /// disk. Answered with how many, after any number of answers that it goes on.
  PORTER_COPY = 3,
  /// Close what comes with the request. Answered when it is.
  PORTER_CLOSE = 4,
  /// End the copy that is being made, which is answered with PORTER_STOPPED unless it was done before. Not answered itself.
  PORTER_STOP = 5,
};

/// After about so many bytes of a copy it is told that it goes on.
#define PORTER_STEP_BYTES 8388608

/// The most bytes of a file that PORTER_LOOK gives.
#define PORTER_MOST_BYTES 65536

struct porter_request {
  uint32_t kind;
  uint32_t index;
  uint64_t count;
};

/// Where a request went wrong; `error` is errno then, else 0.
enum { PORTER_DONE = 0, PORTER_GOES_ON = 1, PORTER_SOURCE = 2, PORTER_NOT_REGULAR = 3, PORTER_TOO_LARGE = 4, PORTER_TARGET = 5, PORTER_STOPPED = 6 };

struct porter_reply {
  uint32_t stage;
  int32_t error;
  uint64_t count;
};

/// Forks the porter. To be called before the process has threads: the child goes on with what it inherits.
/// Returns its control socket, or -1. It ends when that is closed.
int linux_start_porter(void);

/// A child of the porter's, for one job. Returns its socket, or -1: EAGAIN when the porter is behind. It ends when
/// that is closed or shut down for writing; the socket reads the end of the stream once it has ended.
int linux_porter_job(int control);

/// A lock on a file (flock(2)) that outlives nobody (lock.c).
struct linux_lock;

/// Takes the lock on a file, which is made if it is not there, and leaves `note` in it: at once or not at all. NULL with
/// errno: EWOULDBLOCK where it is held, ENOMEM where no thread is to be had. In `found` is the note of who holds it, or of
/// who held it last: nothing where nobody did.
struct linux_lock *linux_lock_take(const char *path, const char *note, char *found, size_t found_size);

/// Gives it up.
void linux_lock_release(struct linux_lock *lock);
