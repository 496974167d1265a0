// Collectives that are composed of other routines of MPI. Their results are those of the library's to the last bit: they move data,
// or reduce integers by operations that do not depend on the order. Not for several threads at once.
#pragma once

#include <cstdint>

#include "interpose/mpi/mpi_abi.h"

namespace parallax::mpi {

enum Method : uint8_t {
  kLibrary,        // as it decides itself
  kExchange,       // allreduce: recursive doubling, each process exchanges all data with log2(size) others
  kReduceBcast,    // allreduce: a reduce to rank 0 and a broadcast
  kScatterGather,  // allreduce: a reduce-scatter and an allgather
  kPairwise,       // alltoall: with one other process after the other
  kLinear,         // alltoall: all messages at once
};

struct ReduceArguments {
  const void* sent;
  void* received;
  uint64_t count;
  Handle type, operation;
};
struct ExchangeArguments {
  const void* sent;
  uint64_t sentCount;
  Handle sentType;
  void* received;
  uint64_t receivedCount;
  Handle receivedType;
};

// The methods need counts up to INT_MAX.
inline constexpr uint64_t kMostBytesOfMethod = 1u << 30;

// A process that got no memory in the middle of a call would leave the others waiting. So there is room for so many bytes of an
// all-reduce before a method may be chosen; more are left to the library.
inline constexpr uint64_t kMostBytesReduced = 1u << 20;
bool reserveRoom();

// Whether the result of a reduction is the same in any order: sums, products, extremes and bits of integers.
bool isExact(Handle type, Handle operation);

// All processes of MPI_COMM_WORLD call them with the same method.
int allreduceBy(uint8_t method, const ReduceArguments& a);
int alltoallBy(uint8_t method, const ExchangeArguments& a);

}  // namespace parallax::mpi
