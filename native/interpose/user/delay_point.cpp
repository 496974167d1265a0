// parallax_delay_point() of parallax/parallax.h. Independent of whether the process is recorded.
// Signal handlers of the program may call it.
#include "core/agent.h"
#include "perturb/perturb.h"

using namespace parallax;

// `site` belongs to one place in the program and is null at first.
PARALLAX_EXPORT void parallax_agent_delay_point(const char* name, const void** site) {
  static const perturb::DelayPoint kNowhere{};
  const void* at = __atomic_load_n(site, __ATOMIC_ACQUIRE);
  if (__builtin_expect(at == nullptr, false)) {
    bool known = false;
    at = name != nullptr ? perturb::macroPoint(name, &known) : nullptr;
    if (at == nullptr) at = &kNowhere;
    if (known) __atomic_store_n(site, at, __ATOMIC_RELEASE);
  }
  if (at != &kNowhere) perturb::parallaxDelayPoint(static_cast<const perturb::DelayPoint*>(at));
}
