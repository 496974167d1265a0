// The entry points that the recorder calls in a thread of the program. It has stopped the thread at a safe point: in no
// part of the dynamic linker, of malloc or of a handler of signals. The other threads run. The stack is the recorder's.
#include "interpose/attach/attach.h"

#include <link.h>
#include <unistd.h>

#include "base/directory_numbers.h"
#include "base/settings.h"
#include "core/agent.h"
#include "core/glibc.h"
#include "core/process.h"
#include "core/thread.h"
#include "interpose/attach/references.h"
#include "interpose/descriptors/fd_table.h"
#include "interpose/descriptors/stdio_calls.h"
#include "interpose/linker/defined_symbol.h"
#include "interpose/linker/library_symbol.h"
#include "interpose/linker/search_order.h"
#include "interpose/mpi/mpi_alone.h"
#include "interpose/mpi/mpi_buffered.h"
#include "interpose/process/process_signal.h"
#include "interpose/pvm/pvm.h"
#include "interpose/real.h"
#include "perturb/patch_actions.h"
#include "interpose/tuning/tuning.h"
#include "sampler/sampler.h"

namespace parallax {
namespace {

// What is loaded with the program comes before the libraries that the program needs.
int findFirst(dl_phdr_info* object, size_t, void* isLate) {
  if (holds(*object, reinterpret_cast<const void*>(&findFirst))) return 1;
  if (!holds(*object, reinterpret_cast<const void*>(&getppid))) return 0;
  *static_cast<bool*>(isLate) = true;
  return 1;
}

// No events of the calling thread: it stands on a stack that is not its own.
class Aside {
 public:
  Aside() : former_(local.place.enterAgent()) {}
  ~Aside() { local.place.resume(former_); }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  Place former_;
};

void takeOverStdio() {
  constexpr auto kTables = glibc::Assumption::kStdioTables;
  const bool isWanted = adapterEnabled(Adapter::kStream) || adapterEnabled(Adapter::kFile);
  if (isWanted && glibc::holds(kTables) && !interceptStdio()) glibc::refute(kTables);
}

// Named now, and what waits in them is known to have been there before.
void describeOpenFiles() {
  forEachNumber("/proc/self/fd", [](int fd) {
    Descriptor ignored;
    describe(fd, &ignored);
  });
}

AttachResult attach(const char* settings) {
  if (!isAttached) return AttachResult::kUnderRecord;
  if (process.state() == Process::State::kRecording) return AttachResult::kUnderRecord;
  const bool isFirst = process.state() == Process::State::kUnknown;
  if (!isFirst && !process.isDetached()) return AttachResult::kNotAgain;
  const Aside aside;
  giveSettings(settings);
  lookUpAllReal();
  if (isFirst) {
    rememberFirstObjects();
    tellInterruptionsByHandlers();
    process.start();
  } else {
    forgetDescriptors(0, ~0u);
    mpi::beginAnew();
    pvm::beginAnew();
    process.startAgain();
  }
  if (process.state() != Process::State::kRecording) return AttachResult::kNotPossible;
  tuning::start();
  define(format::SettingRecord{"attached", "yes"});
  if (!makeThreadKey()) note("Ends of threads are not recorded: the program uses too many keys of threads.");
  if (definedElsewhere("MPI_Init") != nullptr) {
    note("The recording began in a program that ran: its messages and collectives have their peers and bytes, and are not "
         "matched with those of other processes.");
  }
  describeOpenFiles();
  takeOverStdio();
  beginReferences();
  sampler::awaitThreads();
  return AttachResult::kDone;
}

AttachResult detach() {
  if (!isAttached || process.state() != Process::State::kRecording || !process.isOurs()) return AttachResult::kNotAttached;
  const Aside aside;
  if (!mpi::endBufferedSends()) return AttachResult::kElsewhere;  // until it has called MPI again
  if (!giveBackReferences()) return AttachResult::kElsewhere;
  perturb::undoPatches();
  releaseStdio();
  sampler::forgetAwaited();
  sampler::cancelAll();
  process.detach();
  return AttachResult::kDone;
}

}  // namespace

bool isLoadedLate() {
  bool isLate = false;
  dl_iterate_phdr(findFirst, &isLate);
  return isLate;
}

}  // namespace parallax

// `settings` as giveSettings() takes them.
PARALLAX_EXPORT long parallax_agent_attach(const char* settings) {
  return static_cast<long>(parallax::attach(settings));
}

PARALLAX_EXPORT long parallax_agent_detach() { return static_cast<long>(parallax::detach()); }
