#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

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

// Room for SCM_MAX_FD descriptors, aligned as the kernel wants it.
typedef union {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int) * LINUX_MAX_DESCRIPTORS)];
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

ssize_t linux_receive_descriptors(int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count) {
  struct iovec vector = {bytes, capacity};
  control_buffer control;
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  *descriptor_count = 0;
  ssize_t received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
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

int linux_fcntl_int(int descriptor, int command, int argument) { return fcntl(descriptor, command, argument); }

int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
