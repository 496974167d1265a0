// After MPI_Finalize nothing of MPI_T is called: MPI_T_finalize would crash Open MPI.
#include "interpose/mpi/mpi_variable.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/scratch.h"
#include "base/sys.h"
#include "base/text.h"
#include "core/agent.h"
#include "interpose/mpi/mpi_abi.h"
#include "interpose/mpi/mpi_real.h"
#include "interpose/tuning/library_actions.h"

namespace parallax::mpi {
namespace {

std::atomic<int> initialiser{0};

constexpr size_t kMostValueBytes = 1024;

using VariableHandle = void*;

// The routines of MPI_T, past all that is interposed.
struct Interface {
  int (*begin)(int, int*);
  int (*index)(const char*, int*);
  int (*info)(int, char*, int*, int*, Handle*, void**, char*, int*, int*, int*);
  int (*open)(int, void*, VariableHandle*, int*);
  int (*close)(VariableHandle*);
  int (*read)(VariableHandle, void*);
  int (*write)(VariableHandle, const void*);

  Interface() {
    find(begin, "PMPI_T_init_thread");
    find(index, "PMPI_T_cvar_get_index");
    find(info, "PMPI_T_cvar_get_info");
    find(open, "PMPI_T_cvar_handle_alloc");
    find(close, "PMPI_T_cvar_handle_free");
    find(read, "PMPI_T_cvar_read");
    find(write, "PMPI_T_cvar_write");
  }
  bool isWhole() const {
    return begin != nullptr && index != nullptr && info != nullptr && open != nullptr &&
           close != nullptr && read != nullptr && write != nullptr;
  }

