#include "tools/synth_program.h"

#include <map>

#include "format/symbols_file.h"

namespace parallax::synth {

using namespace format;

namespace {

struct ModuleModel {
  const char* path;
  const char* buildId;
  uint64_t sizeBytes;
};

constexpr ModuleModel kModules[] = {
    {"/opt/synth/bin/solver", "8c1f0a5be4d27396a1b0c3d4e5f60718293a4b5c", 0x40000},
    {"/usr/lib/x86_64-linux-gnu/libm.so.6", "1f2e3d4c5b6a79880123456789abcdef01234567", 0xdf000},
    {"/usr/lib/x86_64-linux-gnu/libmpi.so.40", "", 0x120000},
};

struct FunctionModel {
  const char* name;
  uint32_t module;
  const char* file;  // empty: known from the symbol table alone
  uint32_t declaredLine;
  const char* inlined;  // a function inlined into it at every second address, or none
};

// Each has 0x400 bytes of code, one after the other in its module.
constexpr FunctionModel kFunctions[] = {
    {"main", 0, "/home/user/solver/main.cpp", 40, ""},
    {"Solver::run(int)", 0, "/home/user/solver/solver.cpp", 25, ""},
    {"Solver::step(Grid&)", 0, "/home/user/solver/solver.cpp", 61, ""},
    {"Pool::worker(void*)", 0, "/home/user/solver/pool.cpp", 18, ""},
    // The functions of samples, the hottest first.
    {"computeFlux(Grid const&, Grid&)", 0, "/home/user/solver/flux.cpp", 12,
     "Grid::at(int, int) const"},
    {"smoothJacobi(Grid&, double)", 0, "/home/user/solver/smooth.cpp", 30,
     "Grid::at(int, int) const"},
    {"applyLimiter(Grid&)", 0, "/home/user/solver/flux.cpp", 88, ""},
    {"residual(Grid const&)", 0, "/home/user/solver/residual.cpp", 9, ""},
    {"__exp_fma", 1, "", 0, ""},
    {"packHalo(Grid const&, double*)", 0, "/home/user/solver/halo.cpp", 22, ""},
    {"unpackHalo(double const*, Grid&)", 0, "/home/user/solver/halo.cpp", 51, ""},
    {"updateboundary_", 0, "/home/user/solver/boundary.f90", 7, ""},
    {"Timer::elapsed() const", 0, "/home/user/solver/timer.h", 14, ""},
    {"ompi_datatype_copy_content", 2, "", 0, ""},
};
constexpr uint32_t kFirstSampled = 4;
constexpr uint32_t kSampledCount = std::size(kFunctions) - kFirstSampled;
constexpr uint64_t kFunctionBytes = 0x400;
constexpr uint32_t kAddressesPerFunction = 4;

constexpr struct {
  const char* name;
  Group group;
} kRoutines[kRoutineCount] = {
    {"MPI_Init", Group::kMpi},           {"MPI_Send", Group::kMpi},
    {"MPI_Irecv", Group::kMpi},          {"MPI_Recv", Group::kMpi},
    {"MPI_Waitall", Group::kMpi},        {"MPI_Allreduce", Group::kMpi},
    {"MPI_Barrier", Group::kMpi},        {"MPI_Finalize", Group::kMpi},
    {"pthread_create", Group::kPthread}, {"pthread_join", Group::kPthread},
    {"pthread_mutex_lock", Group::kPthread}, {"pthread_barrier_wait", Group::kPthread},
    {"exchange", Group::kUser},          {"smooth", Group::kUser},
    {"residual", Group::kUser},          {"flux", Group::kUser},
};

uint64_t offsetOf(uint32_t function, uint64_t within) {
  uint64_t before = 0;  // functions of the same module
  for (uint32_t i = 0; i < function; i++) {
    before += kFunctions[i].module == kFunctions[function].module ? 1 : 0;
  }
  return 0x1000 + before * kFunctionBytes + within;
}

bool hasInlined(const FunctionModel& f, uint64_t within) {
  return f.inlined[0] != 0 && within / 0x40 % 2 == 1;
}

std::vector<SymbolFrame> framesOf(const FunctionModel& f, uint64_t within) {
  std::vector<SymbolFrame> frames;
  const auto line = static_cast<uint32_t>(within / 0x40);
  if (hasInlined(f, within)) {
    frames.push_back({f.inlined, "/home/user/solver/grid.h", 20, 19, true});
  }
  const bool hasLines = f.file[0] != 0;
  frames.push_back({f.name, f.file, hasLines ? f.declaredLine + line : 0, f.declaredLine, false});
  return frames;
}

}  // namespace

Program::Program() {
  paths_.emplace_back();  // path 0 is the empty path
  const uint32_t main = addAddress(0, PathKind::kReturnAddress, 0, 0x101);
  const uint32_t run = addAddress(main, PathKind::kReturnAddress, 1, 0x81);
  const uint32_t step = addAddress(run, PathKind::kReturnAddress, 2, 0x141);
  const uint32_t worker = addAddress(0, PathKind::kReturnAddress, 3, 0xc1);
  firstRoutinePath_ = pathCount();
  for (uint32_t i = 0; i < kRoutineCount; i++) {
    for (const uint32_t parent : {step, worker}) {
      paths_.push_back({parent, PathKind::kRegion, 0, 1 + i, kRoutines[i].name});
    }
  }
  addSamples(step, kFirstSampled, kSampledCount, &mainSamples_);
  addSamples(worker, kFirstSampled, kSampledCount / 2, &workerSamples_);
}

uint32_t Program::addAddress(uint32_t parent, PathKind kind, uint32_t function, uint64_t within) {
  Path path;
  path.parent = parent;
  path.kind = kind;
  path.function = function;
  path.value = offsetOf(function, within);
  path.procedure = framesOf(kFunctions[function], within)[0].function;
  paths_.push_back(path);
  return pathCount() - 1;
}

void Program::addSamples(uint32_t parent, uint32_t firstFunction, uint32_t count,
                         std::vector<uint32_t>* samples) {
  for (uint32_t i = 0; i < kAddressesPerFunction; i++) {
    for (uint32_t f = firstFunction; f < firstFunction + count; f++) {
      samples->push_back(addAddress(parent, PathKind::kAddress, f, 0x80 + 0x40 * i));
    }
  }
}

void Program::define(DefinitionsWriter* definitions, uint64_t ticks, Random* random) const {
  uint64_t bias[std::size(kModules)];
  for (uint32_t i = 0; i < std::size(kModules); i++) {
    bias[i] = i == 0 ? 0x550000000000 + (random->below(1ull << 28) << 12)
                     : 0x7f0000000000 + (random->below(1ull << 14) << 26) + (uint64_t{i} << 24);
    ModuleRecord module;
    module.module = i;
    module.ticks = ticks;
    module.loadBias = bias[i];
    module.firstAddress = bias[i] + 0x1000;
    module.endAddress = bias[i] + kModules[i].sizeBytes;
    module.buildId = kModules[i].buildId;
    module.path = kModules[i].path;
    definitions->add(module);
  }
  for (uint32_t i = 0; i < kRoutineCount; i++) {
    RegionRecord region;
    region.region = 1 + i;
    region.group = kRoutines[i].group;
    region.name = kRoutines[i].name;
    definitions->add(region);
  }
  for (uint32_t i = 1; i < pathCount(); i++) {
    CallPathRecord path;
    path.path = i;
    path.parent = paths_[i].parent;
    path.kind = paths_[i].kind;
    path.value = paths_[i].value;
    if (path.kind != PathKind::kRegion) path.value += bias[kFunctions[paths_[i].function].module];
    definitions->add(path);
  }
}

std::string Program::symbols() const {
  // By module and offset, because several paths share addresses.
  std::map<uint64_t, SymbolAddress> addresses[std::size(kModules)];
  for (const Path& path : paths_) {
    if (path.kind == PathKind::kRegion) continue;
    const uint64_t offset = path.value - (path.kind == PathKind::kReturnAddress ? 1 : 0);
    const FunctionModel& function = kFunctions[path.function];
    const uint64_t within = path.value - offsetOf(path.function, 0);
    addresses[function.module][offset] = {offset, framesOf(function, within)};
  }
  std::vector<SymbolModule> modules;
  for (uint32_t i = 0; i < std::size(kModules); i++) {
    SymbolModule module;
    module.number = i;
    module.buildId = kModules[i].buildId;
    module.path = kModules[i].path;
    for (auto& [offset, address] : addresses[i]) module.addresses.push_back(std::move(address));
    modules.push_back(std::move(module));
  }
  return formatSymbols(modules);
}

}  // namespace parallax::synth
