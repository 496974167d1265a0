// What all intercepted routines share: their table, the way to the real ones, Enter and Leave.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>

#include "core/agent.h"
#include "interpose/mpi/mpi_abi.h"
#include "perturb/speedup.h"

namespace parallax::mpi {

enum class Routine : uint16_t {
#define PARALLAX_MPI(Name, name) k##Name,
#define PARALLAX_MPI_COUNTED(Name, name) k##Name, k##Name##_c,
#include "interpose/mpi/mpi_routines.def"
  kCount
};

extern Region regions[static_cast<size_t>(Routine::kCount)];
inline Region& regionOf(Routine routine) { return regions[static_cast<size_t>(routine)]; }

// How a call of a routine waits.
constexpr Call::Manner mannerOf(Routine routine) {
  switch (routine) {
    case Routine::kTest: case Routine::kTestall: case Routine::kTestany: case Routine::kTestsome:
    case Routine::kIprobe: case Routine::kImprobe: case Routine::kWin_test:
    case Routine::kRequest_get_status: case Routine::kParrived:
      return Call::Manner::kTries;
    case Routine::kWait: case Routine::kWaitall: case Routine::kWaitany: case Routine::kWaitsome:
    case Routine::kRecv: case Routine::kRecv_c: case Routine::kMrecv: case Routine::kMrecv_c:
    case Routine::kProbe: case Routine::kMprobe: case Routine::kWin_wait:
      return Call::Manner::kWaits;
    default:
      return Call::Manner::kPlain;
  }
}

// The name a program called: MPI_Send or PMPI_Send. Both are interposed, since Open MPI's
// Fortran goes to the second one, MPICH's to either, and so does a program with a profiling layer
// of its own; whichever comes first is recorded, and what is called inside passes through.
enum class Layer : uint8_t { kMpi, kPmpi };

void* findReal(Routine routine, Layer layer);
extern std::atomic<void*> realRoutines[2][static_cast<size_t>(Routine::kCount)];

// The next definition of a routine, found at the first call of it. Before that, and recursively
// from the search itself, nothing is recorded. A library without it answers MPI_ERR_OTHER.
struct Target {
  Routine routine;
  Layer layer;
  RoutineFrame frame;  // of the interposed function, or null

