// Groups of PVM (libgpvm). Their barriers are recorded as such, and what asks the group server as
// one call. pvm_bcast, pvm_gather, pvm_scatter and pvm_reduce are not intercepted: they send
// and receive by the routines of pvm_message.cpp, which record each message below them.
#include "interpose/pvm/pvm.h"

namespace parallax::pvm {

std::atomic<int> groupServer{0};
__thread bool asksGroupServer __attribute__((tls_model("initial-exec"))) = false;

namespace {

RealPvm<int(char*, int)> realBarrier("pvm_barrier");
Region barrierRegion("pvm_barrier", format::Group::kPvm);

class AskGroupServer {
 public:
  AskGroupServer() { asksGroupServer = true; }
  ~AskGroupServer() { asksGroupServer = false; }
};

// The group's barrier. Its generations are counted by each task: all members take part in each.
struct Group {
  std::atomic<uint64_t> key;
  std::atomic<uint32_t> object;
  std::atomic<uint64_t> barriers;
};
constexpr size_t kMostGroups = 256;
Group groups[kMostGroups];

Group* groupOf(const char* name) {
  const uint64_t key = groupKey(name);
  for (Group& group : groups) {
    uint64_t known = group.key.load(std::memory_order_acquire);
    if (known == 0 && group.key.compare_exchange_strong(known, key)) {
      const uint32_t object = defineSyncObject(format::SyncKind::kBarrier, 0, key);
      group.object.store(object, std::memory_order_release);
      return &group;
    }
    if (known == key) return &group;
  }
  note("Barriers of some PVM groups are not recorded: the program uses more than 256 groups.");
  return nullptr;
}

}  // namespace
}  // namespace parallax::pvm

using namespace parallax;
using namespace parallax::pvm;

PARALLAX_EXPORT int pvm_barrier(char* name, int count) {
  if (!wanted()) return realBarrier(name, count);
  Call call(barrierRegion);
  AskGroupServer ask;
  const int result = realBarrier(name, count);
  call.returned();
  if (!call || result < 0 || name == nullptr) return result;
  enrolled();
  Group* group = groupOf(name);
  if (group == nullptr) return result;
  const uint64_t generation = group->barriers.fetch_add(1, std::memory_order_relaxed) + 1;
  if (const uint32_t object = group->object.load(std::memory_order_acquire)) {
    // A count of -1 stands for all members.
    call.emit(Kind::kBarrier, object, {generation, count > 0 ? static_cast<uint64_t>(count) : 0});
  }
  return result;
}

#define PARALLAX_PVM_GROUP(name, parameters, arguments)          \
  PARALLAX_EXPORT int name parameters {                          \
    static RealPvm<int parameters> real(#name);                  \
    static Region region(#name, format::Group::kPvm);            \
    AskGroupServer ask;                                          \
    return enterAndLeave(region, [&] { return real arguments; }); \
  }

PARALLAX_PVM_GROUP(pvm_joingroup, (char* group), (group))
PARALLAX_PVM_GROUP(pvm_lvgroup, (char* group), (group))
PARALLAX_PVM_GROUP(pvm_getinst, (char* group, int tid), (group, tid))
PARALLAX_PVM_GROUP(pvm_gettid, (char* group, int instance), (group, instance))
PARALLAX_PVM_GROUP(pvm_gsize, (char* group), (group))
PARALLAX_PVM_GROUP(pvm_freezegroup, (char* group, int size), (group, size))
