// parallax_tunable_...(), parallax_tuning_point() and parallax_work_done() of parallax/parallax.h. Independent of whether the process is recorded.
#include "core/agent.h"
#include "live/live_tunables.h"

using namespace parallax;

namespace {
Region pointRegion("parallax_tuning_point", format::Group::kUser);
Region workRegion("parallax_work_done", format::Group::kUser);
}  // namespace

// `type` as in enum parallax_tunable_type, which is live::ValueType; the limits by their bits, as live::Tunable has them.
PARALLAX_EXPORT void parallax_agent_tunable(const char* name, int type, void* variable, unsigned long least, unsigned long most) {
  if (type < 0 || type > static_cast<int>(live::ValueType::kF64)) return;
  if (!live::declare(name, static_cast<live::ValueType>(type), variable, least, most)) {
    note("A tunable variable of the program is not known: its limits are in the wrong order, its name is too long, or there are more than 64.");
  }
}

PARALLAX_EXPORT void parallax_agent_tuning_point() {
  if (!live::isAsked()) return;
  const Guard guard;
  if (!guard) return;
  LoneVisit visit(pointRegion);
  visit.end();
}

PARALLAX_EXPORT void parallax_agent_work_done(unsigned long amount) {
  if (!live::isAsked()) return;
  const Guard guard;
  if (!guard) return;
  LoneVisit visit(workRegion);
  visit.amount(amount);
  visit.end();
}
