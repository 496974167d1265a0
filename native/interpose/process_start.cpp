// The agent begins with the process, also when nothing of it is ever intercepted.
#include "agent/agent.h"
#include "agent/process.h"

namespace parallax {
namespace {

__attribute__((constructor(101))) void startAgent() {
  process.start();
  currentThread();
}

}  // namespace
}  // namespace parallax
