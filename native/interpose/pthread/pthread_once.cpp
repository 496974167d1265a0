// pthread_once, and so call_once of C++: a thread that comes while another one runs the routine waits on the word of
// memory that is their control. Nothing is recorded of a thread that runs the routine, or finds it done, but the wake of
// those who wait. If the routine throws, one of these runs it: its wait ends there.
//
// Called before the real function is known: it is looked up at once; out of the lookup itself libc's own name is used
// (real.h). Called inside an intercepted routine: passes
// straight through; the routine's own calls are recorded as everywhere.
#include "interpose/pthread/futex.h"
#include "interpose/real.h"

extern "C" int __pthread_once(pthread_once_t*, void (*)()) __attribute__((weak));

namespace parallax {
namespace {

using Routine = void();
PARALLAX_REAL Real<int(pthread_once_t*, Routine*)> realOnce("pthread_once", __pthread_once);

Region onceRegion("pthread_once", format::Group::kPthread);

// As glibc has them. With other values all calls pass as if nobody waited.
constexpr int kInProgress = 1, kDone = 2;

// The routine that this thread is about to run, which has no argument.
struct Once {
  pthread_once_t* control;
  Routine* routine;
  WordWait* wait;  // null for a thread that found nobody running it
  Once* outer;
};
__thread Once* current __attribute__((tls_model("initial-exec")));

void run() {
  const Once once = *current;
  current = once.outer;
  if (once.wait != nullptr) once.wait->end();  // the routine may throw, and then nothing else ends it
  once.routine();
  signalWord(once.control, false);
}

int make(pthread_once_t* control, Routine* routine, WordWait* wait) {
  Once once{control, routine, wait, current};
  current = &once;
  const int result = realOnce.get()(control, run);
  current = once.outer;
  return result;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int pthread_once(pthread_once_t* control, Routine* routine) {
  auto* real = realOnce.get();
  const int state = __atomic_load_n(control, __ATOMIC_ACQUIRE);
  if ((state & kDone) != 0 || !adapterEnabled(Adapter::kPthread) || !recording()) return real(control, routine);
  if ((state & kInProgress) == 0) return make(control, routine, nullptr);
  WordWait wait(onceRegion, control, false);
  const int result = make(control, routine, &wait);
  wait.returned(result);
  return result;
}
