// Acquisitions of mutexes, for the routines that take and give them (mutexes, conditions).
#pragma once

#include <pthread.h>

#include "agent/sync_objects.h"

namespace parallax {

// An owner that takes a recursive mutex again, or gives it back but not for good.
inline bool isNested(const pthread_mutex_t* mutex) {
  constexpr int kTypeMask = 3;
  return (mutex->__data.__kind & kTypeMask) == PTHREAD_MUTEX_RECURSIVE &&
         mutex->__data.__count > 1;
}

// The mutex was taken by this thread: returns its object, counted, or null.
inline SyncObject* countAcquisition(pthread_mutex_t* mutex) {
  SyncObject* object = syncObject(format::SyncKind::kMutex, mutex);
  if (object == nullptr) return nullptr;
  object->count.store(object->count.load(std::memory_order_relaxed) + 1,
                      std::memory_order_relaxed);
  object->held.store(true, std::memory_order_relaxed);
  return object;
}

// This thread is about to give the mutex: returns its object, or null when the acquisition was
// not recorded (inside an intercepted routine), or is not at its end.
inline SyncObject* countRelease(pthread_mutex_t* mutex) {
  SyncObject* object = syncObject(format::SyncKind::kMutex, mutex);
  if (object == nullptr || !object->held.load(std::memory_order_relaxed)) return nullptr;
  object->held.store(false, std::memory_order_relaxed);
  return object;
}

}  // namespace parallax
