// Who is at the other end of a UNIX socket. A connection is named by one inode: that of the socket
// that connected, which the kernel tells of an accepted one (sock_diag, for which no right is
// needed); of a pair, the smaller one. What was found out is written down for all processes that
// inherit the socket.
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstring>

#include "base/sys.h"
#include "core/agent.h"
#include "core/shared_counters.h"
#include "interpose/descriptors/stream_keys.h"

namespace parallax {
namespace {

constexpr uint64_t kForth = uint64_t{1} << 63;  // this is the end that the inode names

void remember(SharedCounters* socket, uint64_t connection) {
  uint64_t none = 0;
  if (socket != nullptr) socket->value[1].compare_exchange_strong(none, connection);
}

bool isNamed(int fd, long call) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  return sys::call(call, fd, sys::word(&address), sys::word(&size)) == 0 &&
         size > sizeof(sa_family_t);
}

// What names the connection; 0 when it cannot be found.
uint64_t connectionOf(int fd, uint64_t inode, Sight sight) {
  if (sight == Sight::kConnected) return inode | kForth;
  const uint64_t peer = unixPeer(inode);
  if (sight == Sight::kAccepted) return peer;
  const bool named = isNamed(fd, SYS_getsockname), peerNamed = isNamed(fd, SYS_getpeername);
  if (peerNamed && !named) return inode | kForth;
  if (peer == 0) return 0;
  if (named && !peerNamed) return peer;
  return inode < peer ? inode | kForth : peer;
}

}  // namespace

uint64_t unixPeer(uint64_t inode) {
  struct {
    nlmsghdr header;
    unix_diag_req body;
  } request{};
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  request.body.sdiag_family = AF_UNIX;
  request.body.udiag_states = ~0u;
  request.body.udiag_ino = static_cast<uint32_t>(inode);
  request.body.udiag_show = UDIAG_SHOW_PEER;
  request.body.udiag_cookie[0] = request.body.udiag_cookie[1] = ~0u;
  const long fd = sys::call(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (fd < 0) return 0;
  alignas(8) char answer[512];  // some 50 are used
  long size = sys::call(SYS_sendto, fd, sys::word(&request), sizeof request, MSG_DONTWAIT);
  if (size > 0) {
    size = sys::call(SYS_recvfrom, fd, sys::word(answer), sizeof answer, MSG_DONTWAIT);
  }
  sys::close(static_cast<int>(fd));
  const auto* header = reinterpret_cast<const nlmsghdr*>(answer);
  if (size < static_cast<long>(NLMSG_LENGTH(sizeof(unix_diag_msg))) ||
      header->nlmsg_type != SOCK_DIAG_BY_FAMILY) {
    return 0;
  }
  const auto* message = static_cast<const unix_diag_msg*>(NLMSG_DATA(header));
  const auto* attribute = reinterpret_cast<const rtattr*>(message + 1);
  auto left = static_cast<int>(header->nlmsg_len - NLMSG_LENGTH(sizeof *message));
  for (; RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left)) {
    if (attribute->rta_type == UNIX_DIAG_PEER) {
      uint32_t peer;
      memcpy(&peer, RTA_DATA(attribute), sizeof peer);
      return peer;
    }
  }
  return 0;
}

SharedCounters* socketEntry(int fd, ino_t inode) {
  // Never given to another socket while the host is up.
  uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  sys::call(SYS_getsockopt, fd, SOL_SOCKET, SO_COOKIE, sys::word(&cookie), sys::word(&size));
  constexpr int kNeighbourBits = 6;
  const StreamKey key = hashOfInode(StreamTag::kSocket, inode >> kNeighbourBits, 0, cookie);
  return sharedCounters(key.high, key.low);
}

void pairUnixSockets(int first, int second) {
  struct stat one, other;
  if (sys::call(SYS_fstat, first, sys::word(&one)) != 0 ||
      sys::call(SYS_fstat, second, sys::word(&other)) != 0) {
    return;
  }
  const uint64_t smaller = one.st_ino < other.st_ino ? one.st_ino : other.st_ino;
  remember(socketEntry(first, one.st_ino), smaller | (smaller == one.st_ino ? kForth : 0));
  remember(socketEntry(second, other.st_ino), smaller | (smaller == other.st_ino ? kForth : 0));
}

void unixKeys(int fd, ino_t inode, Sight sight, StreamKey* send, StreamKey* receive) {
  SharedCounters* socket = socketEntry(fd, inode);
  if (socket == nullptr) return;
  uint64_t connection = socket->value[1].load(std::memory_order_acquire);
  if (connection == 0) {
    connection = connectionOf(fd, inode, sight);
    remember(socket, connection);
  }
  if (connection == 0) return;
  const bool forth = (connection & kForth) != 0;
  const StreamKey there = hashOfInode(StreamTag::kUnixForth, hostSalt(), 0, connection & ~kForth);
  const StreamKey back = hashOfInode(StreamTag::kUnixBack, hostSalt(), 0, connection & ~kForth);
  *send = forth ? there : back;
  *receive = forth ? back : there;
}

}  // namespace parallax
