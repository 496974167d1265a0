#include "tools/filter_profile.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "format/reader.h"
#include "format/symbols_file.h"
#include "tools/symbols_table.h"

namespace parallax::filter {
namespace {

using namespace format;

// Names of functions by module and offset: as the agent finds them, in the symbol table of the
// module's file, and where that is gone or another one, those that the trace has.
class Symbols {
 public:
  std::string read(const std::string& path) {
    MappedFile file;
    const std::string error = file.open(path);
    if (!error.empty()) return error;
    std::vector<SymbolModule> modules;
    const std::string wrong = parseSymbols({file.data(), file.size()}, &modules);
    for (const SymbolModule& module : modules) {
      auto& names = modules_[{module.path, module.buildId}].traced;
      for (const SymbolAddress& address : module.addresses) {
        // Of the frames of an address the last is the function itself, the others are inlined.
        if (!address.frames.empty()) names[address.offset] = address.frames.back().function;
      }
    }
    return wrong;
  }
  // Empty when there is none.
  std::string find(const std::string& path, const std::string& buildId, uint64_t offset) {
    Module& module = modules_[{path, buildId}];
    if (!module.isRead) {
      module.isRead = true;
      const symbols::ModuleFiles files =
          symbols::findModuleFiles(path, buildId, {"/usr/lib/debug"});
      if (files.program != nullptr) module.table.add(*files.program, false);
      if (files.debug != nullptr) module.table.add(*files.debug, false);
      module.table.finish();
    }
    const std::string name = module.table.find(offset);
    if (!name.empty()) return name;
    const auto traced = module.traced.find(offset);
    return traced != module.traced.end() ? traced->second : "";
  }

 private:
  struct Module {
    bool isRead = false;
    symbols::SymbolTable table;
    std::unordered_map<uint64_t, std::string> traced;
  };
  std::map<std::pair<std::string, std::string>, Module> modules_;
};

struct Definitions {
  struct Module {
    std::string path, buildId;
    uint64_t first, end, bias;
  };
  std::vector<Module> modules;
  std::unordered_map<uint32_t, CallPathRecord> paths;
  std::unordered_map<uint32_t, Group> groups;
  uint64_t tickHz = 1000000000;

  void operator()(const ProcessRecord& r) { tickHz = r.tickHz != 0 ? r.tickHz : tickHz; }
  void operator()(const ModuleRecord& r) {
    modules.push_back({std::string(r.path), std::string(r.buildId), r.firstAddress, r.endAddress,
                       r.loadBias});
  }
  void operator()(const RegionRecord& r) { groups[r.region] = r.group; }
  void operator()(const CallPathRecord& r) { paths[r.path] = r; }
  template <class R>
  void operator()(const R&) {}
};

class ProcessProfile {
 public:
  ProcessProfile(Symbols* symbols, Profile* profile) : symbols_(symbols), all_(profile) {}

  std::string read(const ProcessFiles& files) {
    DefinitionsFile file;
    std::string error = file.open(files.definitions);
    if (!error.empty()) return error;
    file.forEach(definitions_);
    for (const ThreadFile& thread : files.threads) {
      error = readThread(thread);
      if (!error.empty()) return error;
    }
    return "";
  }

 private:
  // The function at the end of a path; null when that is something else, or has no name.
  Function* functionOf(uint64_t path) {
    const auto known = functions_.find(path);
    if (known != functions_.end()) return known->second;
    Function* function = nullptr;
    const auto p = definitions_.paths.find(static_cast<uint32_t>(path));
    if (p != definitions_.paths.end() && p->second.kind == PathKind::kFunction) {
      function = functionAt(p->second.value);
    }
    return functions_[path] = function;
  }
  Function* functionAt(uint64_t address) {
    for (auto m = definitions_.modules.rbegin(); m != definitions_.modules.rend(); ++m) {
      if (address < m->first || address >= m->end) continue;
      const std::string name = symbols_->find(m->path, m->buildId, address - m->bias);
      if (!name.empty()) return &all_->functions[name];
    }
    all_->unnamed++;
    return nullptr;
  }
  bool isIntercepted(uint64_t path) const {
    const auto p = definitions_.paths.find(static_cast<uint32_t>(path));
    if (p == definitions_.paths.end() || p->second.kind != PathKind::kRegion) return false;
    const auto group = definitions_.groups.find(static_cast<uint32_t>(p->second.value));
    return group != definitions_.groups.end() && group->second != Group::kAgent;
  }
  uint32_t parentOf(uint64_t path) const {
    const auto p = definitions_.paths.find(static_cast<uint32_t>(path));
    return p != definitions_.paths.end() ? p->second.parent : 0;
  }
  // All functions on this path lead to an intercepted routine.
  void markCallers(uint64_t path) {
    for (; path != 0 && marked_.insert(path).second; path = parentOf(path)) {
      if (Function* function = functionOf(path)) function->callsIntercepted = true;
    }
  }

  std::string readThread(const ThreadFile& thread) {
    EventFile file;
    const std::string error = file.open(thread);
    if (!error.empty()) return error;
    struct Open {
      uint64_t path, ticks;
    };
    std::vector<Open> open;
    Event event;
    for (EventReader reader(file); reader.next(&event);) {
      switch (event.kind) {
        case Kind::kEnter:
          open.push_back({event.operand, event.ticks});
          if (isIntercepted(event.operand)) markCallers(parentOf(event.operand));
          break;
        case Kind::kAcquire:  // of a lock that was free: it has no Enter
          if (!open.empty()) markCallers(open.back().path);
          break;
        case Kind::kLeave:
          while (!open.empty()) {
            const Open last = open.back();
            open.pop_back();
            if (Function* function = functionOf(last.path)) {
              function->measured++;
              function->inclusiveNs += static_cast<double>(event.ticks - last.ticks) * 1e9 /
                                       static_cast<double>(definitions_.tickHz);
            }
            if (last.path == event.operand) break;
          }
          break;
        case Kind::kVisits:
          if (Function* function = functionOf(event.operand)) function->counted += event.payload(0);
          break;
        default:
          break;
      }
    }
    return "";
  }

  Symbols* symbols_;
  Profile* all_;
  Definitions definitions_;
  std::unordered_map<uint64_t, Function*> functions_;
  std::unordered_set<uint64_t> marked_;
};

}  // namespace

std::string profileOf(const std::string& directory, Profile* profile) {
  TraceFiles files;
  std::string error = findTraceFiles(directory, &files);
  if (!error.empty()) return error;
  Symbols symbols;
  if (files.hasSymbols) error = symbols.read(directory + "/symbols");
  for (const ProcessFiles& process : files.processes) {
    if (!error.empty()) return error;
    if (process.definitions.empty()) continue;
    error = ProcessProfile(&symbols, profile).read(process);
  }
  return error;
}

}  // namespace parallax::filter
