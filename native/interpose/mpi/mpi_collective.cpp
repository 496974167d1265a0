// Collectives, blocking, non-blocking and persistent.
//
// Bytes are those of the arguments: `sent` is what the routine reads of this process's data,
// each element once, `received` what it stores for it. A call with MPI_IN_PLACE counts as the
// call that it stands for; null neighbours count nothing.

#include <type_traits>

#include "interpose/mpi/mpi_choice.h"
#include "interpose/mpi/mpi_completion.h"
#include "interpose/mpi/mpi_methods.h"
#include "interpose/mpi/mpi_providers.h"

namespace parallax::mpi {
namespace {

using format::Collective;

struct Amount {
  uint64_t sent = 0;
  uint64_t received = 0;
};

template <class C>
uint64_t bytesOf(C count, Handle type) {
  return count > 0 ? static_cast<uint64_t>(count) * typeBytes(type) : 0;
}

// Sum of the counts of all but the null neighbours.
template <class C>
uint64_t sumOf(const C* counts, uint32_t n, uint64_t nulls = 0) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const bool null = i < 64 && (nulls >> i & 1) != 0;
    if (!null && counts[i] > 0) sum += static_cast<uint64_t>(counts[i]);
  }
  return sum;
}

// Sum of bytes where each part has its own type.
template <class C>
uint64_t bytesOfAll(const C* counts, const void* types, uint32_t n, uint64_t nulls = 0) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n; ++i) {
    if (i < 64 && (nulls >> i & 1) != 0) continue;
    if (counts[i] > 0) sum += bytesOf(counts[i], loadHandle(handleAt(types, i)));
  }
  return sum;
}

// What a process does in a collective with a root. In an intercommunicator the group of the root
// has the root itself and processes that do nothing.
struct Part {
  bool root;
  bool leaf;
};

Part partOf(const Communicator& c, int root) {
  if (c.inter()) return {root == abi().root, root >= 0};
  return {root == static_cast<int>(c.rank), true};
}

// The rank of the root in its group, as far as this process knows it.
uint64_t rootOf(const Communicator& c, int root) {
  if (root == abi().root && c.inter()) return c.rank;
  return root >= 0 ? static_cast<uint64_t>(root) : format::kNoRoot;
}

// Whom the parts of a collective without root go to and come from: all, or the neighbours.
struct Reach {
  uint32_t to, from;
  uint64_t nulls;  // bit i: the i-th of either is the null process

  uint32_t realTo() const { return to - static_cast<uint32_t>(__builtin_popcountll(nulls)); }
  uint32_t realFrom() const { return from - static_cast<uint32_t>(__builtin_popcountll(nulls)); }
};

bool isAmongNeighbours(Collective op) {
  return op >= Collective::kNeighborAllgather && op <= Collective::kNeighborAlltoallw;
}

Reach reachOf(const Communicator& c, Collective op) {
  if (isAmongNeighbours(op)) return {c.destinations, c.sources, c.nullNeighbours};
  return {c.peers(), c.peers(), 0};
}

// Sets `into` to the sources that send something to this process.
template <class Sends>
void findSources(const Communicator& c, Collective op, Sends sends, Providers* into) {
  if (isAmongNeighbours(op)) {
    findProviders(c, c.neighbours.count, c.neighbours.at, sends, into);
  } else {
    findProviders(c, c.peers(), nullptr, sends, into);
  }
}

// ---- the three forms, told by what follows the communicator: nothing, a request, or an info
// and a request

constexpr int kRootless = -1;

Request collectiveRequest(const Communicator& c, Collective op, int root, Amount amount) {
  Request r{};
  r.kind = RequestKind::kCollective;
  r.active = true;
  r.communicator = c.number;
  r.opAndRoot = static_cast<uint64_t>(op) << 31 |
                (root == kRootless ? format::kNoRoot : rootOf(c, root));
  r.sentBytes = amount.sent;
  r.receivedBytes = amount.received;
  return r;
}

// What a call moves; some also tell whose data it receives.
template <class Describe>
Amount amountOf(Describe describe, const Communicator& c, Providers* providers) {
  providers->count = 0;
  if constexpr (std::is_invocable_v<Describe, const Communicator&, Providers*>) {
    return describe(c, providers);
  } else {
    return describe(c);
  }
}

