// Message queues of POSIX. A message is attempted first with a deadline that is over, which does not wait.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an intercepted routine: passes
// straight through; the queue is uneven from then on.
#include <mqueue.h>
#include <sys/stat.h>

#include "base/sys.h"
#include "core/process.h"
#include "interpose/ipc/message_queue.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(mqd_t, const char*, size_t, unsigned, const timespec*)> realSend("mq_timedsend");
PARALLAX_REAL Real<ssize_t(mqd_t, char*, size_t, unsigned*, const timespec*)> realReceive("mq_timedreceive");

Region sendRegion("mq_send", format::Group::kProcess);
Region receiveRegion("mq_receive", format::Group::kProcess);

constexpr timespec kOver{0, 0};

// Equal for all descriptors of a queue.
uint64_t idOf(mqd_t descriptor) {
  struct stat status{};
  sys::call(SYS_fstat, descriptor, sys::word(&status));
  return mixIds(status.st_dev, status.st_ino) >> 16 | uint64_t{1} << 56;
}

MessageQueue queueOf(mqd_t descriptor) {
  MessageQueue queue(idOf(descriptor));
  if (!queue) return queue;
  queue.see([=]() -> uint64_t {
    mq_attr attributes{};
    return sys::call(SYS_mq_getsetattr, descriptor, 0, sys::word(&attributes)) == 0
               ? static_cast<uint64_t>(attributes.mq_curmsgs) : 0;
  });
  return queue;
}

bool isRecorded() { return adapterEnabled(Adapter::kProcess) && recording() && process.isOurs(); }

void distrust(mqd_t descriptor) {
  if (MessageQueue queue = queueOf(descriptor)) queue.distrust();
}

int send(mqd_t descriptor, const char* message, size_t size, unsigned priority, const timespec* deadline) {
  auto* real = realSend.get();
  const auto send = [=](const timespec* until) { return real(descriptor, message, size, priority, until); };
  if (!isRecorded()) return send(deadline);
  FdCall call;
  if (!call) {
    distrust(descriptor);
    return send(deadline);
  }
  MessageQueue queue = queueOf(descriptor);
  if (!queue) return send(deadline);
  return queue.send(call, sendRegion, priority, [=] { return send(&kOver); },
                    [](int error) { return error == ETIMEDOUT; }, [=] { return send(deadline); });
}

ssize_t receive(mqd_t descriptor, char* message, size_t size, unsigned* priority, const timespec* deadline) {
  auto* real = realReceive.get();
  unsigned own = 0;
  unsigned* found = priority != nullptr ? priority : &own;
  const auto receive = [=](const timespec* until) { return real(descriptor, message, size, found, until); };
  if (!isRecorded()) return receive(deadline);
  FdCall call;
  if (!call) {
    distrust(descriptor);
    return receive(deadline);
  }
  MessageQueue queue = queueOf(descriptor);
  if (!queue) return receive(deadline);
  return queue.receive(call, receiveRegion, [=] { return receive(&kOver); },
                       [](int error) { return error == ETIMEDOUT; }, [=] { return receive(deadline); },
                       [=] { return uint64_t{*found}; });
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int mq_timedsend(mqd_t descriptor, const char* message, size_t size, unsigned priority,
                                 const timespec* deadline) {
  return parallax::send(descriptor, message, size, priority, deadline);
}
PARALLAX_EXPORT int mq_send(mqd_t descriptor, const char* message, size_t size, unsigned priority) {
  return parallax::send(descriptor, message, size, priority, nullptr);
}
PARALLAX_EXPORT ssize_t mq_timedreceive(mqd_t descriptor, char* message, size_t size, unsigned* priority,
                                        const timespec* deadline) {
  return parallax::receive(descriptor, message, size, priority, deadline);
}
PARALLAX_EXPORT ssize_t mq_receive(mqd_t descriptor, char* message, size_t size, unsigned* priority) {
  return parallax::receive(descriptor, message, size, priority, nullptr);
}
