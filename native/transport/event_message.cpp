#include "transport/event_message.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>

#include <cstring>

#include "base/sys.h"
#include "base/text.h"
#include "transport/event_ring.h"
#include "transport/trace_space.h"

namespace parallax {
namespace {

constexpr timespec kMostWait{0, event_rings::kWaitMs * 1'000'000};  // of the writer's end nobody tells

// Returns 0, or like sendEvents().
int sendOn(int fd, const msghdr& message, const event_rings::Control& control) {
  for (int waits = 0;;) {
    const long sent = sys::call(SYS_sendmsg, fd, sys::word(&message), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) return 0;
    if (sent == -EINTR) continue;
    if (sent != -EAGAIN) return -kNoRing;
    if (control.writer.ends()) return -kNoRing;
    if (control.drops != 0) return -kWriterBehind;
    if (waits >= event_rings::mostWaits()) {
      event_rings::giveUp();
      return -kNoRing;
    }
    pollfd room{fd, POLLOUT, 0};
    const long ready = sys::call(SYS_ppoll, sys::word(&room), 1, sys::word(&kMostWait), 0, 0);
    if (ready < 0 && ready != -EINTR) return -kNoRing;
    waits += ready == 0 ? 1 : 0;
  }
}

// Waits for an event of a socket, for some slices of kMostWait. Returns false after them; if they were as many as a thread waits
// at most, the process waits for no other.
bool await(int fd, short event, int slices) {
  for (int i = 0; i < slices;) {
    pollfd ready{fd, event, 0};
    const long count = sys::call(SYS_ppoll, sys::word(&ready), 1, sys::word(&kMostWait), 0, 0);
    if (count > 0) return true;
    if (count == 0) i++;
    if (count < 0 && count != -EINTR) return false;
  }
  if (slices >= event_rings::mostWaits()) event_rings::giveUp();
  return false;
}

bool sendAll(int fd, const void* data, size_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const long sent = sys::call(SYS_sendto, fd, sys::word(from), static_cast<long>(bytes), MSG_NOSIGNAL, 0, 0);
    if (sent == -EINTR) continue;
    if (sent == -EAGAIN && await(fd, POLLOUT, event_rings::mostWaits())) continue;
    if (sent <= 0) return false;
    from += sent;
    bytes -= static_cast<size_t>(sent);
  }
  return true;
}

// Returns whether all of the answer came within some slices.
bool receive(int fd, int32_t* answer, int slices) {
  size_t got = 0;
  while (got < sizeof *answer) {
    const long part = sys::call(SYS_recvfrom, fd, sys::word(reinterpret_cast<char*>(answer) + got),
                                static_cast<long>(sizeof *answer - got), 0, 0, 0);
    if (part == -EINTR) continue;
    if (part == -EAGAIN && await(fd, POLLIN, slices)) continue;
    if (part <= 0) return false;
    got += static_cast<size_t>(part);
  }
  return true;
}

// Returns like sendEvents().
int converse(int fd, const CollectorRequest& request, const char* data, const event_rings::Control& control) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(control.port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int behind = control.drops != 0 ? -kWriterBehind : -kNoRing;
  const int slices = control.drops != 0 ? 1 : event_rings::mostWaits();
  const long error = sys::call(SYS_connect, fd, sys::word(&address), sizeof address);
  if (error != 0 && error != -EINPROGRESS) return -kNoRing;
  if (!await(fd, POLLOUT, slices)) return behind;
  if (!sendAll(fd, &request, sizeof request)) return -kNoRing;
  int32_t answer = 0;
  if (!receive(fd, &answer, slices)) return event_rings::writerLives() ? behind : -kNoRing;
  if (answer != kCollects || !sendAll(fd, data, request.head.bytes)) return -kNoRing;
  if (!receive(fd, &answer, event_rings::mostWaits())) return -kNoRing;
  return answer <= 0 ? answer : -kNoRing;
}

int sendByTcp(const EventMessage& head, const char* data, const event_rings::Control& control) {
  const int fd =
      static_cast<int>(sys::call(SYS_socket, AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (fd < 0) return -kNoRing;
  // Closing it leaves no connection that waits for its time: there are many a second.
  const linger none{1, 0};
  sys::call(SYS_setsockopt, fd, SOL_SOCKET, SO_LINGER, sys::word(&none), sizeof none);
  CollectorRequest request{};
  memcpy(request.secret, control.secret, sizeof request.secret);
  request.head = head;
  const int result = converse(fd, request, data, control);
  sys::close(fd);
  return result;
}

}  // namespace

int sendEvents(const char* name, const char* data, size_t bytes, uint64_t offset) {
  const event_rings::Control* control = event_rings::control();
  if (control == nullptr) return -kNoRing;
  if (!event_rings::writerLives()) return -kNoRing;
  EventMessage head{kMessageMagic, static_cast<uint32_t>(bytes), offset, {}};
  appendText(head.name, 0, sizeof head.name - 1, name);
  if (control->port != 0) return sendByTcp(head, data, *control);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  size_t end = appendText(address.sun_path, 0, kMostSocketPath, event_rings::path());
  end = appendText(address.sun_path, end, kMostSocketPath, kSocketEnding);
  const int fd = static_cast<int>(sys::call(SYS_socket, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (fd < 0) return -kNoRing;
  iovec parts[] = {{&head, sizeof head}, {const_cast<char*>(data), bytes}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  int result = -kNoRing;
  if (sys::call(SYS_connect, fd, sys::word(&address), sizeof address) == 0) result = sendOn(fd, message, *control);
  sys::close(fd);
  // A writer takes what was sent before its end, and not what comes later.
  return result == 0 && !event_rings::writerLives() ? -kNoRing : result;
}

}  // namespace parallax
