#include "core/visits.h"

#include "core/agent.h"
#include "core/thread.h"

namespace parallax {

bool VisitCounts::addElsewhere(uint32_t path, uint64_t visits) {
  uint64_t* free = nullptr;
  for (size_t probe = 0; probe < kProbes; probe++) {
    uint64_t& slot = slots_[(path + probe) % kSlots];
    if (slot >> kCountBits == path) {
      slot += visits;
      return true;
    }
    if (slot == 0 && free == nullptr) free = &slot;
  }
  if (free == nullptr) return false;
  *free = uint64_t{path} << kCountBits | visits;
  used_ = true;
  return true;
}

void countVisits(Thread* thread, uint32_t path, uint64_t visits) {
  thread->countVisits(path, visits);
}

void Thread::replaceVisits(uint32_t path, uint64_t visits) {
  uint32_t taken;
  // The next event may be one that is written late, of a moment that has passed.
  if (const uint64_t others = visits_.take(path, &taken)) writeVisits(taken, others, eventTicks_);
  visits_.add(path, visits);
}

void Thread::writeAllVisits(uint64_t ticks) {
  if (writingVisits_) return;  // a block has become full of them
  writingVisits_ = true;
  visits_.takeAll([&](uint32_t path, uint64_t visits) { writeVisits(path, visits, ticks); });
  writingVisits_ = false;
}

}  // namespace parallax
