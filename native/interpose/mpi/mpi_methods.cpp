// Messages go over a communicator of their own, which the first call makes: on MPI_COMM_WORLD, the program could receive them.
#include "interpose/mpi/mpi_methods.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/memory.h"
#include "interpose/mpi/mpi_comm.h"
#include "interpose/mpi/mpi_real.h"
#include "interpose/mpi/mpi_routine.h"
#include "live/live_job.h"

namespace parallax::mpi {
namespace {

constexpr int kTag = 0;

constexpr const char* kIntegersOfOpenMpi[] = {
    "ompi_mpi_signed_char", "ompi_mpi_unsigned_char", "ompi_mpi_short", "ompi_mpi_unsigned_short", "ompi_mpi_int", "ompi_mpi_unsigned",
    "ompi_mpi_long", "ompi_mpi_unsigned_long", "ompi_mpi_long_long_int", "ompi_mpi_unsigned_long_long", "ompi_mpi_int8_t",
    "ompi_mpi_uint8_t", "ompi_mpi_int16_t", "ompi_mpi_uint16_t", "ompi_mpi_int32_t", "ompi_mpi_uint32_t", "ompi_mpi_int64_t",
    "ompi_mpi_uint64_t", "ompi_mpi_integer"};
constexpr const char* kOperationsOfOpenMpi[] = {"ompi_mpi_op_max", "ompi_mpi_op_min", "ompi_mpi_op_sum", "ompi_mpi_op_prod",
                                                "ompi_mpi_op_band", "ompi_mpi_op_bor", "ompi_mpi_op_bxor"};
// In the same order.
constexpr Handle kIntegersOfMpich[] = {0x4c000118, 0x4c000102, 0x4c000203, 0x4c000204, 0x4c000405, 0x4c000406, 0x4c000807,
                                       0x4c000808, 0x4c000809, 0x4c000819, 0x4c000137, 0x4c00013b, 0x4c000238, 0x4c00023c,
                                       0x4c000439, 0x4c00043d, 0x4c00083a, 0x4c00083e, 0x4c00041b};
constexpr Handle kOperationsOfMpich[] = {0x58000001, 0x58000002, 0x58000003, 0x58000004, 0x58000006, 0x58000008, 0x5800000a};

struct Exact {
  Handle types[std::size(kIntegersOfMpich)] = {};
  Handle operations[std::size(kOperationsOfMpich)] = {};

  Exact() {
    if (abi().library == Library::kMpich) {
      std::copy(std::begin(kIntegersOfMpich), std::end(kIntegersOfMpich), types);
      std::copy(std::begin(kOperationsOfMpich), std::end(kOperationsOfMpich), operations);
    } else if (abi().library == Library::kOpenMpi) {
      find(kIntegersOfOpenMpi, types);
      find(kOperationsOfOpenMpi, operations);
    }
  }

 private:
  template <size_t N>
  static void find(const char* const (&names)[N], Handle (&handles)[N]) {
    for (size_t i = 0; i < N; i++) handles[i] = reinterpret_cast<Handle>(findVariable(names[i]));
  }
};

template <size_t N>
bool isAmong(Handle handle, const Handle (&handles)[N]) {
  handle = normalised(handle);
  return handle != 0 && std::find(handles, handles + N, handle) != handles + N;
}

// ---- where the messages go

struct Messages {
  Handle comm = 0;
  int rank = 0, size = 0;
};
Messages messages;

// All processes come here at the same call. 0, or the error of MPI.
int openMessages() {
  if (messages.comm != 0) return 0;
  Handle group = 0, comm = 0;
  int error = callService(Service::kComm_group, abi().world, &group);
  if (error != 0) return error;
  // Not a duplicate: that would call the program's functions for attributes.
  error = callService(Service::kComm_create, abi().world, loadHandle(&group), &comm);
  callService(Service::kGroup_free, &group);
  if (error != 0) return error;
  callService(Service::kComm_rank, abi().world, &messages.rank);
  callService(Service::kComm_size, abi().world, &messages.size);
  messages.comm = loadHandle(&comm);
  return 0;
}

int send(const void* data, int count, Handle type, int to) {
  return callService(Service::kSend, data, count, type, to, kTag, messages.comm);
}
int receive(void* data, int count, Handle type, int from) {
  return callService(Service::kRecv, data, count, type, from, kTag, messages.comm, abi().statusIgnore);
}
int swap(const void* sent, int sentCount, Handle sentType, int to, void* received, int receivedCount, Handle receivedType, int from) {
  return callService(Service::kSendrecv, sent, sentCount, sentType, to, kTag, received, receivedCount, receivedType, from, kTag,
                     messages.comm, abi().statusIgnore);
}

// Of kMostBytesReduced; null before reserveRoom().
char* room = nullptr;

// ---- allreduce

// The first error of several steps; those after it are made all the same, so that no process waits for ever.
class Errors {
 public:
  void add(int error) {
    if (first_ == 0) first_ = error;
  }
  int first() const { return first_; }

