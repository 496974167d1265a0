// Descriptors that are neither files nor streams. What their number stood for before may have been closed
// past all symbols: libuv closes by syscall().
//
// Called before the real function is known: it is looked up at once (real.h). None of them calls
// another.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/timerfd.h>

#include "interpose/descriptors/event_counter.h"
#include "interpose/descriptors/fd_table.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(unsigned, int)> realEventfd("eventfd");
PARALLAX_REAL Real<int(int)> realEpollCreate("epoll_create");
PARALLAX_REAL Real<int(int)> realEpollCreate1("epoll_create1");
PARALLAX_REAL Real<int(clockid_t, int)> realTimerfdCreate("timerfd_create");
PARALLAX_REAL Real<int()> realInotifyInit("inotify_init");
PARALLAX_REAL Real<int(int)> realInotifyInit1("inotify_init1");
PARALLAX_REAL Real<int(const char*, unsigned)> realMemfdCreate("memfd_create");

int made(int fd) {
  forgetDescriptor(fd);
  return fd;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int eventfd(unsigned value, int flags) noexcept {
  const int fd = made(realEventfd.get()(value, flags));
  beginEvents(fd, value, (flags & EFD_SEMAPHORE) != 0);
  return fd;
}
PARALLAX_EXPORT int epoll_create(int size) noexcept { return made(realEpollCreate.get()(size)); }
PARALLAX_EXPORT int epoll_create1(int flags) noexcept {
  return made(realEpollCreate1.get()(flags));
}
PARALLAX_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  return made(realTimerfdCreate.get()(clock, flags));
}
PARALLAX_EXPORT int inotify_init() noexcept { return made(realInotifyInit.get()()); }
PARALLAX_EXPORT int inotify_init1(int flags) noexcept {
  return made(realInotifyInit1.get()(flags));
}
PARALLAX_EXPORT int memfd_create(const char* name, unsigned flags) noexcept {
  return made(realMemfdCreate.get()(name, flags));
}
