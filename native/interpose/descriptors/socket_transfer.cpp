// send, recv and their kin.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine: counted where the descriptor is known as a stream, and passes through.
#include <sys/socket.h>

#include <cstring>

#include "interpose/descriptors/fd_transfer.h"

extern "C" [[noreturn]] void __chk_fail();

namespace parallax {
namespace {

PARALLAX_REAL Real<ssize_t(int, const void*, size_t, int)> realSend("send");
PARALLAX_REAL Real<ssize_t(int, const void*, size_t, int, const sockaddr*, socklen_t)>
    realSendto("sendto");
PARALLAX_REAL Real<ssize_t(int, const msghdr*, int)> realSendmsg("sendmsg");
PARALLAX_REAL Real<int(int, mmsghdr*, unsigned, int)> realSendmmsg("sendmmsg");
PARALLAX_REAL Real<ssize_t(int, void*, size_t, int)> realRecv("recv");
PARALLAX_REAL Real<ssize_t(int, void*, size_t, int, sockaddr*, socklen_t*)>
    realRecvfrom("recvfrom");
PARALLAX_REAL Real<ssize_t(int, msghdr*, int)> realRecvmsg("recvmsg");
PARALLAX_REAL Real<int(int, mmsghdr*, unsigned, int, timespec*)> realRecvmmsg("recvmmsg");

FdRegions sendRegions("send"), sendtoRegions("sendto"), sendmsgRegions("sendmsg"),
    sendmmsgRegions("sendmmsg"), recvRegions("recv"), recvfromRegions("recvfrom"),
    recvmsgRegions("recvmsg"), recvmmsgRegions("recvmmsg");

Transfer sending(int fd, uint64_t bytes, int flags) {
  Transfer result{fd, Way::kSend, bytes};
  result.distrusted = (flags & MSG_OOB) != 0;
  result.neverWaits = (flags & MSG_DONTWAIT) != 0;
  return result;
}

Transfer receiving(int fd, uint64_t bytes, int flags) {
  Transfer result{fd, Way::kReceive, bytes};
  // A peek leaves the bytes there, and errors are in a queue of their own.
  result.counts = (flags & (MSG_PEEK | MSG_ERRQUEUE | MSG_OOB)) == 0;
  result.distrusted = (flags & MSG_OOB) != 0;
  result.neverWaits = (flags & (MSG_DONTWAIT | MSG_ERRQUEUE)) != 0;
  return result;
}

// Descriptors that have come with a message are new.
void forgetReceived(const msghdr* message) {
  if (message->msg_control == nullptr || message->msg_controllen == 0) return;
  auto* whole = const_cast<msghdr*>(message);
  for (cmsghdr* part = CMSG_FIRSTHDR(whole); part != nullptr; part = CMSG_NXTHDR(whole, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    for (size_t at = CMSG_LEN(0); at + sizeof(int) <= part->cmsg_len; at += sizeof(int)) {
      int fd;
      memcpy(&fd, reinterpret_cast<char*>(part) + at, sizeof fd);
      forgetDescriptor(fd);
    }
  }
}

// The bytes of several messages, as one transfer.
uint64_t totalBytes(const mmsghdr* messages, int count) {
  uint64_t bytes = 0;
  for (int i = 0; i < count; i++) {
    bytes += parallax::totalBytes(messages[i].msg_hdr.msg_iov,
                                  static_cast<int64_t>(messages[i].msg_hdr.msg_iovlen));
  }
  return bytes;
}

constexpr unsigned kMostMessages = 1024;  // of one call: the kernel takes no more

// So many of the messages have been sent or received.
int64_t bytesOf(const mmsghdr* messages, int count) {
  if (count < 0) return count;
  int64_t bytes = 0;
  for (int i = 0; i < count; i++) bytes += messages[i].msg_len;
  return bytes;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT ssize_t send(int fd, const void* data, size_t size, int flags) {
  auto* real = realSend.get();
  return transfer(sendRegions, sending(fd, size, flags),
                  [=] { return real(fd, data, size, flags); });
}

PARALLAX_EXPORT ssize_t sendto(int fd, const void* data, size_t size, int flags,
                               const sockaddr* address, socklen_t length) {
  auto* real = realSendto.get();
  return transfer(sendtoRegions, sending(fd, size, flags),
                  [=] { return real(fd, data, size, flags, address, length); });
}

PARALLAX_EXPORT ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  auto* real = realSendmsg.get();
  return transfer(sendmsgRegions, sending(fd, kMostBytes, flags),
                  [=] { return real(fd, message, flags); });
}

PARALLAX_EXPORT int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
  auto* real = realSendmmsg.get();
  int sent = -1;
  const uint64_t most = kMostBytes * (count < kMostMessages ? count : kMostMessages);
  transfer(sendmmsgRegions, sending(fd, most, flags), [&] {
    sent = real(fd, messages, count, flags);
    return bytesOf(messages, sent);
  });
  return sent;
}

PARALLAX_EXPORT ssize_t recv(int fd, void* buffer, size_t size, int flags) {
  auto* real = realRecv.get();
  return transfer(recvRegions, receiving(fd, size, flags),
                  [=] { return real(fd, buffer, size, flags); });
}

PARALLAX_EXPORT ssize_t recvfrom(int fd, void* buffer, size_t size, int flags, sockaddr* address,
                                 socklen_t* length) {
  auto* real = realRecvfrom.get();
  return transfer(recvfromRegions, receiving(fd, size, flags),
                  [=] { return real(fd, buffer, size, flags, address, length); });
}

PARALLAX_EXPORT ssize_t recvmsg(int fd, msghdr* message, int flags) {
  auto* real = realRecvmsg.get();
  const ssize_t result = receiveParts(
      recvmsgRegions, receiving(fd, kMostBytes, flags), [=] { return real(fd, message, flags); },
      [=] {
        return parallax::totalBytes(message->msg_iov, static_cast<int64_t>(message->msg_iovlen));
      });
  if (result >= 0) forgetReceived(message);
  return result;
}

PARALLAX_EXPORT int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags,
                             timespec* timeout) {
  auto* real = realRecvmmsg.get();
  int received = -1;
  receiveParts(
      recvmmsgRegions, receiving(fd, kMostBytes, flags),
      [&] {
        received = real(fd, messages, count, flags, timeout);
        return bytesOf(messages, received);
      },
      [&] { return totalBytes(messages, received); });
  for (int i = 0; i < received; i++) forgetReceived(&messages[i].msg_hdr);
  return received;
}

// What they are called when the program is compiled with _FORTIFY_SOURCE.
PARALLAX_EXPORT ssize_t __recv_chk(int fd, void* buffer, size_t size, size_t capacity, int flags) {
  if (size > capacity) __chk_fail();
  return recv(fd, buffer, size, flags);
}
PARALLAX_EXPORT ssize_t __recvfrom_chk(int fd, void* buffer, size_t size, size_t capacity,
                                       int flags, sockaddr* address, socklen_t* length) {
  if (size > capacity) __chk_fail();
  return recvfrom(fd, buffer, size, flags, address, length);
}
