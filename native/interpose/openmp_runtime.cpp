#include "interpose/openmp_runtime.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>

#include "agent/agent.h"
#include "agent/spin_lock.h"
#include "interpose/defined_symbol.h"
#include "interpose/library_symbol.h"
#include "interpose/openmp_team.h"

namespace parallax::openmp {
namespace {

constexpr size_t kMost = 16;
Runtime runtimes[kMost];
std::atomic<size_t> count{0};
std::atomic<const Runtime*> only{nullptr};  // when there is just one
std::atomic<uint32_t> changes{1};           // of the loaded modules
std::atomic<uint32_t> seen{0};              // of these, when all runtimes were known
SpinLock adding;

// Callers of several runtimes: address << 16 | entry << 8 | runtime + 1.
constexpr size_t kCallers = 1024;
std::atomic<uint64_t> callers[kCallers];

struct Name {
  const char* text;
  uint32_t hash;
};
constexpr Name kNames[] = {
#define PARALLAX_X(name) {#name, gnuHash(#name)},
    PARALLAX_OPENMP_ENTRIES(PARALLAX_X)
#undef PARALLAX_X
};

constexpr size_t kInterposed = static_cast<size_t>(Entry::komp_get_num_threads);  // asked, the rest

// A runtime may have any name, or be a part of a library.
bool mayBeRuntime(const dl_phdr_info& object, const void*) {
  const DefinedSymbols symbols(object);
  if (!symbols.hasTable()) return true;
  for (size_t i = 0; i < kInterposed; i++) {
    if (symbols.contains(kNames[i].text, kNames[i].hash)) return true;
  }
  return false;
}

const link_map* objectOf(const void* address) {
  Dl_info info;
  void* object = nullptr;
  if (address == nullptr || dladdr1(address, &info, &object, RTLD_DL_LINKMAP) == 0) return nullptr;
  return static_cast<const link_map*>(object);
}

const Runtime* runtimeAt(const link_map* object) {
  if (object == nullptr) return nullptr;
  for (size_t i = 0; i < count.load(std::memory_order_acquire); i++) {
    if (runtimes[i].object == object) return &runtimes[i];
  }
  return nullptr;
}

// False when the object has none of the routines. What dlsym finds may be of another object, that
// this one needs.
bool describe(void* handle, const link_map* object, Runtime& runtime) {
  runtime.object = object;
  runtime.llvm = objectOf(dlsym(handle, "__kmpc_fork_call")) == object;
  bool any = false;
  for (size_t i = 0; i < static_cast<size_t>(Entry::kCount); i++) {
    void* code = dlsym(handle, kNames[i].text);
    runtime.code[i] = objectOf(code) == object ? code : nullptr;
    any = any || (i < kInterposed && runtime.code[i] != nullptr);
  }
  return any;
}

void add(const Runtime& runtime) {
  if (!adding.lock()) return;
  const size_t at = count.load(std::memory_order_relaxed);
  if (at < kMost && runtimeAt(runtime.object) == nullptr) {
    runtimes[at] = runtime;
    only.store(at == 0 ? &runtimes[0] : nullptr, std::memory_order_release);
    count.store(at + 1, std::memory_order_release);
  }
  adding.unlock();
}

void lookAt(const char* path) {
  void* handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return;
  link_map* object = nullptr;
  Runtime runtime;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &object) == 0 && runtimeAt(object) == nullptr &&
      object != objectOf(runtimes) && describe(handle, object, runtime)) {
    dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    add(runtime);
  }
  dlclose(handle);
}

// Several threads may look at once, and each goes on only when it has seen all. A region in a
// constructor runs while its thread holds the dynamic linker's lock: that thread looks, when it
// begins the region, and its workers find all done. A runtime that was found stays mapped: its
// threads execute it, and we keep its addresses.
void look() {
  const uint32_t change = changes.load(std::memory_order_acquire);
  Guard guard;  // what the lookup calls passes through
  state.looking = true;
  const LoadedPaths paths(mayBeRuntime, nullptr);
  for (const char* path = paths.first(); path != nullptr; path = paths.after(path)) lookAt(path);
  // Another module may be now where a caller was.
  for (auto& place : callers) place.store(0, std::memory_order_relaxed);
  seen.store(change, std::memory_order_release);
  state.looking = false;
}

// As the dynamic linker does: what is loaded for all comes first, then what the caller's module
// needs. Otherwise (the caller is no module's, or found its runtime through another one's needs)
// any runtime that has the routine.
const Runtime* resolve(const void* caller, size_t entry) {
  Guard guard;
  state.looking = true;
  const Runtime* runtime = runtimeAt(objectOf(dlsym(RTLD_NEXT, kNames[entry].text)));
  const link_map* module = runtime == nullptr ? objectOf(caller) : nullptr;
  if (module != nullptr) {
    if (void* handle = dlopen(module->l_name, RTLD_LAZY | RTLD_NOLOAD)) {
      runtime = runtimeAt(objectOf(dlsym(handle, kNames[entry].text)));
      dlclose(handle);
    }
  }
  state.looking = false;
  for (size_t i = 0; runtime == nullptr && i < count.load(std::memory_order_acquire); i++) {
    if (runtimes[i].code[entry] != nullptr) runtime = &runtimes[i];
  }
  return runtime;
}

const Runtime* runtimeOfCaller(const void* caller, size_t entry) {
  const auto address = reinterpret_cast<uint64_t>(caller);
  const uint64_t key = address << 8 | entry;
  std::atomic<uint64_t>& place = callers[(address ^ address >> 10) % kCallers];
  const uint64_t known = place.load(std::memory_order_relaxed);
  if (known >> 8 == key) return &runtimes[(known & 0xff) - 1];
  const Runtime* runtime = resolve(caller, entry);
  if (runtime == nullptr) return nullptr;
  place.store(key << 8 | static_cast<uint64_t>(runtime - runtimes + 1), std::memory_order_relaxed);
  return runtime;
}

}  // namespace

const Runtime* runtimeFor(const void* caller, Entry entry) {
  const auto at = static_cast<size_t>(entry);
  if (__builtin_expect(seen.load(std::memory_order_acquire) !=
                           changes.load(std::memory_order_relaxed), false) && !state.looking) {
    look();
  }
  const Runtime* runtime = only.load(std::memory_order_acquire);
  if (runtime == nullptr) runtime = runtimeOfCaller(caller, at);
  return runtime != nullptr && runtime->code[at] != nullptr ? runtime : nullptr;
}

void modulesChanged() {
  if (!state.looking) changes.fetch_add(1, std::memory_order_release);
}

bool records(const Runtime& runtime) { return !runtime.llvm && adapterEnabled(Adapter::kOpenMp); }
bool recordsLocks() { return adapterEnabled(Adapter::kOpenMp); }

}  // namespace parallax::openmp
