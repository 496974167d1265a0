// Each of the calls that move bytes, once or twice; and those that the agent cannot follow.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <initializer_list>
#include <string>

#include "streams.h"

// The directory of files that do not stay.
std::string scratch() {
  const char* directory = getenv("TMPDIR");
  return directory != nullptr && *directory != 0 ? directory : "/tmp";
}

// 3 + 4 bytes by each of the calls that send, then by each that receive.
int calls() {
  Listener listener(AF_INET);
  const int to = listener.connected(), from = listener.accepted();
  char data[8] = "abcdefg", one[3], other[4];
  iovec out[] = {{data, 3}, {data + 3, 4}}, in[] = {{one, 3}, {other, 4}};
  msghdr sent{}, received{};
  sent.msg_iov = out;
  received.msg_iov = in;
  sent.msg_iovlen = received.msg_iovlen = 2;
  mmsghdr sentTwice[2]{{sent, 0}, {sent, 0}};
  EXPECT(write(to, data, 7) == 7);
  EXPECT(writev(to, out, 2) == 7);
  EXPECT(send(to, data, 7, 0) == 7);
  EXPECT(sendto(to, data, 7, MSG_NOSIGNAL, nullptr, 0) == 7);
  EXPECT(sendmsg(to, &sent, 0) == 7);
  EXPECT(sendmmsg(to, sentTwice, 2, 0) == 2);
  char buffer[16];
  EXPECT(recv(from, buffer, 7, MSG_PEEK) == 7);
  EXPECT(read(from, buffer, 7) == 7);
  EXPECT(readv(from, in, 2) == 7);
  EXPECT(recv(from, buffer, 7, MSG_WAITALL) == 7);
  EXPECT(recvfrom(from, buffer, 7, 0, nullptr, nullptr) == 7);
  EXPECT(recvmsg(from, &received, 0) == 7);
  mmsghdr receivedTwice[2]{{received, 0}, {received, 0}};
  EXPECT(recvmmsg(from, receivedTwice, 2, 0, nullptr) == 2);
  EXPECT(memcmp(one, "abc", 3) == 0 && memcmp(other, "defg", 4) == 0);
  return 0;
}

// Bytes that the kernel moves.
int moving() {
  std::string path = scratch() + "/parallax-streams-XXXXXX";
  const int file = mkstemp(path.data());
  unlink(path.c_str());
  give(file, 5000);
  Listener listener(AF_INET);
  const int to = listener.connected(), from = listener.accepted();
  off_t offset = 1000;
  EXPECT(sendfile(to, file, &offset, 3000) == 3000);
  Pipe first, second;
  EXPECT(recv(from, nullptr, 0, 0) == 0);
  size_t moved = 0;
  while (moved < 3000) {
    const ssize_t part = splice(from, nullptr, first.to, nullptr, 3000 - moved, 0);
    EXPECT(part > 0);
    moved += static_cast<size_t>(part);
  }
  EXPECT(tee(first.from, second.to, 3000, 0) == 3000);
  take(first.from, 3000);
  take(second.from, 3000);
  char data[100] = {};
  iovec part{data, sizeof data};
  EXPECT(vmsplice(second.to, &part, 1, 0) == 100);
  take(second.from, 100);
  return 0;
}

// Messages keep their borders and may be lost: they are counted, and match nothing.
int datagrams() {
  char buffer[64] = {};
  int fds[2];
  for (const int type : {SOCK_DGRAM, SOCK_SEQPACKET}) {
    EXPECT(socketpair(AF_UNIX, type, 0, fds) == 0);
    EXPECT(send(fds[0], buffer, 10, 0) == 10);
    EXPECT(recv(fds[1], buffer, 64, 0) == 10);
  }
  const int receiver = socket(AF_INET, SOCK_DGRAM, 0), sender = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT(bind(receiver, reinterpret_cast<sockaddr*>(&address), size) == 0);
  EXPECT(getsockname(receiver, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  EXPECT(sendto(sender, buffer, 20, 0, reinterpret_cast<sockaddr*>(&address), size) == 20);
  EXPECT(recvfrom(receiver, buffer, 64, 0, nullptr, nullptr) == 20);
  return 0;
}

// Past libc, by the sender and by the receiver; the third pipe is honest.
int past() {
  char data[16] = {};
  Pipe sender, receiver, honest;
  give(sender.to, 4);
  EXPECT(syscall(SYS_write, sender.to, data, 8) == 8);
  take(sender.from, 12);
  give(receiver.to, 8);
  EXPECT(syscall(SYS_read, receiver.from, data, 4) == 4);
  take(receiver.from, 4);
  close(receiver.to);
  takeEnd(receiver.from);
  give(honest.to, 8);
  take(honest.from, 8);
  // Urgent data are not in the order of the others.
  Listener listener(AF_INET);
  const int to = listener.connected(), from = listener.accepted();
  EXPECT(send(to, data, 4, 0) == 4);
  EXPECT(send(to, data, 1, MSG_OOB) == 1);
  EXPECT(recv(from, data, 4, 0) == 4);
  return 0;
}

// Addresses that only the kernel may try, and parts without room.
int faults() {
  const volatile uintptr_t nowhere = 8;
  auto* const parts = reinterpret_cast<iovec*>(nowhere);
  auto* const message = reinterpret_cast<msghdr*>(nowhere);
  auto* const messages = reinterpret_cast<mmsghdr*>(nowhere);
  int ends[2];
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const auto refused = [](ssize_t result) {
    const bool right = result == -1 && errno == EFAULT;
    errno = 0;
    return right;
  };
  const std::string name = scratch() + "/parallax-faults-" + std::to_string(getpid());
  const int file = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  EXPECT(file >= 0 && unlink(name.c_str()) == 0);
  EXPECT(refused(readv(ends[0], parts, 1)) && refused(writev(ends[0], parts, 1)));
  EXPECT(refused(preadv(file, parts, 1, 0)) && refused(pwritev(file, parts, 1, 0)));
  EXPECT(refused(preadv2(file, parts, 1, 0, 0)) && refused(pwritev2(file, parts, 1, 0, 0)));
  EXPECT(refused(sendmsg(ends[0], message, 0)) && refused(recvmsg(ends[0], message, 0)));
  EXPECT(refused(sendmmsg(ends[0], messages, 1, 0)));
  EXPECT(refused(recvmmsg(ends[0], messages, 1, 0, nullptr)));
  char data[8] = {};
  iovec room[] = {{data, 2}, {data + 2, 6}}, none[] = {{data, 0}};
  EXPECT(writev(ends[0], room, 2) == 8 && readv(ends[1], none, 1) == 0);
  EXPECT(readv(ends[1], room, 2) == 8);
  msghdr whole = {};
  whole.msg_iov = room;
  whole.msg_iovlen = 2;
  EXPECT(sendmsg(ends[0], &whole, 0) == 8 && recvmsg(ends[1], &whole, 0) == 8);
  close(ends[0]);
  EXPECT(readv(ends[1], room, 2) == 0 && recvmsg(ends[1], &whole, 0) == 0);
  return 0;
}
