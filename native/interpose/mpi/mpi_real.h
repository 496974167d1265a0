// The routines behind the interposed ones, found lazily, and the services of MPI that the
// adapter itself calls.
#pragma once

#include <atomic>
#include <cstdint>

#include "interpose/mpi/mpi_abi.h"

namespace parallax::mpi {

// The next definition of a symbol behind this library, or in any object loaded with dlopen.
// nullptr when there is none.
void* findSymbol(const char* name);

// The address of a variable of the MPI library, or null. An executable can hold a copy of it,
// which is then the one that all use.
void* findVariable(const char* name);

// Routines that are not recorded but needed to describe what is.
#define PARALLAX_MPI_SERVICES(X)                                                              \
  X(Allgatherv) X(Bcast) X(Cart_shift) X(Cartdim_get) X(Comm_compare) X(Comm_create) X(Comm_dup) X(Comm_free) \
  X(Comm_get_errhandler) X(Comm_get_name) X(Comm_get_parent) X(Comm_group)                                           \
  X(Comm_rank) X(Comm_remote_group) X(Comm_remote_size) X(Comm_size) X(Comm_test_inter)       \
  X(Dist_graph_neighbors) X(Dist_graph_neighbors_count) X(Errhandler_free) X(Error_class) X(File_get_group) X(Finalized) X(Get_count_c)                    \
  X(Graph_neighbors) X(Graph_neighbors_count)                                                 \
  X(Group_free) X(Group_from_session_pset) X(Group_rank) X(Group_size) X(Group_translate_ranks)     \
  X(Ibcast) X(Info_free) X(Info_get) X(Initialized) X(Iprobe) X(Irecv) X(Is_thread_main) X(Isend) X(Recv) X(Reduce) X(Reduce_local) X(Reduce_scatter) \
  X(Request_free) X(Send) X(Sendrecv) X(Session_get_info)                                     \
  X(Query_thread) X(Test) X(Test_cancelled) X(Topo_test) X(Type_get_extent) X(Type_size)      \
  X(Type_size_x) X(Wait) X(Waitall)                                                           \
  X(Win_get_group)

enum class Service : uint8_t {
#define PARALLAX_X(name) k##name,
  PARALLAX_MPI_SERVICES(PARALLAX_X)
#undef PARALLAX_X
  kCount
};

void* serviceAddress(Service service);

// Calls PMPI_<service> past every interposed symbol. Handles are passed as Handle, which is right
// for all ABIs. Returns MPI_ERR_OTHER when the library has no such routine.
template <typename... Args>
int callService(Service service, Args... args) {
  auto* real = reinterpret_cast<int (*)(Args...)>(serviceAddress(service));
  return real != nullptr ? real(args...) : abi().errOther;
}

}  // namespace parallax::mpi
