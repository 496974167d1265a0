// Creating and joining threads, for POSIX and C11 threads.
#pragma once

#include <pthread.h>

#include "core/agent.h"
#include "core/process.h"
#include "core/thread.h"

namespace parallax {

using StartRoutine = void*(void*);

// The start of each thread that the program creates, with the argument from prepareThread. Its end
// is recorded by a destructor of thread-specific data (core/thread.cpp), which also runs after
// pthread_exit and cancellation.
ThreadStart beginThread(void* argument);
// Null: the thread starts as it is, unseen. `attributes` may be null.
Thread* prepareThread(const pthread_attr_t* attributes, StartRoutine* routine, void* argument,
                      bool library);

// A thread that is to call routine(argument): create(run, its argument) is the real call, and run
// calls what beginThread gives. Called inside a Guard; `library` where there is none because the
// thread was inside already. Sets the number that the new thread has, when it is seen.
template <class Routine, class Create>
int createInside(bool library, const pthread_attr_t* attributes, Routine* routine, void* argument,
                 Routine* run, Create create, uint32_t* number) {
  // By way of a pointer to data: the other result is taken back before the call.
  auto* start = reinterpret_cast<StartRoutine*>(reinterpret_cast<void*>(routine));
  Thread* thread = prepareThread(attributes, start, argument, library);
  if (thread == nullptr) return create(routine, argument);
  *number = thread->start.number;
  const int result = create(run, thread);
  if (result != 0) thread->release();
  return result;
}

inline bool createsForLibrary() {
  return process.state() == Process::State::kRecording && !local.place.isProgram();
}

template <class Routine, class Create>
int createThread(Region& region, const pthread_attr_t* attributes, Routine* routine,
                 void* argument, Routine* run, Create create) {
  uint32_t number = 0;
  if (!adapterEnabled(Adapter::kPthread)) {  // the new thread is recorded all the same
    Guard guard;
    if (!guard && !createsForLibrary()) return create(routine, argument);
    return createInside(!guard, attributes, routine, argument, run, create, &number);
  }
  Call call(region);
  const bool inside = call.thread() == nullptr;
  if (inside && !createsForLibrary()) return create(routine, argument);
  const int result = createInside(inside, attributes, routine, argument, run, create, &number);
  if (call && result == 0 && number != 0) {
    call.emit(Kind::kThreadCreate, 0, {number});  // at the time of the Enter
  }
  return result;
}

// `wait` is the real call and gives 0 when it has joined.
template <class Wait>
int joinThread(pthread_t thread, Region& region, Wait wait) {
  Call call(region);
  if (!call) return wait();
  const uint32_t before = registeredThread(thread);
  int result;
  pthread_cleanup_push([](void* c) { static_cast<Call*>(c)->endUnwinding(); }, &call);
  result = wait();
  pthread_cleanup_pop(0);
  call.returned();
  if (result != 0) return result;
  // It may not have begun when the wait did.
  const uint32_t numberPlusOne = before != 0 ? before : registeredThread(thread);
  if (numberPlusOne != 0) {
    unregisterThread(thread, numberPlusOne);
    call.emit(Kind::kThreadJoin, 0, {numberPlusOne - 1});
  }
  return result;
}

}  // namespace parallax
