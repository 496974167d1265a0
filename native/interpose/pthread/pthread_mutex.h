// Mutexes and conditions, for the routines that take and give them: of POSIX and of C11.
#pragma once

#include <pthread.h>

#include "core/agent.h"
#include "core/glibc.h"
#include "core/sync_objects.h"
#include "core/thread.h"

namespace parallax {

// An owner that takes a recursive mutex again, or gives it back but not for good.
inline bool isNested(const pthread_mutex_t* mutex) {
  return (mutex->__data.__kind & glibc::kMutexType) == PTHREAD_MUTEX_RECURSIVE &&
         mutex->__data.__count > 1;
}

inline SyncObject* mutexObject(Thread* thread, pthread_mutex_t* mutex) {
  if (__builtin_expect(!glibc::holds(glibc::Assumption::kMutex), false)) return nullptr;
  const bool shared = (mutex->__data.__kind & glibc::kSharedMutex) != 0;
  return syncObject(format::SyncKind::kMutex, mutex, shared, &thread->lastMutex);
}

// Number of the acquisition that lasts, to be asked by its holder.
inline uint64_t acquisitionOf(SyncObject* object) {
  return object->count(Count::kAcquisitions).load(std::memory_order_relaxed);
}

// The mutex was taken by `thread`: returns its object, counted, or null.
inline SyncObject* countAcquisition(Thread* thread, pthread_mutex_t* mutex) {
  SyncObject* object = mutexObject(thread, mutex);
  if (object == nullptr) return nullptr;
  Counter& count = object->count(Count::kAcquisitions);
  count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  object->held.store(true, std::memory_order_relaxed);
  return object;
}

// `thread` is about to give the mutex: returns its object, or null when the acquisition was
// not recorded (inside an intercepted routine), or is not at its end.
inline SyncObject* countRelease(Thread* thread, pthread_mutex_t* mutex) {
  SyncObject* object = mutexObject(thread, mutex);
  if (object == nullptr || !object->held.load(std::memory_order_relaxed)) return nullptr;
  object->held.store(false, std::memory_order_relaxed);
  return object;
}

// The time of the release whose object was counted, before it happens.
inline void setReleaseTime(SyncObject* object, uint64_t ticks) {
  object->releaseTicks.store(ticks, std::memory_order_relaxed);
}

// Now, and not before the release that made this acquisition possible: without waiting for all
// loads, which takes twice as long as to read the clock.
inline uint64_t acquisitionTime(Thread* thread, const SyncObject* object) {
  if (__builtin_expect(object->key.load(std::memory_order_relaxed) != 0, false)) {
    return thread->nowAfter();  // it may have been released by another process
  }
  return thread->nowNotBefore(object->releaseTicks.load(std::memory_order_relaxed));
}

// The routines, in the name of any region.
int lockMutex(pthread_mutex_t* mutex, Region& region);
int tryLockMutex(pthread_mutex_t* mutex, Region& region);
int lockMutexUntil(pthread_mutex_t* mutex, const timespec* deadline, Region& region);
int waitForCondition(pthread_cond_t* condition, pthread_mutex_t* mutex, Region& region);
int waitForConditionUntil(pthread_cond_t* condition, pthread_mutex_t* mutex,
                          const timespec* deadline, Region& region);
int signalOne(pthread_cond_t* condition, Region& region);
int signalAll(pthread_cond_t* condition, Region& region);

}  // namespace parallax