template <class Describe, class Real>
int perform(Target target, Handle comm, Collective op, int root, Describe describe, Real real) {
  Scope scope(target);
  Communicator* c = scope ? findCommunicator(comm) : nullptr;
  if (c == nullptr) {
    const int result = real();
    scope.returned();
    return result;
  }
  Providers providers;
  Request request = collectiveRequest(*c, op, root, amountOf(describe, *c, &providers));
  request.providers = providers.count != 0 ? &providers : nullptr;
  request.sequence = c->nextSequence();
  const int result = real();
  scope.returned();
  emitCollective(scope, Kind::kCollective, request);
  return result;
}

template <class Describe, class Real>
int perform(Target target, Handle comm, Collective op, int root, Describe describe, Real real,
            void* handle) {
  Scope scope(target);
  Communicator* c = scope ? findCommunicator(comm) : nullptr;
  if (c == nullptr) {
    const int result = real();
    scope.returned();
    return result;
  }
  Providers providers;
  Request request = collectiveRequest(*c, op, root, amountOf(describe, *c, &providers));
  request.providers = providers.count != 0 ? &providers : nullptr;
  request.sequence = c->nextSequence();
  emitCollective(scope, Kind::kCollectivePost, request);
  request.providers = nullptr;
  const int result = real();
  scope.returned();
  if (result == 0) addRequest(loadHandle(handle), handle, request);
  return result;
}

template <class Describe, class Real>
int perform(Target target, Handle comm, Collective op, int root, Describe describe, Real real,
            Handle, void* handle) {
  Scope scope(target);
  const int result = real();
  scope.returned();
  Communicator* c = scope && result == 0 ? findCommunicator(comm) : nullptr;
  if (c == nullptr) return result;
  Providers providers;
  Request request = collectiveRequest(*c, op, root, amountOf(describe, *c, &providers));
  request.providers = keepProviders(providers);
  request.persistent = true;
  request.active = false;
  request.sequences = c;
  addRequest(loadHandle(handle), handle, request);
  return result;
}

// ---- collectives whose algorithm can be chosen

template <class C>
__attribute__((noinline)) int chosenAllreduce(const Target& target, const void* sent, void* received, C count, Handle type, Handle operation,
                                              Handle comm) {
  return callChosen(
      Chosen::kAllreduce, comm, bytesOf(count, type), [&] { return isExact(type, operation) && bytesOf(count, type) <= kMostBytesReduced; },
      [&] { return target.call(sent, received, count, type, operation, comm); },
      [&](uint8_t method) {
        return allreduceBy(method, {sent, received, static_cast<uint64_t>(count), type, operation});
      });
}

// The blocks that a process sends have as many bytes as those that it receives. In place, none is sent.
template <class C>
__attribute__((noinline)) int chosenAlltoall(const Target& target, const void* sent, C sentCount, Handle sentType, void* received, C receivedCount,
                                             Handle receivedType, Handle comm) {
  const uint64_t bytes = bytesOf(receivedCount, receivedType) * worldCommunicator()->size;
  return callChosen(
      Chosen::kAlltoall, comm, bytes, [&] { return !inPlace(sent) && bytes <= kMostBytesOfMethod; },
      [&] { return target.call(sent, sentCount, sentType, received, receivedCount, receivedType, comm); },
      [&](uint8_t method) {
        return alltoallBy(method, {sent, static_cast<uint64_t>(sentCount), sentType, received, static_cast<uint64_t>(receivedCount),
                                   receivedType});
      });
}

// ---- one function for each list of arguments

template <class... Form>
int barrier(Target target, Collective op, Handle comm, Form... form) {
  return perform(
      target, comm, op, kRootless, [](const Communicator&) { return Amount{}; },
      [&] { return target.call(comm, form...); }, form...);
}

template <class C, class... Form>
int bcast(Target target, Collective op, void* buffer, C count, Handle type, int root, Handle comm,
          Form... form) {
  return perform(
      target, comm, op, root,
      [&](const Communicator& c) {
        const Part part = partOf(c, root);
        const uint64_t bytes = bytesOf(count, type);
        return Amount{part.root ? bytes : 0, part.leaf && !part.root ? bytes : 0};
      },
      [&] { return target.call(buffer, count, type, root, comm, form...); }, form...);
}