  template <typename... Args>
  int call(Args... args) const {
    void* real = realRoutines[static_cast<size_t>(layer)][static_cast<size_t>(routine)].load(
        std::memory_order_acquire);
    if (real == nullptr) real = findReal(routine, layer);
    if (real == nullptr) return abi().errOther;
    const speedup::Wait wait;  // those that do not wait let others go on
    return reinterpret_cast<int (*)(Args...)>(real)(args...);
  }
};

// Messages of the agent that are still under way (mpi_buffered.h), of the thread that calls MPI.
extern uint32_t pendingSends;
void progressPendingSends();

// Enter and Leave of a routine. False where nothing is to be recorded, as inside another routine.
// When the program came through a Fortran entry point, that has entered already and this
// continues its call: the call path then is that of the Fortran procedure.
class Scope {
 public:
  explicit Scope(const Target& target) : Scope(target, mannerOf(target.routine)) {}
  // Where all routines of a kind wait in the same way.
  Scope(const Target& target, Call::Manner manner) {
    depth_++;
    if (__builtin_expect(pendingSends != 0, false)) progressPendingSends();
    if (outer != nullptr) {
      call_ = outer;
      outer = nullptr;
      return;
    }
    prepareAbi();
    auto* own = new (own_) Call(regionOf(target.routine), manner, target.frame);
    owned_ = true;
    if (*own) call_ = own;
  }
  ~Scope() {
    depth_--;
    if (owned_) reinterpret_cast<Call*>(own_)->~Call();
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  explicit operator bool() const { return call_ != nullptr; }
  template <size_t N>
  void emit(Kind kind, uint32_t operand, const uint64_t (&payload)[N]) {
    call_->emit(kind, operand, payload);
  }
  // Of a routine that sends (Call::Manner::kSends): the first event, or none.
  template <size_t N>
  void enterWith(Kind kind, uint32_t operand, const uint64_t (&payload)[N]) {
    if (owned_) {
      call_->enterWith(kind, operand, payload);
    } else {
      call_->emit(kind, operand, payload);
    }
  }
  void enter() {
    if (owned_) call_->enter();
  }
  // The last event, after returned().
  template <size_t N>
  void endWith(Kind kind, uint32_t operand, const uint64_t (&payload)[N]) {
    if (owned_) {
      call_->endWith(kind, operand, payload);
    } else {
      call_->emit(kind, operand, payload);
    }
  }
  void emit(Kind kind, uint32_t operand, const uint64_t* payload, size_t count) {
    call_->emit(kind, operand, payload, count);
  }
  void returned() {
    if (call_ != nullptr) call_->returned();
  }

  void returnedAtOnce() {
    if (call_ != nullptr) call_->returnedAtOnce();
  }

  void returnedSoon() {
    if (call_ != nullptr) call_->returnedSoon();
  }

  // Instead of returned(): see Call.
  void missed() {
    if (call_ != nullptr) call_->missed();
  }

  // In how many routines of MPI the calling thread is, recorded or not; too many after one was left
  // by an exception.
  static int depth() { return depth_; }

  // The call that a Fortran entry point of this thread has entered and no C routine has taken.
  static __thread Call* outer __attribute__((tls_model("initial-exec")));

 private:
  static __thread int depth_ __attribute__((tls_model("initial-exec")));

  Call* call_ = nullptr;
  bool owned_ = false;
  alignas(Call) unsigned char own_[sizeof(Call)];
};

inline uint64_t peerAndTag(int peer, int tag) {
  return static_cast<uint64_t>(static_cast<uint32_t>(peer)) << 32 | static_cast<uint32_t>(tag);
}

// Whether a handle can be that of a datatype: asking MPI about another one would raise an error.
bool isDatatype(Handle handle);
// Predefined datatypes whose size is known, each in the place of its handle if that was free. A place is filled once:
// 0, then a handle that no library has, then the handle.
struct KnownType {
  static constexpr int kBits = 6;
  std::atomic<Handle> handle;
  uint64_t bytes;
};
extern KnownType knownTypes[1 << KnownType::kBits];
inline KnownType& knownType(Handle datatype) {
  return knownTypes[datatype * 0x9E3779B97F4A7C15ull >> (64 - KnownType::kBits)];
}
bool askForType(Handle datatype, uint64_t* bytes);
// Sets `bytes` to those of one element of a datatype. False if the handle cannot be that of a datatype.
inline bool typeBytes(Handle datatype, uint64_t* bytes) {
  datatype = normalised(datatype);
  const KnownType& known = knownType(datatype);
  if (__builtin_expect(known.handle.load(std::memory_order_acquire) != datatype || datatype == 0, false)) {
    return askForType(datatype, bytes);
  }
  *bytes = known.bytes;
  return true;
}
// The same, 0 for none.
uint64_t typeBytes(Handle datatype);

// PARALLAX_MPI_ENTRY(Name, (parameters), function, arguments...) defines MPI_Name and PMPI_Name.
#define PARALLAX_MPI_ENTRY(Name, parameters, function, ...)                                 \
  PARALLAX_MPI_FUNCTION(MPI_##Name, parameters, Name, Layer::kMpi, function, __VA_ARGS__)   \
  PARALLAX_MPI_FUNCTION(PMPI_##Name, parameters, Name, Layer::kPmpi, function, __VA_ARGS__)
#define PARALLAX_MPI_FUNCTION(symbol, parameters, Name, layer, function, ...)                   \
  PARALLAX_EXPORT int symbol parameters {                                                       \
    const int outcome = function(Target{Routine::k##Name, layer, PARALLAX_FRAME}, __VA_ARGS__); \
    keepFrame();                                                                                \
    return outcome;                                                                             \
  }

}  // namespace parallax::mpi
