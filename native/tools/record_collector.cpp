#include <errno.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "core/clock.h"
#include "tools/record_writer.h"

namespace parallax::record {
namespace {

constexpr int kPeriodMs = 50;  // between two looks for the end
constexpr uint64_t kMostSilenceNs = 2'000'000'000;  // of one that has sent no request

bool isEqual(const uint8_t* one, const uint8_t* other, size_t bytes) {
  uint8_t different = 0;
  for (size_t i = 0; i < bytes; i++) different = static_cast<uint8_t>(different | (one[i] ^ other[i]));
  return different == 0;
}

bool answer(int fd, int32_t value) { return send(fd, &value, sizeof value, MSG_NOSIGNAL) == sizeof value; }

}  // namespace

// Each is a descriptor: without one for it, a caller would be found ready again and again. Event files have as many at least.
size_t Collector::mostCallers() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return kMostCallers;
  if (limit.rlim_cur <= 2 * kDescriptors) return std::max<size_t>(limit.rlim_cur / 4, 1);
  return std::min<size_t>((limit.rlim_cur - kDescriptors) / 2, kMostCallers);
}

void Collector::accept() {
  const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd < 0) return;
  const timeval most{2, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
  callers_.push_back({fd, readClockNs(CLOCK_MONOTONIC)});
}

bool Collector::collect(int fd, EventMessage* head, int32_t* result) {
  for (size_t got = 0; got < head->bytes;) {
    const ssize_t part = recv(fd, bytes_ + got, head->bytes - got, 0);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return false;
    got += static_cast<size_t>(part);
  }
  uint32_t events;
  *result = -write(head, bytes_, &events);  // the thread counts what is lost
  return true;
}

// Returns false while its request is not complete.
bool Collector::serve(const Caller& caller) {
  CollectorRequest request;
  const ssize_t got = recv(caller.fd, &request, sizeof request, MSG_PEEK | MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got > 0 && got < static_cast<ssize_t>(sizeof request)) return false;
  if (got <= 0 || !isEqual(request.secret, control_->secret, sizeof request.secret)) return true;
  recv(caller.fd, &request, sizeof request, 0);
  const bool isRight = request.head.magic == kMessageMagic && request.head.bytes <= sizeof bytes_;
  if (!isRight || !answer(caller.fd, kCollects)) return true;
  // A thread without an answer writes by itself: it has given up, or its process was stopped for too long.
  if (int32_t result; collect(caller.fd, &request.head, &result)) answer(caller.fd, result);
  return true;
}

void Collector::serveUntilEnd(pid_t recorder) {
  while (!isLast(recorder)) {
    std::vector<pollfd> ready;
    for (const Caller& caller : callers_) ready.push_back({caller.fd, POLLIN, 0});
    const size_t count = ready.size();
    if (count < mostCallers_) ready.push_back({listener_, POLLIN, 0});
    poll(ready.data(), ready.size(), kPeriodMs);
    const uint64_t nowNs = readClockNs(CLOCK_MONOTONIC);
    std::vector<Caller> left;
    for (size_t i = 0; i < count; i++) {
      const Caller& caller = callers_[i];
      const bool isOld = nowNs - caller.sinceNs > kMostSilenceNs;
      if ((ready[i].revents != 0 && serve(caller)) || isOld) {
        close(caller.fd);
      } else {
        left.push_back(caller);
      }
    }
    callers_ = left;
    if (ready.size() > count && ready[count].revents != 0) accept();
  }
  control_->writer.word.store(0, std::memory_order_seq_cst);
  close(listener_);
  for (const Caller& caller : callers_) close(caller.fd);
  files_.closeAll();
  tellFinished();
}

}  // namespace parallax::record