template <class C, class... Form>
int gather(Target target, Collective op, const void* sent, C sentCount, Handle sentType,
           void* received, C receivedCount, Handle receivedType, int root, Handle comm,
           Form... form) {
  return perform(
      target, comm, op, root,
      [&](const Communicator& c) {
        const Part part = partOf(c, root);
        Amount a;
        if (part.leaf) {
          a.sent = inPlace(sent) ? bytesOf(receivedCount, receivedType)
                                 : bytesOf(sentCount, sentType);
        }
        if (part.root) a.received = bytesOf(receivedCount, receivedType) * c.peers();
        return a;
      },
      [&] {
        return target.call(sent, sentCount, sentType, received, receivedCount, receivedType, root,
                           comm, form...);
      },
      form...);
}

template <class C, class D, class... Form>
int gatherv(Target target, Collective op, const void* sent, C sentCount, Handle sentType,
            void* received, const C* receivedCounts, const D* offsets, Handle receivedType,
            int root, Handle comm, Form... form) {
  return perform(
      target, comm, op, root,
      [&](const Communicator& c, Providers* providers) {
        const Part part = partOf(c, root);
        Amount a;
        if (part.leaf) {
          a.sent = inPlace(sent) ? bytesOf(receivedCounts[c.rank], receivedType)
                                 : bytesOf(sentCount, sentType);
        }
        if (part.root) {
          a.received = sumOf(receivedCounts, c.peers()) * typeBytes(receivedType);
          findSources(c, op, [&](uint32_t i) { return receivedCounts[i] > 0; }, providers);
        }
        return a;
      },
      [&] {
        return target.call(sent, sentCount, sentType, received, receivedCounts, offsets,
                           receivedType, root, comm, form...);
      },
      form...);
}

template <class C, class... Form>
int scatter(Target target, Collective op, const void* sent, C sentCount, Handle sentType,
            void* received, C receivedCount, Handle receivedType, int root, Handle comm,
            Form... form) {
  return perform(
      target, comm, op, root,
      [&](const Communicator& c) {
        const Part part = partOf(c, root);
        Amount a;
        if (part.root) a.sent = bytesOf(sentCount, sentType) * c.peers();
        if (part.leaf) {
          a.received = inPlace(received) ? bytesOf(sentCount, sentType)
                                         : bytesOf(receivedCount, receivedType);
        }
        return a;
      },
      [&] {
        return target.call(sent, sentCount, sentType, received, receivedCount, receivedType, root,
                           comm, form...);
      },
      form...);
}

template <class C, class D, class... Form>
int scatterv(Target target, Collective op, const void* sent, const C* sentCounts,
             const D* offsets, Handle sentType, void* received, C receivedCount,
             Handle receivedType, int root, Handle comm, Form... form) {
  return perform(
      target, comm, op, root,
      [&](const Communicator& c) {
        const Part part = partOf(c, root);
        Amount a;
        if (part.root) a.sent = sumOf(sentCounts, c.peers()) * typeBytes(sentType);
        if (part.leaf) {
          a.received = inPlace(received) ? bytesOf(sentCounts[c.rank], sentType)
                                         : bytesOf(receivedCount, receivedType);
        }
        return a;
      },
      [&] {
        return target.call(sent, sentCounts, offsets, sentType, received, receivedCount,
                           receivedType, root, comm, form...);
      },
      form...);
}

template <class C, class... Form>
int allgather(Target target, Collective op, const void* sent, C sentCount, Handle sentType,
              void* received, C receivedCount, Handle receivedType, Handle comm, Form... form) {
  return perform(
      target, comm, op, kRootless,
      [&](const Communicator& c, Providers* providers) {
        const uint64_t each = bytesOf(receivedCount, receivedType);
        if (isAmongNeighbours(op)) findSources(c, op, [&](uint32_t) { return each > 0; }, providers);
        return Amount{inPlace(sent) ? each : bytesOf(sentCount, sentType),
                      each * reachOf(c, op).realFrom()};
      },
      [&] {
        return target.call(sent, sentCount, sentType, received, receivedCount, receivedType, comm,
                           form...);
      },
      form...);
}

