// The OpenMP runtimes of the process: GNU's (libgomp) and LLVM's (libomp, libiomp5), the routines
// that are interposed, and which of several runtimes a caller means.
//
// LLVM's has libgomp's entry points, too. What happens in it is told by OMPT (openmp_ompt.cpp), but
// for locks, whose release OMPT tells too late; its other entry points pass straight through.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>

namespace parallax::openmp {

#define PARALLAX_OPENMP_ENTRIES(X)                                                              \
  X(GOMP_parallel) X(GOMP_parallel_start) X(GOMP_parallel_end) X(GOMP_parallel_reductions)      \
  X(GOMP_parallel_loop_static) X(GOMP_parallel_loop_dynamic) X(GOMP_parallel_loop_guided)       \
  X(GOMP_parallel_loop_runtime) X(GOMP_parallel_loop_nonmonotonic_dynamic)                      \
  X(GOMP_parallel_loop_nonmonotonic_guided) X(GOMP_parallel_loop_nonmonotonic_runtime)          \
  X(GOMP_parallel_loop_maybe_nonmonotonic_runtime) X(GOMP_parallel_loop_static_start)           \
  X(GOMP_parallel_loop_dynamic_start) X(GOMP_parallel_loop_guided_start)                        \
  X(GOMP_parallel_loop_runtime_start) X(GOMP_parallel_sections) X(GOMP_parallel_sections_start) \
  X(GOMP_barrier) X(GOMP_barrier_cancel) X(GOMP_loop_end) X(GOMP_loop_end_cancel)               \
  X(GOMP_sections_end) X(GOMP_sections_end_cancel) X(GOMP_single_copy_start)                    \
  X(GOMP_single_copy_end) X(GOMP_doacross_wait) X(GOMP_doacross_ull_wait) X(GOMP_task)          \
  X(GOMP_taskloop) X(GOMP_taskloop_ull) X(GOMP_taskwait) X(GOMP_taskwait_depend)                \
  X(GOMP_taskgroup_start) X(GOMP_taskgroup_end) X(GOMP_workshare_task_reduction_unregister)     \
  X(omp_fulfill_event) X(omp_fulfill_event_) X(__kmpc_omp_wait_deps)                            \
  X(__kmpc_omp_taskwait_deps_51) X(GOMP_ordered_start) X(GOMP_ordered_end) X(GOMP_critical_start)        \
  X(GOMP_critical_end) X(GOMP_critical_name_start) X(GOMP_critical_name_end)                    \
  X(GOMP_atomic_start) X(GOMP_atomic_end) X(omp_set_lock) X(omp_unset_lock) X(omp_test_lock)    \
  X(omp_destroy_lock) X(omp_set_nest_lock) X(omp_unset_nest_lock) X(omp_test_nest_lock)         \
  X(omp_destroy_nest_lock) X(omp_set_lock_) X(omp_unset_lock_) X(omp_test_lock_)                \
  X(omp_destroy_lock_) X(omp_set_nest_lock_) X(omp_unset_nest_lock_) X(omp_test_nest_lock_)     \
  X(omp_destroy_nest_lock_) X(__kmpc_critical) X(__kmpc_critical_with_hint)                     \
  X(__kmpc_end_critical) X(__kmpc_ordered) X(__kmpc_end_ordered) X(omp_get_num_threads)         \
  X(omp_get_thread_num) X(omp_get_cancellation) X(GOMP_cancellation_point)

enum class Entry : uint8_t {
#define PARALLAX_X(name) k##name,
  PARALLAX_OPENMP_ENTRIES(PARALLAX_X)
#undef PARALLAX_X
  kCount
};

struct Runtime {
  const ElfW(Phdr)* object;  // the headers of which it is a part; null: it was unloaded
  bool llvm;
  void* code[static_cast<size_t>(Entry::kCount)];  // null where it has no such routine

  // The routine, of the type of the interposed one.
  template <class F>
  F* get(Entry entry) const {
    return reinterpret_cast<F*>(code[static_cast<size_t>(entry)]);
  }
};

// The runtime whose routine a call from this address would have reached without the agent. Null if
// no loaded module has this routine: without the agent, the call would fail. The first call
// searches for runtimes; if there are several, so does the first call from each place. The search
// takes no lock of the dynamic linker that is held while constructors run, because a constructor may
// wait for this thread. It uses no memory of the program.
const Runtime* runtimeFor(const void* caller, Entry entry);

// This thread is about to load or unload modules, or has just done so: the next call looks again.
void modulesChanged();
// It will load some, and nothing of us is called afterwards.
void modulesChangeUnseen();

// Calls `keep` with an address in each runtime that must stay loaded. The threads of GNU's runtime
// survive an unload and would run in unmapped code. A program that ends directly afterwards would
// not notice this, but the agent delays its end.
void keepRuntimes(void (*keep)(const void* code));

// Whether regions, barriers and tasks are recorded at libgomp's entry points.
bool records(const Runtime& runtime);
// Whether the program may cancel regions and taskgroups (OMP_CANCELLATION).
bool canCancel(const Runtime& runtime);
// Whether locks are.
bool recordsLocks();

}  // namespace parallax::openmp
