// MPI_Wtime and MPI_Wtick, which return a double and so fit into no table; counted unless somebody
// asks for more.
//
// Called before the real ones are known: they are looked up at once. A library without them, which
// no program can call, answers 0.
#include "interpose/mpi/mpi_real.h"
#include "interpose/mpi/mpi_routine.h"

namespace parallax::mpi {
namespace {

using Clock = double (*)();

struct ClockRoutine {
  const char* name;
  std::atomic<Clock> real{nullptr};

  double read(Region& region) {
    Call call(region);
    Clock clock = real.load(std::memory_order_acquire);
    if (clock == nullptr) {
      clock = reinterpret_cast<Clock>(findSymbol(name));
      if (clock == nullptr) return 0;
      real.store(clock, std::memory_order_release);
    }
    return clock();
  }
};

Region wtimeRegion("MPI_Wtime", format::Group::kMpi);
Region wtickRegion("MPI_Wtick", format::Group::kMpi);

}  // namespace

#define PARALLAX_MPI_CLOCK(symbol, region)   \
  PARALLAX_EXPORT double symbol() {          \
    static ClockRoutine routine{#symbol};    \
    return routine.read(region);             \
  }
PARALLAX_MPI_CLOCK(MPI_Wtime, wtimeRegion)
PARALLAX_MPI_CLOCK(PMPI_Wtime, wtimeRegion)
PARALLAX_MPI_CLOCK(mpi_wtime_, wtimeRegion)
PARALLAX_MPI_CLOCK(MPI_Wtick, wtickRegion)
PARALLAX_MPI_CLOCK(PMPI_Wtick, wtickRegion)
PARALLAX_MPI_CLOCK(mpi_wtick_, wtickRegion)

}  // namespace parallax::mpi
