// Names that the program gives to its threads. What is written past these, and what a thread
// inherits, is seen when it ends (Thread::end).
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine: seen when the thread ends.
#include <pthread.h>

#include "core/process.h"
#include "core/thread.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(pthread_t, const char*)> realSetName("pthread_setname_np");

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  const int result = realSetName.get()(thread, name);
  Guard guard;
  if (result != 0 || !guard) return result;
  if (thread == pthread_self()) {
    guard.thread()->recordName();
  } else if (const uint32_t numberPlusOne = registeredThread(thread)) {
    define(format::ThreadNameRecord{numberPlusOne - 1, name});
  }
  return result;
}
