// The sampler as the agent sees it.
#pragma once

#include "agent/agent.h"

#if __has_include("sampler/sampler.h")
#include "sampler/sampler.h"
#else
namespace parallax::sampler {
inline void startProcess(uint32_t) {}
inline void redefine() {}
inline void startThread(Thread*) {}
inline void stopThread(Thread*) {}
inline uint32_t callerPath() { return 0; }
}  // namespace parallax::sampler
#endif