 private:
  template <class F>
  static void find(F& function, const char* name) {
    void* found = findSymbol(name);
    if (found == nullptr) found = findSymbol(name + 1);
    function = reinterpret_cast<F>(found);
  }
};

// Once, and never finalised: the last MPI_T_finalize of MPICH 4.0 forgets all variables for good, also for the program.
bool beginInterface(const Interface& interface) {
  static std::atomic<bool> hasBegunOnce{false};
  int provided = 0;
  if (hasBegunOnce.load(std::memory_order_relaxed)) return true;
  if (interface.begin(abi().threadSerialized, &provided) != 0) return false;
  hasBegunOnce.store(true, std::memory_order_relaxed);
  return true;
}

enum class Type : uint8_t { kUnknown, kInteger, kText, kDouble };

Type typeOf(Handle datatype, int elementBytes) {
  constexpr Handle kMpichDouble = 0x4c00080b;
  const Handle real = abi().library == Library::kMpich
                          ? kMpichDouble
                          : reinterpret_cast<Handle>(abi().library == Library::kOpenMpi ? findVariable("ompi_mpi_double") : nullptr);
  if (real != 0 && normalised(datatype) == real) return Type::kDouble;
  switch (elementBytes) {
    case 1: return Type::kText;
    case 4: case 8: return Type::kInteger;
    default: return Type::kUnknown;
  }
}

struct Variable {
  VariableHandle handle = nullptr;
  Type type = Type::kUnknown;
  int elementBytes = 0;
  int count = 0;
};

bool parseInteger(const char* text, int64_t* value) {
  const bool isNegative = *text == '-';
  const char* at = text + isNegative;
  uint64_t number = 0;
  if (*at == '\0') return false;
  for (; *at != '\0'; at++) {
    if (digitOf(*at) > 9 || number > (uint64_t{1} << 62) / 10) return false;
    number = number * 10 + digitOf(*at);
  }
  *value = isNegative ? -static_cast<int64_t>(number) : static_cast<int64_t>(number);
  return true;
}

// The value as a text, in which integers are decimal.
void show(const Variable& variable, const char* value, char* text, size_t capacity) {
  size_t at = 0;
  if (variable.type == Type::kText) {
    at = appendText(text, 0, capacity - 1, value);
  } else if (variable.elementBytes == 4) {
    int32_t number;
    memcpy(&number, value, sizeof number);
    at = appendNumber(text, 0, capacity - 1, number);
  } else {
    int64_t number;
    memcpy(&number, value, sizeof number);
    at = appendNumber(text, 0, capacity - 1, number);
  }
  text[at] = '\0';
}

bool encode(const Variable& variable, const char* text, char* value, tuning::Answer& answer) {
  if (variable.type == Type::kText) {
    const size_t size = strlen(text) + 1;
    if (size > static_cast<size_t>(variable.count)) return answer.say("the text is too long for the variable").refuse();
    memcpy(value, text, size);
    return true;
  }
  int64_t number;
  if (!parseInteger(text, &number)) return answer.say("the variable is an integer, and the value is not").refuse();
  const auto small = static_cast<int32_t>(number);
  if (variable.elementBytes == 4 && small != number) return answer.say("the value is too large for the variable").refuse();
  memcpy(value, variable.elementBytes == 4 ? static_cast<const void*>(&small) : &number, static_cast<size_t>(variable.elementBytes));
  return true;
}

bool openVariable(const Interface& interface, const char* name, Variable* variable, tuning::Answer& answer) {
  int index = -1;
  if (interface.index(name, &index) != 0) return answer.say("this MPI library has no control variable \"").say(name).say("\"").refuse();
  constexpr int kWritable = -1;
  int nameBytes = 0, verbosity = 0, textBytes = 0, bind = 0, scope = kWritable;
  Handle datatype = 0;
  if (interface.info(index, nullptr, &nameBytes, &verbosity, &datatype, nullptr, nullptr, &textBytes, &bind, &scope) != 0) {
    return answer.say("MPI tells nothing of the variable").refuse();
  }
  if (callService(Service::kType_size, datatype, &variable->elementBytes) != 0) return answer.say("the type of the variable is not known").refuse();
  variable->type = typeOf(datatype, variable->elementBytes);
  if (variable->type != Type::kInteger && variable->type != Type::kText) return answer.say("the variable is no integer and no text").refuse();
  Handle world = abi().world;  // of a variable that belongs to a communicator
  if (interface.open(index, &world, &variable->handle, &variable->count) != 0) return answer.say("MPI gives no access to the variable").refuse();
  const size_t bytes = static_cast<size_t>(variable->elementBytes) * static_cast<size_t>(variable->count);
  const bool isOne = variable->type == Type::kText || variable->count == 1;
  if (!isOne || bytes > kMostValueBytes) {
    interface.close(&variable->handle);
    return answer.say("the variable has several values").refuse();
  }
  return true;
}

bool write(const Interface& interface, const Variable& variable, const char* value, tuning::Answer& answer, char* before, size_t capacity) {
  char old[kMostValueBytes + 1] = {}, wanted[kMostValueBytes + 1] = {}, now[kMostValueBytes + 1] = {};
  char oldText[128], nowText[128];
  if (interface.read(variable.handle, old) != 0) return answer.say("the variable cannot be read").refuse();
  show(variable, old, oldText, sizeof oldText);
  if (!encode(variable, value, wanted, answer)) return answer.refuse();
  const int error = interface.write(variable.handle, wanted);
  if (error != 0) {
    return answer.say("MPI does not let the variable be written after MPI_Init (error ").say(error).say("); it is ").say(oldText).refuse();
  }
  if (interface.read(variable.handle, now) != 0) return answer.say("the variable cannot be read any more").refuse();
  show(variable, now, nowText, sizeof nowText);
  int64_t number = 0;
  if (parseInteger(oldText, &number)) answer.setOld(static_cast<uint64_t>(number));
  if (parseInteger(nowText, &number)) answer.setResult(static_cast<uint64_t>(number));
  answer.say("was ").say(oldText).say(", is ").say(nowText);
  if (before != nullptr) before[appendText(before, 0, capacity - 1, oldText)] = '\0';
  const bool isTaken = variable.type == Type::kText ? strcmp(now, wanted) == 0
                                                    : memcmp(now, wanted, static_cast<size_t>(variable.elementBytes)) == 0;
  if (!isTaken) answer.say(": MPI has not taken the value");
  return isTaken;
}

}  // namespace

void initialisedByCaller() { initialiser.store(sys::gettid(), std::memory_order_relaxed); }

bool isMainThread() {
  int isMain = 0;
  return callService(Service::kIs_thread_main, &isMain) == 0 && isMain != 0;
}

bool hasEnded() {
  int ended = 0;
  return callService(Service::kFinalized, &ended) != 0 || ended != 0;
}

bool SwitchedVariable::open(const char* name, tuning::Answer& answer) {
  if (handle_ != nullptr) return true;
  if (abi().library != Library::kMpich) return answer.say("this MPI library is not MPICH").refuse();
  const Interface interface;
  if (!interface.isWhole() || !beginInterface(interface)) return answer.say("MPI_T cannot be used").refuse();
  Variable variable;
  if (!openVariable(interface, name, &variable, answer)) return false;
  if (variable.type != Type::kInteger || variable.elementBytes != sizeof(int)) {
    interface.close(&variable.handle);
    return answer.say("the variable of the algorithm is no integer").refuse();
  }
  interface.index(name, &index_);
  read_ = interface.read;
  write_ = interface.write;
  handle_ = variable.handle;
  return true;
}

namespace {

constexpr std::string_view kIs = " - ";

// The last name before a place. MPICH 4.0 has lost the ends of lines: "algorithmbrucks   - Force brucks algorithmnb  - Force".
std::string_view nameBefore(std::string_view text, size_t at) {
  constexpr std::string_view kLineBefore = "algorithm";
  const auto isOfName = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  while (at > 0 && text[at - 1] == ' ') at--;
  size_t begin = at;
  while (begin > 0 && isOfName(text[begin - 1])) begin--;
  if (text.compare(begin, kLineBefore.size(), kLineBefore) == 0) begin += kLineBefore.size();
  return text.substr(begin, at - begin);
}

}  // namespace

bool SwitchedVariable::findValue(const char* algorithm, tuning::Answer& answer, int* value) const {
  const Scratch scratch;
  const Interface interface;
  int nameBytes = 0, verbosity = 0, textBytes = Scratch::kBytes, bind = 0, scope = 0;
  Handle datatype = 0;
  if (!scratch || interface.info(index_, nullptr, &nameBytes, &verbosity, &datatype, nullptr, scratch.bytes(), &textBytes, &bind, &scope) != 0) {
    return answer.say("MPI does not describe its algorithms").refuse();
  }
  const std::string_view wanted = algorithm, text = scratch.bytes();
  int number = 0;
  for (size_t at = text.find(kIs); at != std::string_view::npos; at = text.find(kIs, at + 1), number++) {
    if (nameBefore(text, at) != wanted) continue;
    *value = number;
    return true;
  }
  return answer.say("this MPICH has no algorithm \"").say(algorithm).say("\"").refuse();
}

void SwitchedVariable::set(int value) {
  if (value != kBefore) read_(handle_, &before_);
  write_(handle_, value != kBefore ? &value : &before_);
}

}  // namespace parallax::mpi

