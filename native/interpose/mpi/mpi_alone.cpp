#include "interpose/mpi/mpi_alone.h"

#include "core/agent.h"
#include "interpose/mpi/mpi_buffered.h"
#include "interpose/mpi/mpi_memory.h"
#include "interpose/mpi/mpi_place.h"
#include "interpose/mpi/mpi_real.h"
#include "interpose/mpi/mpi_request.h"
#include "interpose/mpi/mpi_session.h"
#include "interpose/mpi/mpi_variable.h"
#include "live/live_agent.h"

namespace parallax::mpi {
namespace {

// What MPI_Init tells in a process that the agent was loaded with. These questions are local, and any thread may ask them.
void tellTuning(const Communicator& world, int level) {
  live::tellRank(static_cast<int>(world.rank));
  if (!live::knowsLibrary()) {
    char library[256] = "";
    libraryVersion(library, sizeof library);
    live::tellLibrary(library);
  }
  if (isMainThread()) {
    initialisedByCaller();
    declareBufferedSends(level);
  }
}

}  // namespace

Communicator* beginAlone() {
  static SpinLock lock;
  SpinGuard guard(lock);
  int hasBegun = 0, hasEnded = 0;
  if (worldCommunicator() != nullptr) return findCommunicator(abi().world);
  if (abi().library == Library::kUnknown || callService(Service::kInitialized, &hasBegun) != 0 || hasBegun == 0 ||
      callService(Service::kFinalized, &hasEnded) != 0 || hasEnded != 0) {
    return nullptr;
  }
  const uint64_t job = randomNumber();
  defineWorld(job);
  const Communicator* world = worldCommunicator();
  if (world == nullptr) return nullptr;
  int level = 0;
  callService(Service::kQuery_thread, &level);
  definePlace({job, true, world->rank, world->size, threadLevel(level)});
  worldBegan();
  tellTuning(*world, level);
  return findCommunicator(abi().world);
}

void beginAnew() {
  forgetAllCommunicators();
  forgetAllRequests();
  forgetSessions();
  forgetPlace();
}

}  // namespace parallax::mpi
