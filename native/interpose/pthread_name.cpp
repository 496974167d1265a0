// Names that the program gives to its threads. What is written past these, and what a thread
// inherits, is seen when it ends (Thread::end).
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine: seen when the thread ends.
#include <pthread.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "agent/process.h"
#include "agent/thread.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(pthread_t, const char*)> realSetName("pthread_setname_np");
PARALLAX_REAL Real<int(int, ...)> realPrctl("prctl");

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

// Arguments that the option does not have are not read by the kernel.
PARALLAX_EXPORT int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  unsigned long arguments[4];
  for (unsigned long& argument : arguments) argument = va_arg(list, unsigned long);
  va_end(list);
  const int result =
      realPrctl.get()(option, arguments[0], arguments[1], arguments[2], arguments[3]);
  if (option != PR_SET_NAME || result != 0) return result;
  Guard guard;
  if (guard) guard.thread()->recordName();
  return result;
}
