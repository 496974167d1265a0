// The agent begins with the process, also when nothing of it is ever intercepted.
#include <unistd.h>

#include <cstdlib>

#include "base/own_environment.h"
#include "core/agent.h"
#include "interpose/attach/attach.h"
#include "core/glibc.h"
#include "core/process.h"
#include "interpose/descriptors/stdio_calls.h"
#include "interpose/linker/search_order.h"
#include "interpose/linker/shown_symbols.h"
#include "interpose/mpi/mpi_unseen.h"
#include "interpose/process/process_signal.h"
#include "interpose/real.h"
#include "interpose/speedup/speedup_calls.h"
#include "interpose/tuning/tuning.h"
#include "perturb/perturb.h"
#include "perturb/speedup.h"

namespace parallax {
namespace {

__attribute__((constructor(101))) void startAgent() {
  isAttached = isLoadedLate();
  if (isAttached) return;  // the recorder calls attach/attach.cpp
  lookUpAllReal();
  rememberFirstObjects();
  clearUnmetReferences();
  keepOwnEnvironment(environ, "libparallax-agent.so");
  tellInterruptionsByHandlers();
  process.start();
  currentThread();
  perturb::start();
  tuning::start();
  if (speedup::active) speedup::replaceCalls();
  const bool streams = adapterEnabled(Adapter::kStream), files = adapterEnabled(Adapter::kFile);
  // Before the record ends, and after what the program does when it exits.
  if (recording()) on_exit([](int, void*) { mpi::noteUnseenUse(); }, nullptr);
  // Of a program that is tuned and not recorded, to know when it waits (beforeCalls).
  if (!recording() || !(streams || files || process.isSilent())) return;
  Guard guard;
  constexpr auto kTables = glibc::Assumption::kStdioTables;
  if (glibc::holds(kTables) && !interceptStdio()) glibc::refute(kTables);
}

}  // namespace
}  // namespace parallax
