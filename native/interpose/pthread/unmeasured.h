// The shortest way through a routine that is neither recorded nor measured: some loads and a jump to the real one. What else there is to
// do stands in a function of its own, whose registers would have to be saved here.
#pragma once

#include "core/agent.h"

namespace parallax {

// Whether the adapter certainly is off. False also when this is not known yet, or a monitor asks for something.
[[gnu::always_inline]] inline bool isUnmeasured(Adapter adapter) {
  const uint32_t adapters = enabledAdapters.load(std::memory_order_relaxed);
  return adapters != 0 && (adapters >> static_cast<uint32_t>(adapter) & 1) == 0 && !live::isAsked();
}

}  // namespace parallax