template <class C, class D, class... Form>
int allgatherv(Target target, Collective op, const void* sent, C sentCount, Handle sentType,
               void* received, const C* receivedCounts, const D* offsets, Handle receivedType,
               Handle comm, Form... form) {
  return perform(
      target, comm, op, kRootless,
      [&](const Communicator& c, Providers* providers) {
        const Reach reach = reachOf(c, op);
        findSources(c, op, [&](uint32_t i) { return receivedCounts[i] > 0; }, providers);
        return Amount{inPlace(sent) ? bytesOf(receivedCounts[c.rank], receivedType)
                                    : bytesOf(sentCount, sentType),
                      sumOf(receivedCounts, reach.from, reach.nulls) * typeBytes(receivedType)};
      },
      [&] {
        return target.call(sent, sentCount, sentType, received, receivedCounts, offsets,
                           receivedType, comm, form...);
      },
      form...);
}

template <class C, class... Form>
int alltoall(Target target, Collective op, const void* sent, C sentCount, Handle sentType,
             void* received, C receivedCount, Handle receivedType, Handle comm, Form... form) {
  return perform(
      target, comm, op, kRootless,
      [&](const Communicator& c, Providers* providers) {
        const Reach reach = reachOf(c, op);
        const uint64_t in = bytesOf(receivedCount, receivedType) * reach.realFrom();
        if (isAmongNeighbours(op)) findSources(c, op, [&](uint32_t) { return in > 0; }, providers);
        return Amount{inPlace(sent) ? in : bytesOf(sentCount, sentType) * reach.realTo(), in};
      },
      [&] {
        if (sizeof...(form) == 0 && mayChoose && op == Collective::kAlltoall) {
          return chosenAlltoall(target, sent, sentCount, sentType, received, receivedCount, receivedType, comm);
        }
        return target.call(sent, sentCount, sentType, received, receivedCount, receivedType, comm,
                           form...);
      },
      form...);
}

template <class C, class D, class... Form>
int alltoallv(Target target, Collective op, const void* sent, const C* sentCounts,
              const D* sentOffsets, Handle sentType, void* received, const C* receivedCounts,
              const D* receivedOffsets, Handle receivedType, Handle comm, Form... form) {
  return perform(
      target, comm, op, kRootless,
      [&](const Communicator& c, Providers* providers) {
        const Reach reach = reachOf(c, op);
        const uint64_t in =
            sumOf(receivedCounts, reach.from, reach.nulls) * typeBytes(receivedType);
        findSources(c, op, [&](uint32_t i) { return receivedCounts[i] > 0; }, providers);
        if (inPlace(sent)) return Amount{in, in};
        return Amount{sumOf(sentCounts, reach.to, reach.nulls) * typeBytes(sentType), in};
      },
      [&] {
        return target.call(sent, sentCounts, sentOffsets, sentType, received, receivedCounts,
                           receivedOffsets, receivedType, comm, form...);
      },
      form...);
}

template <class C, class D, class... Form>
int alltoallw(Target target, Collective op, const void* sent, const C* sentCounts,
              const D* sentOffsets, const void* sentTypes, void* received,
              const C* receivedCounts, const D* receivedOffsets, const void* receivedTypes,
              Handle comm, Form... form) {
  return perform(
      target, comm, op, kRootless,
      [&](const Communicator& c, Providers* providers) {
        const Reach reach = reachOf(c, op);
        const uint64_t in = bytesOfAll(receivedCounts, receivedTypes, reach.from, reach.nulls);
        const auto sends = [&](uint32_t i) {
          return bytesOf(receivedCounts[i], loadHandle(handleAt(receivedTypes, i))) > 0;
        };
        findSources(c, op, sends, providers);
        if (inPlace(sent)) return Amount{in, in};
        return Amount{bytesOfAll(sentCounts, sentTypes, reach.to, reach.nulls), in};
      },
      [&] {
        return target.call(sent, sentCounts, sentOffsets, sentTypes, received, receivedCounts,
                           receivedOffsets, receivedTypes, comm, form...);
      },
      form...);
}

