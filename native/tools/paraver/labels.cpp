#include "tools/paraver/labels.h"

#include <errno.h>
#include <stdlib.h>

#include <iterator>

namespace parallax::paraver {
namespace {

constexpr uint64_t kHardwareGradient = 7;
constexpr size_t kLongestNumber = 32;
constexpr size_t kLongestName = 300;

// The usual states, from 0.
constexpr const char* kStates[] = {
    "Idle", "Running", "Not created", "Waiting a message", "Blocking Send", "Synchronization", "Test/Probe",
    "Scheduling and Fork/Join", "Wait/WaitAll", "Blocked", "Immediate Send", "Immediate Receive", "I/O",
    "Group Communication", "Tracing Disabled", "Others", "Send Receive", "Memory transfer", "Profiling",
    "On-line analysis", "Remote memory access", "Atomic memory operation", "Memory ordering operation",
    "Distributed locking", "Overhead", "One-sided op", "Startup latency", "Waiting links", "Data copy", "RTT",
    "Allocating memory", "Freeing memory",
};

// The routines of MPI in the order of their values, from 1.
constexpr const char* kMpi[] = {
    "Send", "Recv", "Isend", "Irecv", "Wait", "Waitall", "Bcast", "Barrier", "Reduce", "Allreduce", "Alltoall",
    "Alltoallv", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv", "Comm_rank", "Comm_size",
    "Comm_create", "Comm_dup", "Comm_split", "Comm_group", "Comm_free", "Comm_remote_group", "Comm_remote_size",
    "Comm_test_inter", "Comm_compare", "Scan", "Init", "Finalize", "Bsend", "Ssend", "Rsend", "Ibsend", "Issend",
    "Irsend", "Test", "Cancel", "Sendrecv", "Sendrecv_replace", "Cart_create", "Cart_shift", "Cart_coords", "Cart_get",
    "Cart_map", "Cart_rank", "Cart_sub", "Cartdim_get", "Dims_create", "Graph_get", "Graph_map", "Graph_create",
    "Graph_neighbors", "Graphdims_get", "Graph_neighbors_count", "Topo_test", "Waitany", "Waitsome", "Probe", "Iprobe",
    "Win_create", "Win_free", "Put", "Get", "Accumulate", "Win_fence", "Win_start", "Win_complete", "Win_post",
    "Win_wait", "Win_test", "Win_lock", "Win_unlock", "Pack", "Unpack", "Op_create", "Op_free", "Reduce_scatter",
    "Attr_delete", "Attr_get", "Attr_put", "Group_difference", "Group_excl", "Group_free", "Group_incl",
    "Group_intersection", "Group_rank", "Group_range_excl", "Group_range_incl", "Group_size", "Group_translate_ranks",
    "Group_union", "Group_compare", "Intercomm_create", "Intercomm_merge", "Keyval_free", "Keyval_create", "Abort",
    "Error_class", "Errhandler_create", "Errhandler_free", "Errhandler_get", "Error_string", "Errhandler_set",
    "Get_processor_name", "Initialized", "Wtick", "Wtime", "Address", "Bsend_init", "Buffer_attach", "Buffer_detach",
    "Request_free", "Recv_init", "Send_init", "Get_count", "Get_elements", "Pack_size", "Rsend_init", "Ssend_init",
    "Start", "Startall", "Testall", "Testany", "Test_cancelled", "Testsome", "Type_commit", "Type_contiguous",
    "Type_extent", "Type_free", "Type_hindexed", "Type_hvector", "Type_indexed", "Type_lb", "Type_size", "Type_struct",
    "Type_ub", "Type_vector", "File_open", "File_close", "File_read", "File_read_all", "File_write", "File_write_all",
    "File_read_at", "File_read_at_all", "File_write_at", "File_write_at_all", "Comm_spawn", "Comm_spawn_multiple",
    "Request_get_status", "Ireduce", "Iallreduce", "Ibarrier", "Ibcast", "Ialltoall", "Ialltoallv", "Iallgather",
    "Iallgatherv", "Igather", "Igatherv", "Iscatter", "Iscatterv", "Ireduce_scatter", "Iscan", "Reduce_scatter_block",
    "Ireduce_scatter_block", "Alltoallw", "Ialltoallw", "Get_accumulate",
};

std::string_view trimmed(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

// Takes a number with its sign from the begin of a text. False if there is none.
bool take(std::string_view* text, uint64_t* value) {
  const std::string_view from = trimmed(*text);
  size_t end = from.find_first_not_of("-0123456789");
  if (end == std::string_view::npos) end = from.size();
  if (end == 0 || end > kLongestNumber) return false;
  const std::string digits(from.substr(0, end));
  char* after = nullptr;
  errno = 0;
  *value = strtoull(digits.c_str(), &after, 10);
  if (errno != 0 || *after != '\0') return false;
  *text = trimmed(from.substr(end));
  return true;
}

// A line that begins with a word of capital letters and underscores.
bool isKeyword(std::string_view line) {
  const std::string_view word = line.substr(0, line.find(' '));
  return word.size() > 3 && word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == std::string_view::npos;
}

void forEachLine(std::string_view text, const std::function<void(std::string_view line, uint64_t number)>& each) {
  uint64_t number = 1;
  for (size_t at = 0; at < text.size(); number++) {
    const size_t end = text.find('\n', at);
    each(trimmed(text.substr(at, end == std::string_view::npos ? end : end - at)), number);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
}

}  // namespace

void Labels::typeLine(std::string_view line, uint64_t number, const LineWarning& warn) {
  uint64_t gradient = 0, type = 0;
  std::string_view rest = line;
  if (!take(&rest, &gradient)) {
    warn(number, "a gradient and an event type are expected");
    return;
  }
  if (!take(&rest, &type)) type = gradient, gradient = 0;  // some writers tell no gradient
  Type& known = types_[type];
  known.label = rest.substr(0, kLongestName);
  known.isCounter = gradient == kHardwareGradient;
  known.values = values_;
}

void Labels::read(std::string_view text, const LineWarning& warn) {
  isRead_ = true;
  enum class Section { kNone, kStates, kTypes, kValues } section = Section::kNone;
  forEachLine(text, [&](std::string_view line, uint64_t number) {
    if (line.empty() || line[0] == '#') return;
    if (isKeyword(line)) {
      const Section before = section;
      section = line == "STATES" ? Section::kStates
                : line == "EVENT_TYPE" ? Section::kTypes
                : line == "VALUES" && values_ != nullptr && before != Section::kNone ? Section::kValues
                                                                                    : Section::kNone;
      if (section == Section::kTypes) values_ = std::make_shared<Values>();
      return;
    }
    if (section == Section::kTypes) {
      typeLine(line, number, warn);
      return;
    }
    if (section == Section::kNone) return;
    uint64_t value = 0;
    std::string_view rest = line;
    if (!take(&rest, &value)) {
      warn(number, "a number and a name are expected");
      return;
    }
    if (!rest.empty() && rest[0] == ':') rest = trimmed(rest.substr(1));
    (section == Section::kStates ? states_ : *values_)[value] = rest.substr(0, kLongestName);
  });
  values_ = nullptr;
}

const Labels::Type* Labels::type(uint64_t number) const {
  const auto known = types_.find(number);
  return known == types_.end() ? nullptr : &known->second;
}

const std::string& Labels::value(uint64_t type, uint64_t value) const {
  static const std::string kNoName;
  const Type* known = this->type(type);
  if (known == nullptr || known->values == nullptr) return kNoName;
  const auto found = known->values->find(value);
  return found == known->values->end() ? kNoName : found->second;
}

std::string Labels::state(uint64_t number) const {
  const auto known = states_.find(number);
  if (known != states_.end() && !known->second.empty()) return known->second;
  return number < std::size(kStates) ? kStates[number] : "state " + std::to_string(number);
}

void RowNames::read(std::string_view text, const LineWarning& warn) {
  std::vector<std::string>* level = nullptr;
  uint64_t left = 0;
  forEachLine(text, [&](std::string_view line, uint64_t number) {
    const size_t size = line.find(" SIZE ");
    if (size != std::string_view::npos && line.find("LEVEL") < size) {
      const std::string_view what = line.substr(0, size);
      const auto has = [&](const char* word) { return what.find(word) != std::string_view::npos; };
      level = has("NODE") ? &nodes : has("APPL") ? &applications : has("TASK") ? &tasks : has("THREAD") ? &threads : nullptr;
      if (level != nullptr) level->clear();
      std::string_view rest = line.substr(size + 6);
      if (!take(&rest, &left)) warn(number, "a size is expected after SIZE");
      return;
    }
    if (level == nullptr || left == 0 || line.empty()) return;
    left--;
    level->emplace_back(line.substr(0, kLongestName));
  });
}

std::string mpiName(uint64_t value) {
  return value - 1 < std::size(kMpi) ? std::string("MPI_") + kMpi[value - 1] : "";
}

}  // namespace parallax::paraver
