// How sockets come to be connected.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine: what is known of the descriptor is forgotten, and the call passes through.
#include <sys/socket.h>

#include "interpose/descriptors/fd_transfer.h"
#include "interpose/descriptors/stream_keys.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(int, int, int)> realSocket("socket");
PARALLAX_REAL Real<int(int, int, int, int*)> realSocketpair("socketpair");
PARALLAX_REAL Real<int(int, const sockaddr*, socklen_t)> realConnect("connect");
PARALLAX_REAL Real<int(int, int)> realListen("listen");
PARALLAX_REAL Real<int(int, sockaddr*, socklen_t*)> realAccept("accept");
PARALLAX_REAL Real<int(int, sockaddr*, socklen_t*, int)> realAccept4("accept4");
PARALLAX_REAL Real<int(int, int)> realShutdown("shutdown");

Region connectRegion("connect", format::Group::kStream);
Region acceptRegion("accept", format::Group::kStream);

template <class Real>
int acceptOne(int fd, Real real) {
  if (!fdCallsWanted() || !adapterEnabled(Adapter::kStream)) {
    const int result = real();
    forgetDescriptor(result);
    return result;
  }
  FdCall call;
  Descriptor listening;
  if (!call || !describe(fd, &listening)) {
    call.release();
    const int result = real();
    forgetDescriptor(result);
    return result;
  }
  call.begin(acceptRegion, !listening.nonBlocking);
  const int result = call.run(real);
  const int error = errno;
  call.returned();
  if (result < 0 && error == EAGAIN) call.missed();
  if (result >= 0) {
    describeNew(result, Sight::kAccepted);
    call.keep();
  } else if (call.duration() > FdCall::shortTicks()) {
    call.keep();
  } else if (error == EAGAIN) {
    setNonBlocking(fd, true);
  }
  errno = error;
  return result;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int socket(int domain, int type, int protocol) noexcept {
  const int result = realSocket.get()(domain, type, protocol);
  forgetDescriptor(result);
  return result;
}

PARALLAX_EXPORT int socketpair(int domain, int type, int protocol, int fds[2]) noexcept {
  const int result = realSocketpair.get()(domain, type, protocol, fds);
  if (result != 0) return result;
  forgetDescriptor(fds[0]);
  forgetDescriptor(fds[1]);
  if (domain != AF_UNIX || !fdCallsWanted() || !adapterEnabled(Adapter::kStream)) return result;
  Guard guard;
  if (guard) pairUnixSockets(fds[0], fds[1]);
  return result;
}

PARALLAX_EXPORT int connect(int fd, const sockaddr* address, socklen_t length) {
  auto* real = realConnect.get();
  forgetDescriptor(fd);
  if (!fdCallsWanted() || !adapterEnabled(Adapter::kStream)) return real(fd, address, length);
  FdCall call;
  if (!call) return real(fd, address, length);
  call.begin(connectRegion, true, FdCall::Polled::kNever);
  const int result = call.run([=] { return real(fd, address, length); });
  const int error = errno;
  call.returned();
  if (result == 0) describeNew(fd, Sight::kConnected);
  errno = error;
  return result;
}

PARALLAX_EXPORT int listen(int fd, int backlog) noexcept {
  forgetDescriptor(fd);
  return realListen.get()(fd, backlog);
}

PARALLAX_EXPORT int accept(int fd, sockaddr* address, socklen_t* length) {
  auto* real = realAccept.get();
  return acceptOne(fd, [=] { return real(fd, address, length); });
}

PARALLAX_EXPORT int accept4(int fd, sockaddr* address, socklen_t* length, int flags) {
  auto* real = realAccept4.get();
  return acceptOne(fd, [=] { return real(fd, address, length, flags); });
}

// The end of what is sent is a StreamSend of no bytes.
PARALLAX_EXPORT int shutdown(int fd, int how) noexcept {
  auto* real = realShutdown.get();
  Descriptor descriptor;
  if (how == SHUT_RD || !knownDescriptor(fd, &descriptor) || !isStream(descriptor)) {
    return real(fd, how);
  }
  static Region region("shutdown", format::Group::kStream);
  Call call(region);
  const int result = real(fd, how);
  call.returned();
  if (call && result == 0) {
    call.emit(Kind::kStreamSend, descriptor.send.id, {countSent(descriptor.send, 0, 0), 0});
  }
  return result;
}
