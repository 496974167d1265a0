#include "tools/symbols_collect.h"

#include <map>

#include "format/reader.h"

namespace parallax::symbols {
namespace {

using namespace format;

// Follows the definitions of one process. An address belongs to the module that was mapped
// there when its call path was defined, or, when the module was found later, to any there.
class ProcessVisitor {
 public:
  ProcessVisitor(Collected* collected,
                 std::map<std::pair<std::string, std::string>, size_t>* numbers)
      : collected_(*collected), numbers_(*numbers) {}

  void operator()(const ModuleRecord& r) {
    if (r.endAddress <= r.firstAddress) return;
    const auto key = std::pair(std::string(r.path), std::string(r.buildId));
    const auto [entry, isNew] = numbers_.try_emplace(key, collected_.modules.size());
    if (isNew) collected_.modules.push_back({key.second, key.first, {}});
    mappings_.push_back({r.module, r.firstAddress, r.endAddress, r.loadBias, entry->second, true});
  }

  void operator()(const ModuleUnloadRecord& r) {
    for (Mapping& mapping : mappings_) {
      if (mapping.module == r.module) mapping.isLoaded = false;
    }
  }

  void operator()(const CallPathRecord& r) {
    if (r.kind == PathKind::kRegion) return;
    if (r.value == 0) return;
    const uint64_t address = r.value - (r.kind == PathKind::kReturnAddress ? 1 : 0);
    if (!assign(address, true)) later_.push_back(address);
  }

  template <class R>
  void operator()(const R&) {}

  void finish() {
    for (const uint64_t address : later_) {
      if (!assign(address, false)) collected_.outsideModules++;
    }
  }

 private:
  struct Mapping {
    uint32_t module;
    uint64_t first, end, bias;
    size_t number;
    bool isLoaded;
  };

  bool assign(uint64_t address, bool onlyLoaded) {
    // The youngest first: a module that was unloaded may have left its place to another.
    for (size_t i = mappings_.size(); i-- > 0;) {
      const Mapping& m = mappings_[i];
      if (address < m.first || address >= m.end || (onlyLoaded && !m.isLoaded)) continue;
      collected_.modules[m.number].offsets.insert(address - m.bias);
      return true;
    }
    return false;
  }

  Collected& collected_;
  std::map<std::pair<std::string, std::string>, size_t>& numbers_;
  std::vector<Mapping> mappings_;
  std::vector<uint64_t> later_;
};

}  // namespace

std::string collect(const std::string& directory, Collected* collected) {
  *collected = Collected{};
  TraceFiles files;
  std::string error = findTraceFiles(directory, &files);
  if (!error.empty()) return error;
  std::map<std::pair<std::string, std::string>, size_t> numbers;
  for (const ProcessFiles& process : files.processes) {
    if (process.definitions.empty()) continue;
    DefinitionsFile definitions;
    error = definitions.open(process.definitions);
    if (!error.empty()) {
      collected->warnings.push_back(error);
      continue;
    }
    ProcessVisitor visitor(collected, &numbers);
    if (definitions.forEach(visitor) != DefinitionsEnd::kInOrder) {
      collected->warnings.push_back(process.definitions + " is damaged; the sound part is used");
    }
    visitor.finish();
  }
  return {};
}

}  // namespace parallax::symbols
