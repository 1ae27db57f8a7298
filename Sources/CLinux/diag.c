#define _GNU_SOURCE
#include "CLinux.h"
#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

// Asks for one socket. The kernel answers while it is asked: nothing waits.
static int ask(int netlink, int family, struct linux_tcp_end local, struct linux_tcp_end remote, uid_t *uid) {
  struct {
    struct nlmsghdr header;
    struct inet_diag_req_v2 request;
  } question = {
      .header = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
      .request = {.sdiag_family = (uint8_t)family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0u},
  };
  struct inet_diag_sockid *id = &question.request.id;
  memcpy(id->idiag_src, local.address, sizeof id->idiag_src);
  memcpy(id->idiag_dst, remote.address, sizeof id->idiag_dst);
  id->idiag_sport = htons(local.port);
  id->idiag_dport = htons(remote.port);
  id->idiag_cookie[0] = id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  if (send(netlink, &question, sizeof question, 0) < 0) return -1;

  union {
    struct nlmsghdr header;
    char bytes[4096];
  } answer;
  ssize_t count = recv(netlink, &answer, sizeof answer, MSG_DONTWAIT);
  if (count < 0) return -1;
  if ((size_t)count >= NLMSG_LENGTH(sizeof(struct nlmsgerr)) && answer.header.nlmsg_type == NLMSG_ERROR) {
    errno = -((struct nlmsgerr *)NLMSG_DATA(&answer.header))->error;
    return -1;
  }
  const struct inet_diag_msg *found = NLMSG_DATA(&answer.header);
  // One that listens at that port is found as well, and one that was closed while its connection ends: neither is a peer.
  if ((size_t)count < NLMSG_LENGTH(sizeof *found) || answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
      found->id.idiag_sport != id->idiag_sport || found->id.idiag_dport != id->idiag_dport || found->idiag_inode == 0) {
    errno = ENOENT;
    return -1;
  }
  *uid = found->idiag_uid;
  return 0;
}

int linux_tcp_owner(int family, struct linux_tcp_end local, struct linux_tcp_end remote, uid_t *uid) {
  int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (netlink < 0) return -1;
  int result = ask(netlink, family, local, remote, uid);
  int error = errno;
  close(netlink);
  errno = error;
  return result;
}