namespace parallax::tuning {

using namespace mpi;

bool library::mayCallMpi() {
  int begun = 0;
  if (abi().library == Library::kUnknown || callService(Service::kInitialized, &begun) != 0 || begun == 0) return false;
  // MPI_Init was called before the agent was loaded. After MPI_Finalize, MPI would end the program that asks for the main thread; any
  // thread can then answer that MPI has ended.
  if (initialiser.load(std::memory_order_relaxed) == 0 && isAttached) {
    if (hasEnded()) return true;
    if (isMainThread()) initialisedByCaller();
  }
  return initialiser.load(std::memory_order_relaxed) == sys::gettid();
}

bool library::writeMpiVariable(const char* name, const char* value, Answer& answer, char* before, size_t capacity) {
  if (hasEnded()) return answer.say("MPI has ended").refuse();
  const Interface interface;
  if (!interface.isWhole()) return answer.say("this MPI library has no MPI_T").refuse();
  if (!beginInterface(interface)) return answer.say("MPI_T cannot be initialised").refuse();
  Variable variable;
  if (!openVariable(interface, name, &variable, answer)) return false;
  const bool isDone = write(interface, variable, value, answer, before, capacity);
  interface.close(&variable.handle);
  return isDone;
}

}  // namespace parallax::tuning