 private:
  int first_ = 0;
};

int exchange(const ReduceArguments& a) {
  Errors errors;
  errors.add(openMessages());
  if (errors.first() != 0) return errors.first();
  const size_t bytes = a.count * typeBytes(a.type);
  char* const other = room;
  const int count = static_cast<int>(a.count), rank = messages.rank, size = messages.size;
  if (!inPlace(a.sent)) memcpy(a.received, a.sent, bytes);
  const auto reduce = [&] { errors.add(callService(Service::kReduce_local, other, a.received, count, a.type, a.operation)); };
  int power = 1;
  while (2 * power <= size) power *= 2;
  // Those beyond the power of two give their data to a neighbour, and get the result from it.
  const int extra = size - power;
  const bool isPaired = rank < 2 * extra, gives = isPaired && rank % 2 == 0;
  if (gives) {
    errors.add(send(a.received, count, a.type, rank + 1));
    errors.add(receive(a.received, count, a.type, rank + 1));
    return errors.first();
  }
  if (isPaired) {
    errors.add(receive(other, count, a.type, rank - 1));
    reduce();
  }
  const int own = isPaired ? rank / 2 : rank - extra;
  for (int mask = 1; mask < power; mask *= 2) {
    const int peer = own ^ mask, to = peer < extra ? 2 * peer + 1 : peer + extra;
    errors.add(swap(a.received, count, a.type, to, other, count, a.type, to));
    reduce();
  }
  if (isPaired) errors.add(send(a.received, count, a.type, rank - 1));
  return errors.first();
}

int reduceBcast(const ReduceArguments& a) {
  int rank = 0;
  callService(Service::kComm_rank, abi().world, &rank);
  const int count = static_cast<int>(a.count);
  const void* sent = inPlace(a.sent) && rank != 0 ? a.received : a.sent;
  Errors errors;
  errors.add(callService(Service::kReduce, sent, a.received, count, a.type, a.operation, 0, abi().world));
  errors.add(callService(Service::kBcast, a.received, count, a.type, 0, abi().world));
  return errors.first();
}

int scatterGather(const ReduceArguments& a) {
  static int counts[live::kMostMembers], offsets[live::kMostMembers];
  int rank = 0, size = 0;
  callService(Service::kComm_rank, abi().world, &rank);
  callService(Service::kComm_size, abi().world, &size);
  const int count = static_cast<int>(a.count);
  for (int i = 0; i < size; i++) {
    counts[i] = count / size + (i < count % size ? 1 : 0);
    offsets[i] = i == 0 ? 0 : offsets[i - 1] + counts[i - 1];
  }
  char* const part = room;
  const void* sent = inPlace(a.sent) ? a.received : a.sent;
  Errors errors;
  errors.add(callService(Service::kReduce_scatter, sent, part, &counts[0], a.type, a.operation, abi().world));
  errors.add(callService(Service::kAllgatherv, part, counts[rank], a.type, a.received, &counts[0], &offsets[0], a.type, abi().world));
  return errors.first();
}

// ---- alltoall

// The blocks of a buffer, one for each process.
class Blocks {
 public:
  Blocks(const void* buffer, uint64_t count, Handle type) : at_(static_cast<const char*>(buffer)), count_(static_cast<int>(count)), type_(type) {
    intptr_t low = 0, extent = 0;
    callService(Service::kType_get_extent, type, &low, &extent);
    stride_ = extent * count_;
  }
  const char* at(int i) const { return at_ + i * stride_; }
  char* writable(int i) const { return const_cast<char*>(at(i)); }
  int count() const { return count_; }
  Handle type() const { return type_; }

 private:
  const char* at_;
  int count_;
  Handle type_;
  intptr_t stride_;
};

int swapBlocks(const Blocks& sent, const Blocks& received, int to, int from) {
  return swap(sent.at(to), sent.count(), sent.type(), to, received.writable(from), received.count(), received.type(), from);
}

int pairwise(const Blocks& sent, const Blocks& received) {
  Errors errors;
  const int rank = messages.rank, size = messages.size;
  const bool isPower = (size & (size - 1)) == 0;
  for (int step = 0; step < size; step++) {
    const int to = isPower ? rank ^ step : (rank + step) % size, from = isPower ? to : (rank - step + size) % size;
    errors.add(swapBlocks(sent, received, to, from));
  }
  return errors.first();
}

int linear(const Blocks& sent, const Blocks& received) {
  constexpr size_t kMostHandleBytes = 8;
  alignas(8) static char requests[2 * live::kMostMembers * kMostHandleBytes];
  Errors errors;
  errors.add(swapBlocks(sent, received, messages.rank, messages.rank));
  const int rank = messages.rank, size = messages.size;
  int begun = 0;
  const auto begin = [&](Service service, const char* at, const Blocks& blocks, int peer) {
    void* request = requests + static_cast<size_t>(begun) * abi().handleBytes;
    const int error = callService(service, at, blocks.count(), blocks.type(), peer, kTag, messages.comm, request);
    errors.add(error);
    if (error == 0) begun++;
  };
  for (int step = 1; step < size; step++) {
    const int from = (rank - step + size) % size;
    begin(Service::kIrecv, received.at(from), received, from);
  }
  for (int step = 1; step < size; step++) {
    const int to = (rank + step) % size;
    begin(Service::kIsend, sent.at(to), sent, to);
  }
  errors.add(callService(Service::kWaitall, begun, &requests[0], abi().statusIgnore));
  return errors.first();
}

}  // namespace

bool reserveRoom() {
  if (room == nullptr) room = static_cast<char*>(allocatePages(kMostBytesReduced));
  return room != nullptr;
}

bool isExact(Handle type, Handle operation) {
  static const Exact exact;
  return isAmong(type, exact.types) && isAmong(operation, exact.operations);
}

int allreduceBy(uint8_t method, const ReduceArguments& a) {
  switch (method) {
    case kReduceBcast: return reduceBcast(a);
    case kScatterGather: return scatterGather(a);
    default: return exchange(a);
  }
}

int alltoallBy(uint8_t method, const ExchangeArguments& a) {
  if (const int error = openMessages(); error != 0) return error;
  const Blocks sent(a.sent, a.sentCount, a.sentType), received(a.received, a.receivedCount, a.receivedType);
  return method == kLinear ? linear(sent, received) : pairwise(sent, received);
}

}  // namespace parallax::mpi
