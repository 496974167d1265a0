#include "interpose/process/process_children.h"

#include <sys/wait.h>

#include "base/address_table.h"
#include "core/outcomes.h"

namespace parallax {
namespace {

struct Child {
  std::atomic<uint16_t> how;
};
AddressTable<Child> children;  // by process id

}  // namespace

void childCreated(Call& call, int pid, format::Creation how) {
  if (!call) return;
  const auto id = static_cast<uint64_t>(pid);
  if (Child* child = children.obtain(id)) {
    child->how.store(static_cast<uint16_t>(how), std::memory_order_relaxed);
  }
  call.emit(Kind::kProcessCreate, 0, {id, static_cast<uint64_t>(how)});
}

format::Creation howCreated(int pid) {
  Child* child = children.find(static_cast<uint64_t>(pid));
  return child == nullptr
             ? format::Creation::kFork
             : static_cast<format::Creation>(child->how.load(std::memory_order_relaxed));
}

void tellIfKilled(int pid, int status) {
  if (pid > 0 && WIFSIGNALED(status)) tellEnd(pid, status);
}

void childWaited(Call& call, int pid, int status) {
  tellIfKilled(pid, status);
  if (!call || pid <= 0 || (!WIFEXITED(status) && !WIFSIGNALED(status))) return;
  call.emit(Kind::kProcessWait, 0, {static_cast<uint64_t>(pid),
                                    static_cast<uint64_t>(howCreated(pid)),
                                    static_cast<uint32_t>(status)});
}

}  // namespace parallax
