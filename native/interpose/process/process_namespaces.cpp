// unshare and setns, which the kernel refuses to processes with several threads for some namespaces: no thread of the agent's
// may exist meanwhile.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an intercepted routine: the same.
#include <sched.h>

#include "core/writes_held.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(int)> realUnshare("unshare");
PARALLAX_REAL Real<int(int, int)> realSetns("setns");

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int unshare(int flags) noexcept {
  const WritesHeld held;
  return realUnshare.get()(flags);
}

PARALLAX_EXPORT int setns(int fd, int type) noexcept {
  const WritesHeld held;
  return realSetns.get()(fd, type);
}
