#include "bench/variables_plan.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace parallax::bench {
namespace {

constexpr size_t kMostValues = 8;
constexpr char kRules[] = "coll_tuned_use_dynamic_rules";  // whether variables of algorithms count
constexpr const char* kCollectives[] = {
    "barrier",  "bcast",     "reduce",     "allreduce", "scan",      "exscan",    "reduce_scatter", "reduce_scatter_block",
    "gather",   "gatherv",   "scatter",    "scatterv",  "allgather", "allgatherv", "alltoall",      "alltoallv",
    "alltoallw", "neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv",
    "neighbor_alltoallw"};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(tolower(c));
  return text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool hasAny(const std::string& text, const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) { return has(text, part); });
}

bool isBeginOf(const std::string& text, const std::string& begin) { return text.compare(0, begin.size(), begin) == 0; }

bool isNumber(const Variable& variable) {
  return variable.type != "text" && variable.type != "double" && variable.type != "other";
}

bool isWordAt(const std::string& text, size_t at, const std::string& word) {
  const size_t end = at + word.size();
  return text.compare(at, word.size(), word) == 0 && (end == text.size() || text[end] == '_');
}

// Whether it decides which component of Open MPI does the collectives of a communicator.
bool isPriority(const std::string& name) {
  const std::string end = "_priority";
  return isBeginOf(name, "coll_") && name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

// Numbers that differ from the present one.
std::vector<std::string> others(const Variable& variable, const std::vector<long long>& numbers) {
  std::vector<std::string> values;
  for (const long long number : numbers) {
    const std::string text = std::to_string(number);
    if (text != variable.value && values.size() < kMostValues) values.push_back(text);
  }
  return values;
}

std::vector<std::string> valuesOf(const Variable& variable, const std::string& name) {
  if (variable.type == "text") {
    return has(name, "tree_type") ? std::vector<std::string>{"kary", "knomial_2"} : std::vector<std::string>();
  }
  if (!isNumber(variable)) return {};
  if (!variable.items.empty()) {
    std::vector<long long> numbers;
    for (const Item& item : variable.items) numbers.push_back(item.number);
    return others(variable, numbers);
  }
  if (variable.type == "bool" || has(name, "_device_collective")) return others(variable, {0, 1});
  if (isPriority(name)) return others(variable, {0, 100});
  if (hasAny(name, {"kval", "fanout", "radix"})) return others(variable, {2, 4, 8});
  if (hasAny(name, {"segment", "segsize", "chunk", "pipeline", "batch", "total_size", "cell_size"})) {
    return others(variable, {1024, 65536});
  }
  if (hasAny(name, {"size", "limit", "threshold", "crossover", "short", "medium", "long", "large", "max_sz", "eager"})) {
    return others(variable, {16, 1 << 26});
  }
  const long long now = atoll(variable.value.c_str());
  if (now == 0 || now == 1) return others(variable, {1 - now});
  return others(variable, {1, now * 4});
}

std::vector<std::string> callsOf(const std::string& name) {
  const std::string collective = collectiveOf(name);
  if (has(collective, "barrier")) return {collective + ":0"};
  if (!collective.empty()) return {collective + ":64", collective + ":16384", collective + ":524288"};
  if (name == kRules) return {"allreduce:16384", "allreduce:524288"};
  if (isPriority(name)) return {"allreduce:64", "allreduce:524288", "bcast:524288", "reduce:524288"};
  if (has(name, "device_collectives")) return {"allreduce:64", "bcast:64", "allreduce:524288", "bcast:524288"};
  const bool isOfMessages = hasAny(name, {"btl_", "pml_", "_ch3_", "_ch4_", "_nemesis_", "smsc_"}) &&
      hasAny(name, {"eager", "rndv", "limit", "max_send", "threshold", "cell_size", "num_cells", "pack_buffer", "pipeline",
                    "frag_length"}) && !hasAny(name, {"_rma_", "exclusivity", "latency"});
  if (!isOfMessages) return {};
  // From which size a message needs the receiver is no time, which other load would change.
  if (hasAny(name, {"eager", "p2p_threshold"})) return {kEagerLimit + std::string(":4194304")};
  return {"pingpong:1024", "late:1024", "pingpong:16384", "late:16384", "pingpong:131072", "late:131072"};
}

// Some variables act only if another one is set at the start.
std::vector<std::string> startsOf(const Variable& variable, const std::string& name) {
  const std::string collective = collectiveOf(name);
  std::vector<std::string> starts = {""};
  if (name == kRules) return {"coll_tuned_allreduce_algorithm=3"};
  if (isPriority(name)) return starts;
  if (isBeginOf(name, "coll_tuned_")) {
    std::string rules = kRules + std::string("=1");
    if (has(name, "segmentsize") && (collective == "bcast" || collective == "reduce" || collective == "allreduce")) {
      // A pipeline, or a segmented ring.
      rules += " coll_tuned_" + collective + "_algorithm=" + (collective == "allreduce" ? "5" : "3");
    }
    starts.push_back(rules);
  } else if (isBeginOf(name, "coll_")) {
    const std::string component = name.substr(5, name.find('_', 5) - 5);
    for (const char* other : {"adapt", "han", "sm", "xhc", "acoll"}) {
      if (component == other) starts.push_back("coll_" + component + "_priority=100");
    }
  }
  for (const char* family : {"tree", "ring", "brucks", "scattered"}) {
    const std::string begin = "mpir_cvar_" + collective + "_";
    if (collective.empty() || !isBeginOf(name, begin + family)) continue;
    starts.push_back(variable.name.substr(0, begin.size()) + "INTRA_ALGORITHM=tsp_" + family);
  }
  return starts;
}

}  // namespace

std::string collectiveOf(const std::string& variable) {
  const std::string name = lower(variable);
  std::string found;
  for (size_t at = 0; at < name.size() && found.empty(); at++) {
    if (at > 0 && name[at - 1] != '_') continue;
    const size_t first = name[at] == 'i' ? 1 : 0;
    for (const std::string word : kCollectives) {
      for (const std::string& each : {word, "i" + word}) {
        if ((each[0] == 'i') == (first == 1) && each.size() > found.size() && isWordAt(name, at, each)) found = each;
      }
    }
  }
  return found;
}

std::string nameOfValue(const Variable& variable, const std::string& value) {
  for (const Item& item : variable.items) {
    if (std::to_string(item.number) == value && !item.name.empty()) return item.name;
  }
  return value;
}

Plan planOf(const Variable& variable) {
  const std::string name = lower(variable.name);
  Plan plan;
  if (has(name, "_inter_")) {
    plan.reason = "acts on intercommunicators only";
    return plan;
  }
  if (has(name, "_init_")) {
    plan.reason = "acts on persistent collectives only";
    return plan;
  }
  const std::vector<std::string> calls = callsOf(name), values = valuesOf(variable, name);
  if (calls.empty() || values.empty()) {
    plan.reason = calls.empty() ? "no call is known that it changes" : "no other value is known";
    return plan;
  }
  return {calls, values, startsOf(variable, name), ""};
}

}  // namespace parallax::bench
