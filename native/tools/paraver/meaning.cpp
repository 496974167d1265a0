#include "tools/paraver/meaning.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace parallax::paraver {

using format::Collective;
using format::Group;

namespace {

constexpr uint64_t kApplication = 40000001, kFlush = 40000003, kFileCalls = 40000004;
constexpr uint64_t kParallelFunction = 60000018, kPthreadCalls = 61000000;
constexpr uint64_t kMostOpenMp = 60000099;
// Without names, these are known to be calls.
constexpr uint64_t kOpenMpCalls[] = {60000001, 60000002, kParallelFunction, 60000023};
// Switches and numbers of sets, whose 0 is no end.
constexpr uint64_t kSwitches[] = {40000012, 40000018, 41999999, 42009999};

bool isIn(uint64_t number, uint64_t first, uint64_t last) { return number >= first && number <= last; }

// Functions from which a routine of MPI is called, by the level: 1 is the caller.
bool isCaller(uint64_t number) { return isIn(number, 70000001, 70000099); }

bool startsWith(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(tolower(static_cast<unsigned char>(c)));
  return text;
}

bool hasAny(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

struct NamedCollective {
  const char* name;
  Collective op;
};
constexpr NamedCollective kCollectives[] = {
    {"MPI_Barrier", Collective::kBarrier},       {"MPI_Bcast", Collective::kBcast},
    {"MPI_Gather", Collective::kGather},         {"MPI_Gatherv", Collective::kGatherv},
    {"MPI_Scatter", Collective::kScatter},       {"MPI_Scatterv", Collective::kScatterv},
    {"MPI_Allgather", Collective::kAllgather},   {"MPI_Allgatherv", Collective::kAllgatherv},
    {"MPI_Alltoall", Collective::kAlltoall},     {"MPI_Alltoallv", Collective::kAlltoallv},
    {"MPI_Alltoallw", Collective::kAlltoallw},   {"MPI_Reduce", Collective::kReduce},
    {"MPI_Allreduce", Collective::kAllreduce},   {"MPI_Reduce_scatter", Collective::kReduceScatter},
    {"MPI_Scan", Collective::kScan},             {"MPI_Exscan", Collective::kExscan},
    {"MPI_Reduce_scatter_block", Collective::kReduceScatterBlock},
    {"MPI_Init", Collective::kInit},             {"MPI_Init_thread", Collective::kInit},
    {"MPI_Finalize", Collective::kFinalize},
};

// Which ends of messages a routine of MPI can have.
void describeMpi(Region* region) {
  const std::string name = region->name.substr(0, region->name.find(' '));
  const auto found = std::find_if(std::begin(kCollectives), std::end(kCollectives),
                                  [&](const NamedCollective& each) { return name == each.name; });
  if (found != std::end(kCollectives)) {
    region->collective = static_cast<uint8_t>(found->op);
    region->completes = true;
    return;
  }
  const std::string routine = lower(name);
  const bool isInit = hasAny(routine, {"_init"});
  const bool starts = startsWith(routine, "mpi_start");
  region->posts = hasAny(routine, {"irecv", "imrecv"}) || starts;
  region->sends = (hasAny(routine, {"send"}) && !isInit) || starts;
  region->receives = hasAny(routine, {"mpi_recv", "mpi_mrecv", "sendrecv"}) && !isInit;
  region->completes = region->receives || startsWith(routine, "mpi_wait") || startsWith(routine, "mpi_test");
}

Group groupOf(uint64_t type, const std::string& label, const std::string& name) {
  if (isCaller(type)) return Group::kUser;
  if (isIn(type, kPointToPoint, kLastMpi) || startsWith(name, "MPI_")) return Group::kMpi;
  if (type == kPthreadCalls || startsWith(name, "pthread_")) return Group::kPthread;
  if (type == kFlush) return Group::kAgent;
  if (type == kFileCalls) return Group::kFile;
  const std::string value = lower(name);
  const bool waits = hasAny(value, {"wait", "idle", "blocked", "barrier", "sleep", "paused"});
  // Runtimes of tasks have other types; what their threads wait for is shown as that of OpenMP.
  if (isIn(type, 60000000, kMostOpenMp)) {
    return waits || hasAny(lower(label) + " " + value, {"barrier", "lock", "critical", "taskwait", "join"}) ? Group::kOpenMp
                                                                                                           : Group::kUser;
  }
  return waits && type != kUserFunction && !isCaller(type) ? Group::kOpenMp : Group::kUser;
}

void classifyType(Trace* trace, EventType* type) {
  const uint64_t number = type->number;
  const Labels::Type* known = trace->labels.type(number);
  const bool hasNames = known != nullptr && known->values != nullptr && !known->values->empty();
  const auto is = [&](const auto& list) { return std::find(std::begin(list), std::end(list), number) != std::end(list); };
  type->nests = type->endsItself = isMpi(*type);
  if (number == kApplication) {
    type->role = Role::kNothing;  // threads begin and end
  } else if (isMpi(*type) || number == kUserFunction || number == kParallelFunction) {
    type->role = Role::kCall;
    type->nests = true;
  } else if (isCaller(number)) {
    type->role = Role::kCaller;
  } else if (isIn(number, 70000000, 70000999) || isIn(number, 80000000, 80000999) || isIn(number, 30000000, 30000999) ||
             isIn(number, 60000100, 60000199)) {
    type->role = Role::kLeft;  // callers of samples, and lines
  } else if (is(kSwitches)) {
    type->role = Role::kMark;
  } else if (isIn(number, 42000000, 42999999) || (known != nullptr && known->isCounter && !hasNames)) {
    type->role = Role::kCounter;
  } else if (isIn(number, 43000000, 43999999)) {
    type->role = Role::kTotal;
  } else if (hasNames) {
    type->role = type->hasZero || known->values->count(0) > 0 ? Role::kCall : Role::kMark;
  } else if (!trace->labels.isRead() && (is(kOpenMpCalls) || number == kPthreadCalls || number == kFlush || number == kFileCalls)) {
    type->role = Role::kCall;
  } else {
    type->role = Role::kGauge;
  }
}

Region regionOfState(const Trace& trace, uint64_t number) {
  Region region{};
  region.name = trace.labels.state(number);
  region.group = Group::kUser;
  const std::string name = lower(region.name);
  if (name == "running") {
    region.isRunning = true;
  } else if (hasAny(name, {"not created"})) {
    region.isAbsence = true;
  } else if (hasAny(name, {"disabled", "not tracing"})) {
    region.name = "[not recorded]";
    region.group = Group::kAgent;
  } else if (hasAny(name, {"i/o"})) {
    region.group = Group::kFile;
  } else if (hasAny(name, {"message", "send", "receive", "group comm", "wait/waitall", "test/probe"})) {
    region.group = Group::kMpi;
    region.sends = hasAny(name, {"send", "group comm"});
    region.posts = hasAny(name, {"immediate receive"});
    region.receives = hasAny(name, {"message", "send receive", "group comm"});
    region.completes = !region.sends || region.receives;
  } else if (hasAny(name, {"fork", "schedul", "idle"})) {
    region.group = Group::kOpenMp;
  } else if (hasAny(name, {"synchron", "block", "lock", "wait"})) {
    region.group = Group::kPthread;
  }
  return region;
}

// A type nests if its values and zeros balance, and zeros follow one another. Else a value is what holds from then on.
void findNesting(Trace* trace) {
  struct Balance {
    int64_t open = 0, threads = 0;
    bool hasDoubleZero = false;
    uint32_t thread = kNone;
    bool isZero = true;
  };
  std::vector<Balance> balances(trace->types.size());
  for (uint32_t t = 0; t < trace->threads.size(); t++) {
    for (const Record& record : trace->threads[t].records) {
      if ((record.type & kStateBit) != 0 || trace->types[record.type].role != Role::kCall) continue;
      Balance& balance = balances[record.type];
      if (balance.thread != t) {
        balance.thread = t;
        balance.threads++;
        balance.isZero = true;
      } else if (record.value == 0 && balance.isZero) {
        balance.hasDoubleZero = true;
      }
      balance.isZero = record.value == 0;
      balance.open += balance.isZero ? -1 : 1;
    }
  }
  constexpr int64_t kOpenAtEnd = 8;  // of a thread
  for (size_t i = 0; i < balances.size(); i++) {
    EventType& type = trace->types[i];
    if (balances[i].hasDoubleZero && balances[i].open <= kOpenAtEnd * balances[i].threads) type.nests = true;
  }
}

}  // namespace

void classify(Trace* trace) {
  for (uint32_t i = 0; i < trace->types.size(); i++) {
    if (i < Trace::kOwnTypes) {
      trace->types[i].role = Role::kCollective;
    } else {
      classifyType(trace, &trace->types[i]);
    }
  }
  for (State& state : trace->states) state.region = trace->region(regionOfState(*trace, state.number));
  findNesting(trace);
}

uint32_t regionOf(Trace* trace, EventType* type, uint64_t value) {
  const auto [known, isNew] = type->regions.emplace(value, kNone);
  if (!isNew) return known->second;
  const Labels::Type* label = trace->labels.type(type->number);
  const std::string typeName = nameOf(*trace, *type);
  std::string name = trace->labels.value(type->number, value);
  if (name.empty() && isMpi(*type)) name = mpiName(value);
  Region region{};
  region.group = groupOf(type->number, label == nullptr ? "" : label->label, name);
  if (type->number == kFlush) {
    name = "[trace buffer flush]";
  } else if (name.empty() || name == "Begin" || name == "begin") {
    const bool isOne = !name.empty() || value == 1;
    name = isOne ? typeName : typeName + " " + std::to_string(value);
  } else if (region.group == Group::kUser && !isIn(type->number, 60000000, kMostOpenMp) && !isCaller(type->number)) {
    name = typeName + ": " + name;
  }
  region.name = name;
  if (region.group == Group::kMpi) describeMpi(&region);
  return known->second = trace->region(region);
}

std::string nameOf(const Trace& trace, const EventType& type) {
  const Labels::Type* known = trace.labels.type(type.number);
  if (known != nullptr && !known->label.empty()) return known->label;
  if (type.number == kUserFunction) return "function";
  if (type.number == kPointToPoint) return "MPI Point-to-point";
  if (type.number == kCollectiveType) return "MPI Collective Comm";
  return "event type " + std::to_string(type.number);
}

}  // namespace parallax::paraver