template <class C, class... Form>
int reduce(Target target, Collective op, const void* sent, void* received, C count, Handle type,
           Handle operation, int root, Handle comm, Form... form) {
  return perform(
      target, comm, op, root,
      [&](const Communicator& c) {
        const Part part = partOf(c, root);
        const uint64_t bytes = bytesOf(count, type);
        return Amount{part.leaf ? bytes : 0, part.root ? bytes : 0};
      },
      [&] { return target.call(sent, received, count, type, operation, root, comm, form...); },
      form...);
}

template <class C, class... Form>
int allreduce(Target target, Collective op, const void* sent, void* received, C count,
              Handle type, Handle operation, Handle comm, Form... form) {
  return perform(
      target, comm, op, kRootless,
      [&](const Communicator& c) {
        const uint64_t bytes = bytesOf(count, type);
        const bool nothingBefore = op == Collective::kExscan && c.rank == 0;
        return Amount{bytes, nothingBefore ? 0 : bytes};
      },
      [&] {
        if (sizeof...(form) == 0 && mayChoose && op == Collective::kAllreduce) {
          return chosenAllreduce(target, sent, received, count, type, operation, comm);
        }
        return target.call(sent, received, count, type, operation, comm, form...);
      },
      form...);
}

template <class C, class... Form>
int reduceScatter(Target target, Collective op, const void* sent, void* received,
                  const C* receivedCounts, Handle type, Handle operation, Handle comm,
                  Form... form) {
  return perform(
      target, comm, op, kRootless,
      [&](const Communicator& c) {
        const uint64_t element = typeBytes(type);
        return Amount{sumOf(receivedCounts, c.size) * element,
                      sumOf(receivedCounts + c.rank, 1) * element};
      },
      [&] {
        return target.call(sent, received, receivedCounts, type, operation, comm, form...);
      },
      form...);
}

template <class C, class... Form>
int reduceScatterBlock(Target target, Collective op, const void* sent, void* received, C count,
                       Handle type, Handle operation, Handle comm, Form... form) {
  return perform(
      target, comm, op, kRootless,
      [&](const Communicator& c) {
        const uint64_t bytes = bytesOf(count, type);
        return Amount{bytes * c.size, bytes};
      },
      [&] { return target.call(sent, received, count, type, operation, comm, form...); },
      form...);
}

template <class... Args>
int neighborAlltoallw(Args... args) {
  return alltoallw(args...);
}

}  // namespace

// ---- the symbols

// Parameters and arguments of each function above; C is the type of a count, D of an offset.
#define PARALLAX_P_bcast(C, D) void *buffer, C count, Handle type, int root, Handle comm
#define PARALLAX_A_bcast buffer, count, type, root, comm

#define PARALLAX_P_gather(C, D)                                                             \
  const void *sent, C sentCount, Handle sentType, void *received, C receivedCount,          \
      Handle receivedType, int root, Handle comm
#define PARALLAX_A_gather \
  sent, sentCount, sentType, received, receivedCount, receivedType, root, comm
#define PARALLAX_P_scatter PARALLAX_P_gather
#define PARALLAX_A_scatter PARALLAX_A_gather

#define PARALLAX_P_gatherv(C, D)                                                            \
  const void *sent, C sentCount, Handle sentType, void *received, const C *receivedCounts,  \
      const D *offsets, Handle receivedType, int root, Handle comm
#define PARALLAX_A_gatherv \
  sent, sentCount, sentType, received, receivedCounts, offsets, receivedType, root, comm

#define PARALLAX_P_scatterv(C, D)                                                           \
  const void *sent, const C *sentCounts, const D *offsets, Handle sentType, void *received, \
      C receivedCount, Handle receivedType, int root, Handle comm
#define PARALLAX_A_scatterv \
  sent, sentCounts, offsets, sentType, received, receivedCount, receivedType, root, comm

#define PARALLAX_P_allgather(C, D)                                                          \
  const void *sent, C sentCount, Handle sentType, void *received, C receivedCount,          \
      Handle receivedType, Handle comm
#define PARALLAX_A_allgather \
  sent, sentCount, sentType, received, receivedCount, receivedType, comm
