// Message queues of System V.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an intercepted routine: passes
// straight through; the queue is uneven from then on.
#include <sys/ipc.h>
#include <sys/msg.h>

#include "base/sys.h"
#include "core/process.h"
#include "interpose/ipc/message_queue.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(int, const void*, size_t, int)> realMsgsnd("msgsnd");
PARALLAX_REAL Real<ssize_t(int, void*, size_t, long, int)> realMsgrcv("msgrcv");

Region sendRegion("msgsnd", format::Group::kProcess);
Region receiveRegion("msgrcv", format::Group::kProcess);

MessageQueue queueOf(int id) {
  constexpr uint64_t kSystemV = uint64_t{1} << 48;
  MessageQueue queue(kSystemV | static_cast<uint32_t>(id));
  if (!queue) return queue;
  queue.see([=]() -> uint64_t {
    msqid_ds state{};
    return sys::call(SYS_msgctl, id, IPC_STAT, sys::word(&state)) == 0 ? state.msg_qnum : 0;
  });
  return queue;
}

bool isRecorded() { return adapterEnabled(Adapter::kProcess) && recording() && process.isOurs(); }

void distrust(int id) {
  if (MessageQueue queue = queueOf(id)) queue.distrust();
}

uint64_t typeOf(const void* message) {
  long type;
  __builtin_memcpy(&type, message, sizeof type);
  return static_cast<uint64_t>(type);
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int msgsnd(int id, const void* message, size_t size, int flags) {
  auto* real = realMsgsnd.get();
  const auto send = [=](int how) { return real(id, message, size, flags | how); };
  if (!isRecorded() || message == nullptr) return send(0);
  FdCall call;
  if (!call) {
    distrust(id);
    return send(0);
  }
  MessageQueue queue = queueOf(id);
  if (!queue) return send(0);
  return queue.send(call, sendRegion, typeOf(message), [=] { return send(IPC_NOWAIT); },
                    [=](int error) { return error == EAGAIN && (flags & IPC_NOWAIT) == 0; },
                    [=] { return send(0); });
}

PARALLAX_EXPORT ssize_t msgrcv(int id, void* message, size_t size, long type, int flags) {
  auto* real = realMsgrcv.get();
  const auto receive = [=](int how) { return real(id, message, size, type, flags | how); };
  constexpr int kCopy = 040000;  // MSG_COPY: the message stays there
  if (!isRecorded() || message == nullptr || (flags & kCopy) != 0) return receive(0);
  FdCall call;
  if (!call) {
    distrust(id);
    return receive(0);
  }
  MessageQueue queue = queueOf(id);
  if (!queue) return receive(0);
  return queue.receive(call, receiveRegion, [=] { return receive(IPC_NOWAIT); },
                       [=](int error) { return error == ENOMSG && (flags & IPC_NOWAIT) == 0; },
                       [=] { return receive(0); }, [=] { return typeOf(message); });
}
