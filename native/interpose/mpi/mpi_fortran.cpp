// The Fortran entry points: mpif.h and the module mpi (mpi_send_), and mpi_f08 of Open MPI
// (mpi_send_f08_) and of MPICH (mpi_send_f08ts_, mpi_send_f08ts_large_).
//
// They only enter and leave, so that the call path is that of the Fortran procedure, and leave
// everything else to the C routines: every one of them ends up in MPI_Name or PMPI_Name, which
// finds the call in Scope::outer and continues it. A Fortran compiler with other names for these
// is recorded all the same, with the library's wrapper in its call paths.

#include "interpose/mpi/mpi_real.h"
#include "interpose/mpi/mpi_routine.h"

namespace parallax::mpi {
namespace {

using Wrapper = void (*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                         uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                         uintptr_t, uintptr_t);

// All arguments are addresses or lengths; no routine has more than these, so that passing on too many
// does no harm. `wrapper` is the library's, null until it is known.
template <typename... Args>
void callWrapper(Routine routine, const char* name, std::atomic<Wrapper>& wrapper, Args... args) {
  Wrapper real = wrapper.load(std::memory_order_acquire);
  if (real == nullptr) {
    real = reinterpret_cast<Wrapper>(findSymbol(name));
    if (real == nullptr) return;
    wrapper.store(real, std::memory_order_release);
  }
  prepareAbi();
  Call entered(regionOf(routine), mannerOf(routine));
  if (entered) {
    entered.setPath();
    Scope::outer = &entered;
  }
  real(args...);
  Scope::outer = nullptr;
}

}  // namespace

// Each routine keeps only the address of the library's wrapper. It has no constant address in writable data, because the
// dynamic linker would have to change it, and the page with it, at the start of every program.
#define PARALLAX_FORTRAN(Name, symbol)                                                         \
  PARALLAX_EXPORT void symbol(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, \
                              uintptr_t f, uintptr_t g, uintptr_t h, uintptr_t i, uintptr_t j, \
                              uintptr_t k, uintptr_t l, uintptr_t m, uintptr_t n) {            \
    static std::atomic<Wrapper> wrapper{nullptr};                                              \
    callWrapper(Routine::k##Name, #symbol, wrapper, a, b, c, d, e, f, g, h, i, j, k, l, m, n); \
  }
#define PARALLAX_MPI(Name, name)            \
  PARALLAX_FORTRAN(Name, mpi_##name##_)     \
  PARALLAX_FORTRAN(Name, mpi_##name##_f08_) \
  PARALLAX_FORTRAN(Name, mpi_##name##_f08ts_)
#define PARALLAX_MPI_COUNTED(Name, name) \
  PARALLAX_MPI(Name, name)               \
  PARALLAX_FORTRAN(Name##_c, mpi_##name##_f08ts_large_)
#include "interpose/mpi/mpi_routines.def"

}  // namespace parallax::mpi
