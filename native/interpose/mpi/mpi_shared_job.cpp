#include "interpose/mpi/mpi_shared_job.h"

#include <sched.h>

#include "core/agent.h"
#include "interpose/mpi/mpi_jobs.h"
#include "interpose/mpi/mpi_memory.h"
#include "interpose/mpi/mpi_place.h"
#include "interpose/mpi/mpi_real.h"

namespace parallax::mpi {
namespace {

constexpr uint64_t kMostWaitNs = 5'000'000'000;
constexpr uint64_t kMostWaitOfSpawnedNs = 70'000'000'000;  // rank 0 may wait for its parents before

bool isSpawned() {
  Handle parents = 0;
  return callService(Service::kComm_get_parent, &parents) == 0 && loadHandle(&parents) != abi().commNull;
}

// Sets `job` to that of rank 0; false if rank 0 does not send it in time. A broadcast that is not completed waits for
// nobody, and the program's blocking collectives are never matched with it. Its memory stays: it may complete later.
bool receiveFromFirst(Job* job, uint64_t mostWaitNs) {
  auto* shared = static_cast<Job*>(allocate(sizeof(Job)));
  if (shared == nullptr) return false;
  *shared = *job;
  Handle request = 0;
  if (callService(Service::kIbcast, shared, static_cast<int>(sizeof *shared), abi().byteType, 0, abi().world, &request) != 0) {
    return false;
  }
  const uint64_t until = monotonicNs() + mostWaitNs;
  for (int isDone = 0;;) {
    if (callService(Service::kTest, &request, &isDone, abi().statusIgnore) != 0) return false;
    if (isDone != 0) break;
    if (monotonicNs() > until) {
      note("a process of MPI_COMM_WORLD has not told its job in time: it may run without the agent; messages are matched "
           "with no other process");
      return false;
    }
    sched_yield();
  }
  *job = *shared;
  return job->check == ~job->number;
}

}  // namespace

Job sharedJob() {
  int rank = 0, size = 1;
  callService(Service::kComm_rank, abi().world, &rank);
  callService(Service::kComm_size, abi().world, &size);
  Job job{};
  bool isCertain = false;
  const bool spawned = isSpawned();
  const uint64_t ofLauncher = size > 1 && !spawned ? jobOfLauncher(&isCertain) : 0;
  if (ofLauncher != 0 && isCertain) {
    leaveParents();
    return {ofLauncher, 0, 0};
  }
  if (rank == 0) job.parents = receiveFromParents();
  const uint64_t ofSessions = place().job;
  job.number = rank == 0 && job.parents != 0 ? jobOfSpawned(job.parents) : ofSessions != 0 ? ofSessions : randomNumber();
  job.check = ~job.number;
  if (size > 1) {
    const Job own = job;
    if (!receiveFromFirst(&job, spawned ? kMostWaitOfSpawnedNs : kMostWaitNs)) job = own;
  }
  if (job.parents == 0) leaveParents();
  return job;
}

}  // namespace parallax::mpi
