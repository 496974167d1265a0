#include "transport/event_message.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>

#include "base/sys.h"
#include "base/text.h"
#include "transport/event_ring.h"
#include "transport/trace_space.h"

namespace parallax {
namespace {

constexpr timespec kMostWait{0, 50'000'000};  // of the writer's end nobody tells

// Returns 0, or like sendEvents().
int sendOn(int fd, const msghdr& message, const event_rings::Control& control) {
  for (;;) {
    const long sent = sys::call(SYS_sendmsg, fd, sys::word(&message), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) return 0;
    if (sent == -EINTR) continue;
    if (sent != -EAGAIN) return -kNoRing;
    if (control.writer.ends()) return -kNoRing;
    if (control.drops != 0) return -kWriterBehind;
    pollfd room{fd, POLLOUT, 0};
    const long ready = sys::call(SYS_ppoll, sys::word(&room), 1, sys::word(&kMostWait), 0, 0);
    if (ready < 0 && ready != -EINTR) return -kNoRing;
  }
}

}  // namespace

int sendEvents(const char* name, const char* data, size_t bytes, uint64_t offset) {
  const event_rings::Control* control = event_rings::control();
  if (control == nullptr) return -kNoRing;
  if (!event_rings::writerLives()) return -kNoRing;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  size_t end = appendText(address.sun_path, 0, kMostSocketPath, event_rings::path());
  end = appendText(address.sun_path, end, kMostSocketPath, kSocketEnding);
  const int fd = static_cast<int>(sys::call(SYS_socket, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (fd < 0) return -kNoRing;
  EventMessage head{kMessageMagic, static_cast<uint32_t>(bytes), offset, {}};
  appendText(head.name, 0, sizeof head.name - 1, name);
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
