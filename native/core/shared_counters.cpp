#include "core/shared_counters.h"

#include "core/agent.h"
#include "core/process.h"

namespace parallax {
namespace {

SharedTable table;

}  // namespace

void forgetSharedCounters() { table.forget(); }

SharedCounters* sharedCounters(uint64_t keyHigh, uint64_t keyLow) {
  if ((keyHigh | keyLow) == 0 || !recording()) return nullptr;
  char name[256];
  process.hostFileName(".shared", name);
  SharedCounters* counters = table.obtain(process.directory(), name, keyHigh, keyLow);
  if (counters == nullptr) {
    note("Objects that processes share are not matched between processes: there was no space for "
        "the file HOST.shared of the trace.");
  }
  return counters;
}

}  // namespace parallax
