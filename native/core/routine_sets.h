// Names for many routines at once, in --count, --flat and --full; for the agent and for
// parallax-record.
#pragma once

#include <cstdint>
#include <string_view>

namespace parallax {

struct RoutineSet {
  std::string_view name;
  std::string_view routines;  // globs, by commas
};

inline constexpr RoutineSet kRoutineSets[] = {
    // Calls of MPI that ask or describe, and never wait.
    {"mpi-local",
     "MPI_Address,MPI_Attr_get,MPI_Comm_compare,MPI_Comm_get_attr,MPI_Comm_get_name,MPI_Comm_rank,"
     "MPI_Comm_remote_size,MPI_Comm_size,MPI_Comm_test_inter,MPI_Error_class,MPI_Error_string,"
     "MPI_Finalized,MPI_Get_address,MPI_Get_count,MPI_Get_elements,MPI_Get_elements_x,"
     "MPI_Get_library_version,MPI_Get_processor_name,MPI_Get_version,MPI_Initialized,"
     "MPI_Is_thread_main,MPI_Query_thread,MPI_Session_get_*,MPI_Test_cancelled,MPI_Wtick,MPI_Wtime"},
    {"mpi-type", "MPI_Type_*,MPI_Pack,MPI_Pack_size,MPI_Unpack"},
    {"mpi-topology",
     "MPI_Cart_coords,MPI_Cart_get,MPI_Cart_rank,MPI_Cart_shift,MPI_Cartdim_get,MPI_Dims_create,"
     "MPI_Dist_graph_neighbors,MPI_Dist_graph_neighbors_count,MPI_Graph_get,MPI_Graph_neighbors,"
     "MPI_Graph_neighbors_count,MPI_Graphdims_get,MPI_Topo_test"},
    {"mpi-group", "MPI_Comm_group,MPI_Comm_remote_group,MPI_Group_*"},
    {"mpi-test", "MPI_Test*,MPI_Iprobe,MPI_Improbe"},
    {"mpi-rma",
     "MPI_Win_*,MPI_Put,MPI_Get,MPI_Accumulate,MPI_Get_accumulate,MPI_Fetch_and_op,"
     "MPI_Compare_and_swap"},
    {"mpi-io", "MPI_File_*"},
    {"lock", "pthread_mutex_*,pthread_rwlock_*,pthread_spin_*"},
    {"condition", "pthread_cond_*"},
    {"barrier", "pthread_barrier_*"},
    {"semaphore", "sem_*"},
};

// What is counted unless somebody asks for more.
inline constexpr std::string_view kCountedUsually = "mpi-local,mpi-type,mpi-topology,mpi-group";

// Whether a glob of * and ? is a name for `text`. A backslash makes the next character a plain one.
constexpr bool matchesGlob(std::string_view glob, std::string_view text) {
  size_t g = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      from = t;
    } else if (g + 1 < glob.size() && glob[g] == '\\' && glob[g + 1] == text[t]) {
      g += 2, t++;
    } else if (g < glob.size() && glob[g] != '\\' && (glob[g] == '?' || glob[g] == text[t])) {
      g++, t++;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') g++;
  return g == glob.size();
}

inline const RoutineSet* routineSet(std::string_view name) {
  for (const RoutineSet& set : kRoutineSets) {
    if (set.name == name) return &set;
  }
  return nullptr;
}

}  // namespace parallax
