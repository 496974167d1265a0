// Waits on words of memory, as futex.cpp has them.
#pragma once

#include <pthread.h>

#include "core/sync_objects.h"
#include "core/thread.h"

namespace parallax {

// Makes a real call that waits until the word is woken, and returns 0 then. Where nothing is recorded, only the call.
template <class Wait>
auto waitForWord(Region& region, const void* word, bool mayBeShared, Wait wait) {
  Call call(region);
  if (!call) return wait();
  SyncObject* object = syncObject(format::SyncKind::kFutex, word, mayBeShared);
  if (object == nullptr) return wait();
  struct Waiting {
    Call& call;
    SyncObject* object;
    static void cancelled(void* argument) {
      auto* waiting = static_cast<Waiting*>(argument);
      waiting->object->count(Count::kWaiters).fetch_sub(1, std::memory_order_relaxed);
      waiting->call.endUnwinding();
    }
  } waiting{call, object};
  const uint32_t number = object->number();
  const uint64_t before = object->count(Count::kSignals).load(std::memory_order_relaxed);
  object->count(Count::kWaiters).fetch_add(1, std::memory_order_seq_cst);
  decltype(wait()) result;
  pthread_cleanup_push(Waiting::cancelled, &waiting);  // of asynchronous cancellation
  result = wait();
  pthread_cleanup_pop(0);
  object->count(Count::kWaiters).fetch_sub(1, std::memory_order_relaxed);
  call.returned();
  const uint64_t last = object->count(Count::kSignals).load(std::memory_order_acquire);
  call.emit(Kind::kWake, number, {result == 0 && last != before ? last : 0});
  return result;
}

// The word is woken; called before the real wake, so that the thread that wakes up finds the number.
void signalWord(const void* word, bool mayBeShared);

}  // namespace parallax
