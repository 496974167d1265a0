#include "sampler/unwind_table.h"

#include <algorithm>
#include <cstring>
#include <linux/membarrier.h>

#include "base/fork_generation.h"
#include "base/spin_lock.h"
#include "base/sys.h"
#include "core/agent.h"
#include "core/functions.h"
#include "sampler/markers.h"
#include "sampler/modules.h"

namespace parallax {

// ---------------------------------------------------------------------- reading

Rule ModuleFrames::find(uint64_t pc, FrameScratch& scratch) const {
  // Signal context.
  const uint8_t* fde = searchFde(table, pc);
  return fde == nullptr ? Rule{} : ruleOfFde(ehFrameSegment, fde, scratch, pc);
}

const ModuleFrames* UnwindTable::moduleOf(uint64_t pc) const {
  // Signal context: reads nothing but the table itself.
  const ModuleFrames* after =
      std::upper_bound(modules_, modules_ + count_, pc,
                       [](uint64_t value, const ModuleFrames& m) { return value < m.start; });
  return after == modules_ || pc >= after[-1].end ? nullptr : after - 1;
}

Rule UnwindTable::find(uint64_t pc, FrameScratch& scratch) const {
  const ModuleFrames* module = moduleOf(pc);
  return module == nullptr ? Rule{} : module->find(pc, scratch);
}

size_t UnwindTable::functionCount() const {
  size_t functions = 0;
  for (size_t i = 0; i < count_; ++i) functions += modules_[i].table.count;
  return functions;
}

namespace {

std::atomic<const UnwindTable*> currentTable{nullptr};
std::atomic<TableReader*> readers{nullptr};

int membarrier(int command) { return static_cast<int>(sys::call(SYS_membarrier, command, 0, 0)); }

}  // namespace

std::atomic<uint64_t> TableReader::generation_{0};

const UnwindTable* TableReader::begin() {
  // Signal context. A fence for the compiler is enough. ModuleList::reclaim() makes all running
  // threads execute a memory barrier (membarrier) after it has replaced the table and before it
  // reads `reading_`. So either it sees the store to `reading_`, or this thread sees the new table
  // and repeats.
  for (;;) {
    const UnwindTable* table = currentTable.load(std::memory_order_acquire);
    reading_.store(table, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (currentTable.load(std::memory_order_acquire) == table) return table;
  }
}

void registerReader(TableReader* reader) {
  TableReader* first = readers.load(std::memory_order_relaxed);
  do {
    reader->next_ = first;
  } while (!readers.compare_exchange_weak(first, reader, std::memory_order_release));
}

// --------------------------------------------------------------------- building

namespace {

struct MappedBytes {
  void* at = nullptr;
  size_t size = 0;
};

// The search table of a module that has none, or an unusual one. Counts the entries first.
class TableMaker final : private FdeSink {
 public:
  explicit TableMaker(const ModuleImage& image) : image_(image) {}

  SearchTable make(MappedBytes* memory) {
    visit();
    memory->size = count_ * sizeof(SearchEntry);
    if (count_ == 0) return {};
    entries_ = static_cast<SearchEntry*>(sys::pages(memory->size));
    memory->at = entries_;
    if (entries_ == nullptr) return {};
    capacity_ = count_;
    count_ = 0;
    visit();
    std::sort(entries_, entries_ + count_,
              [](const SearchEntry& a, const SearchEntry& b) { return a.start < b.start; });
    return {entries_, count_, image_.start};
  }

 private:
  void visit() {
    if (image_.ehFrameHeader.begin == nullptr ||
        !forEachFdeOfHeader(image_.ehFrameHeader, image_.ehFrameSegment, *this)) {
      forEachFde(image_.ehFrame, *this);
    }
  }

  bool fde(const FdeRange& range) override {
    if (range.start < image_.start || range.end > image_.end) return true;
    if (entries_ != nullptr) {
      if (count_ == capacity_) return false;
      entries_[count_] = {static_cast<int32_t>(range.start - image_.start),
                          static_cast<int32_t>(reinterpret_cast<uint64_t>(range.fde) - image_.start)};
    }
    ++count_;
    return true;
  }

  const ModuleImage& image_;
  SearchEntry* entries_ = nullptr;
  size_t count_ = 0, capacity_ = 0;
};

// Where the frames of a module are, without its search table. False for one that has none.
bool findFrames(const ModuleImage& image, ModuleFrames* frames) {
  if (image.ehFrame.begin == nullptr || image.end - image.start > INT32_MAX) return false;
  frames->start = image.start;
  frames->end = image.end;
  frames->ehFrameHeader = image.ehFrameHeader;
  frames->ehFrameSegment = image.ehFrameSegment;
  return true;
}

size_t stridesOf(const SearchTable& table) {
  return (table.count + SearchTable::kStride - 1) / SearchTable::kStride;
}

// Takes the next of some bytes.
class Cutter {
 public:
  explicit Cutter(void* bytes) : at_(static_cast<char*>(bytes)) {}

  void* take(size_t bytes) {
    char* taken = at_;
    at_ += bytes;
    return taken;
  }

  const char* copy(const char* text) {
    const size_t bytes = strlen(text) + 1;
    return static_cast<const char*>(memcpy(take(bytes), text, bytes));
  }

 private:
  char* at_;
};

}  // namespace

// One loaded module, in pages of its own, together with what belongs to it: as few pages as possible,
// because each process that is started makes one for each library.
struct Module {
  std::atomic<Module*> next;
  Module* nextRetired;
  std::atomic<uint32_t> definedIn;  // forkGeneration()
  uint32_t number;
  bool loaded;  // seen in the current walk over what is loaded
  size_t bytes;
  uint64_t bias, start, end;
  const char* buildId;  // hex, empty when it has none
  const char* path;
  ModuleFrames frames;
  MappedBytes ownTable;

  // Null when there is no memory.
  static Module* make(const ModuleImage& image);
  void free();
};

Module* Module::make(const ModuleImage& image) {
  const SearchTable linked =
      image.ehFrameHeader.begin != nullptr ? searchTableOf(image.ehFrameHeader) : SearchTable{};
  const size_t strides = stridesOf(linked);
  const size_t bytes = sizeof(Module) + strides * sizeof(int32_t) + strlen(image.buildId) + 1 +
                       strlen(image.path) + 1;
  auto* module = static_cast<Module*>(sys::pages(bytes));
  if (module == nullptr) return nullptr;
  Cutter rest(module + 1);
  auto* index = static_cast<int32_t*>(rest.take(strides * sizeof(int32_t)));
  module->bytes = bytes;
  module->bias = image.bias;
  module->start = image.start;
  module->end = image.end;
  module->buildId = rest.copy(image.buildId);
  module->path = rest.copy(image.path);
  if (!findFrames(image, &module->frames)) return module;
  SearchTable& table = module->frames.table;
  if (linked.count == 0) {
    table = TableMaker(image).make(&module->ownTable);
  } else {
    for (size_t i = 0; i < strides; ++i) {
      index[i] = linked.entries[i * SearchTable::kStride].start;
    }
    table = linked;
    table.index = index;
  }
  return module;
}

void Module::free() {
  if (ownTable.at != nullptr) sys::munmap(ownTable.at, ownTable.size);
  sys::munmap(this, bytes);
}

namespace {

// Once in each process.
void defineModule(Module& module) {
  const uint32_t generation = forkGeneration();
  if (module.definedIn.exchange(generation, std::memory_order_relaxed) == generation) return;
  define(format::ModuleRecord{module.number, 0, nowTicks(), module.bias, module.start, module.end,
                              module.buildId, module.path});
}

}  // namespace

// The state of the writing side, protected by lock_. Only redefine() does not take the lock: other
// threads wait for it before they write a definition, and one of them may hold the lock.
class ModuleList {
 public:
  void refresh();
  void resetAfterFork();
  void redefine();

 private:
  static int visit(dl_phdr_info* info, size_t size, void* self);
  void visitModule(const dl_phdr_info& info, bool main);
  void removeUnloaded();
  void publish();
  void reclaim();

  SpinLock lock_;  // contended only if threads load modules at the same time
  bool visited_ = false;
  unsigned long long adds_ = 0, subs_ = 0;
  bool changed_ = false;
  bool first_ = false;
  std::atomic<Module*> modules_{nullptr};
  std::atomic<int> redefining_{0};
  Module* retiredModules_ = nullptr;
  UnwindTable* retiredTables_ = nullptr;
  uint32_t nextNumber_ = 0;
  uint64_t generation_ = 0;
  uint64_t agentStart_ = 0, agentEnd_ = 0;
  bool barrier_ = false;
  ModuleImage image_;  // of the module that is looked at
};

namespace {
ModuleList moduleList;
}  // namespace

std::atomic<bool> modulesStale{false};

int ModuleList::visit(dl_phdr_info* info, size_t size, void* self) {
  auto& list = *static_cast<ModuleList*>(self);
  if (list.first_) {
    // The counters tell at the first module whether the rest has to be looked at.
    if (list.visited_ && list.adds_ == info->dlpi_adds && list.subs_ == info->dlpi_subs) return 1;
    list.adds_ = info->dlpi_adds;
    list.subs_ = info->dlpi_subs;
    for (Module* m = list.modules_; m != nullptr; m = m->next) m->loaded = false;
    list.changed_ = true;
  }
  list.visitModule(*info, list.first_);
  list.first_ = false;
  return 0;
}

void ModuleList::visitModule(const dl_phdr_info& info, bool main) {
  if (!readImage(info, &image_)) return;
  const char* name = info.dlpi_name == nullptr ? "" : info.dlpi_name;
  for (Module* known = modules_; known != nullptr; known = known->next) {
    if (known->start == image_.start && known->end == image_.end &&
        strcmp(known->buildId, image_.buildId) == 0 &&
        (image_.buildId[0] != 0 || main || name[0] != '/' || strcmp(known->path, name) == 0)) {
      known->loaded = true;
      return;
    }
  }
  completeImage(info, name, main, &image_);
  Module* module = Module::make(image_);
  if (module == nullptr) return;
  const uint64_t here = reinterpret_cast<uint64_t>(&currentTable);
  if (!main && here >= module->start && here < module->end) {
    agentStart_ = module->start;
    agentEnd_ = module->end;
  }
  markersMeetModule(module->path);
  if (image_.go) forbidMarkers();
  module->loaded = true;
  module->number = nextNumber_++;
  defineModule(*module);
  // Must be last: the first definition in a child after fork writes the whole list.
  module->next.store(modules_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  modules_.store(module, std::memory_order_release);
}

void ModuleList::removeUnloaded() {
  std::atomic<Module*>* link = &modules_;
  while (Module* module = link->load(std::memory_order_relaxed)) {
    if (module->loaded) {
      link = &module->next;
      continue;
    }
    defineModule(*module);  // in a child, redefine() may not have reached this module yet
    define(format::ModuleUnloadRecord{module->number, 0, nowTicks()});
    FunctionStack::forget(module->start, module->end);
    // Its own `next` must stay valid, because redefine() may be at this module.
    link->store(module->next.load(std::memory_order_relaxed), std::memory_order_release);
    module->nextRetired = retiredModules_;
    retiredModules_ = module;
  }
}

void ModuleList::publish() {
  size_t count = 0;
  for (Module* m = modules_; m != nullptr; m = m->next) count += m->frames.table.count > 0;
  const size_t bytes = sizeof(UnwindTable) + count * sizeof(ModuleFrames);
  auto* table = static_cast<UnwindTable*>(sys::pages(bytes));
  if (table == nullptr) return;
  table->generation_ = ++generation_;
  table->agentStart_ = agentStart_;
  table->agentSize_ = agentEnd_ - agentStart_;
  table->mappedBytes_ = bytes;
  for (Module* m = modules_; m != nullptr; m = m->next) {
    if (m->frames.table.count > 0) table->modules_[table->count_++] = m->frames;
  }
  std::sort(table->modules_, table->modules_ + table->count_,
            [](const ModuleFrames& a, const ModuleFrames& b) { return a.start < b.start; });
  auto* old = const_cast<UnwindTable*>(currentTable.exchange(table, std::memory_order_acq_rel));
  TableReader::generation_.store(generation_, std::memory_order_release);
  if (old != nullptr) {
    old->nextRetired_ = retiredTables_;
    retiredTables_ = old;
  }
}

// Unmaps the old tables and modules. If a reader still uses one of the old tables, all of them stay
// until the next time, with their modules.
void ModuleList::reclaim() {
  if (retiredTables_ == nullptr || !barrier_ ||
      membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0) {
    return;
  }
  if (redefining_.load(std::memory_order_acquire) != 0) return;
  const UnwindTable* current = currentTable.load(std::memory_order_relaxed);
  for (TableReader* r = readers.load(std::memory_order_acquire); r != nullptr; r = r->next_) {
    const UnwindTable* reading = r->reading_.load(std::memory_order_acquire);
    if (reading != nullptr && reading != current) return;
  }
  while (UnwindTable* table = retiredTables_) {
    retiredTables_ = table->nextRetired_;
    sys::munmap(table, table->mappedBytes_);
  }
  while (Module* module = retiredModules_) {
    retiredModules_ = module->nextRetired;
    module->free();
  }
}

void ModuleList::refresh() {
  if (!lock_.lock()) return markModulesStale();
  if (!visited_) barrier_ = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
  changed_ = false;
  first_ = true;
  // All reading is done in the callback, because there the loader's lock keeps the modules mapped.
  dl_iterate_phdr(visit, this);
  if (changed_) {
    visited_ = true;
    removeUnloaded();
    publish();
    reclaim();
  }
  lock_.unlock();
}

void ModuleList::resetAfterFork() {
  for (TableReader* r = readers.load(std::memory_order_acquire); r != nullptr; r = r->next_) {
    r->end();
  }
  redefining_.store(0, std::memory_order_relaxed);
  visited_ = false;  // registers the barrier again and looks at all modules
}

void ModuleList::redefine() {
  redefining_.fetch_add(1, std::memory_order_seq_cst);
  for (Module* m = modules_.load(std::memory_order_acquire); m != nullptr;
       m = m->next.load(std::memory_order_acquire)) {
    defineModule(*m);
  }
  redefining_.fetch_sub(1, std::memory_order_release);
}

void refreshModules() {
  modulesStale.store(false, std::memory_order_relaxed);
  moduleList.refresh();
}

void markModulesStale() { modulesStale.store(true, std::memory_order_relaxed); }

void resetModulesAfterFork() { moduleList.resetAfterFork(); }

void redefineModules() { moduleList.redefine(); }

}  // namespace parallax