#define PARALLAX_P_alltoall PARALLAX_P_allgather
#define PARALLAX_A_alltoall PARALLAX_A_allgather

#define PARALLAX_P_allgatherv(C, D)                                                         \
  const void *sent, C sentCount, Handle sentType, void *received, const C *receivedCounts,  \
      const D *offsets, Handle receivedType, Handle comm
#define PARALLAX_A_allgatherv \
  sent, sentCount, sentType, received, receivedCounts, offsets, receivedType, comm

#define PARALLAX_P_alltoallv(C, D)                                                          \
  const void *sent, const C *sentCounts, const D *sentOffsets, Handle sentType,             \
      void *received, const C *receivedCounts, const D *receivedOffsets,                    \
      Handle receivedType, Handle comm
#define PARALLAX_A_alltoallv                                                     \
  sent, sentCounts, sentOffsets, sentType, received, receivedCounts, receivedOffsets, \
      receivedType, comm

#define PARALLAX_P_alltoallw(C, D)                                                          \
  const void *sent, const C *sentCounts, const D *sentOffsets, const void *sentType,        \
      void *received, const C *receivedCounts, const D *receivedOffsets,                    \
      const void *receivedType, Handle comm
#define PARALLAX_A_alltoallw PARALLAX_A_alltoallv
// The offsets of MPI_Neighbor_alltoallw are MPI_Aint in both forms.
#define PARALLAX_P_neighborAlltoallw(C, D) PARALLAX_P_alltoallw(C, intptr_t)
#define PARALLAX_A_neighborAlltoallw PARALLAX_A_alltoallv

#define PARALLAX_P_reduce(C, D)                                                             \
  const void *sent, void *received, C count, Handle type, Handle operation, int root,       \
      Handle comm
#define PARALLAX_A_reduce sent, received, count, type, operation, root, comm

#define PARALLAX_P_allreduce(C, D) \
  const void *sent, void *received, C count, Handle type, Handle operation, Handle comm
#define PARALLAX_A_allreduce sent, received, count, type, operation, comm
#define PARALLAX_P_reduceScatterBlock PARALLAX_P_allreduce
#define PARALLAX_A_reduceScatterBlock PARALLAX_A_allreduce

#define PARALLAX_P_reduceScatter(C, D)                                                      \
  const void *sent, void *received, const C *receivedCounts, Handle type, Handle operation, \
      Handle comm
#define PARALLAX_A_reduceScatter sent, received, receivedCounts, type, operation, comm

#define PARALLAX_FORMS(Op, arguments, Name, IName, Init, C)                                  \
  PARALLAX_MPI_ENTRY(Name, (PARALLAX_P_##arguments(C, C)), arguments, Collective::k##Op,     \
                     PARALLAX_A_##arguments)                                                 \
  PARALLAX_MPI_ENTRY(IName, (PARALLAX_P_##arguments(C, C), void* handle), arguments,         \
                     Collective::k##Op, PARALLAX_A_##arguments, handle)                      \
  PARALLAX_MPI_ENTRY(Init, (PARALLAX_P_##arguments(C, C), Handle info, void* handle),        \
                     arguments, Collective::k##Op, PARALLAX_A_##arguments, info, handle)

#define PARALLAX_MPI_COLLECTIVE(Op, arguments, Name, IName, name, iname)         \
  PARALLAX_FORMS(Op, arguments, Name, IName, Name##_init, int)                   \
  PARALLAX_FORMS(Op, arguments, Name##_c, IName##_c, Name##_init_c, int64_t)
#define PARALLAX_MPI(Name, name)
#define PARALLAX_MPI_COUNTED(Name, name)
#include "interpose/mpi/mpi_routines.def"

PARALLAX_MPI_ENTRY(Barrier, (Handle comm), barrier, Collective::kBarrier, comm)
PARALLAX_MPI_ENTRY(Ibarrier, (Handle comm, void* handle), barrier, Collective::kBarrier, comm,
                   handle)
PARALLAX_MPI_ENTRY(Barrier_init, (Handle comm, Handle info, void* handle), barrier,
                   Collective::kBarrier, comm, info, handle)

}  // namespace parallax::mpi
