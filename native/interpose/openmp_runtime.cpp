#include "interpose/openmp_runtime.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstring>

#include "agent/agent.h"
#include "agent/sys.h"
#include "interpose/openmp_team.h"

namespace parallax::openmp {
namespace {

constexpr size_t kMost = 8;
Runtime runtimes[kMost];
std::atomic<size_t> count{0};
std::atomic<const Runtime*> only{nullptr};  // when there is just one
std::atomic<bool> stale{true};
std::atomic<bool> adding{false};

// Callers of several runtimes: address << 8 | runtime + 1.
constexpr size_t kCallers = 1024;
std::atomic<uint64_t> callers[kCallers];

constexpr const char* kNames[] = {
#define PARALLAX_X(name) #name,
    PARALLAX_OPENMP_ENTRIES(PARALLAX_X)
#undef PARALLAX_X
};

constexpr const char* kKnownName = "GOMP_barrier";  // of both kinds

// Loaded objects that can be a runtime. They are opened only after dl_iterate_phdr, which holds a
// lock that dlopen takes in another order.
struct Candidates {
  char text[4096];
  size_t used;
};

int collect(dl_phdr_info* info, size_t, void* data) {
  auto* found = static_cast<Candidates*>(data);
  if (info->dlpi_name == nullptr) return 0;
  const char* name = strrchr(info->dlpi_name, '/');
  name = name != nullptr ? name + 1 : info->dlpi_name;
  if (strstr(name, "omp") == nullptr) return 0;
  const size_t bytes = strlen(info->dlpi_name) + 1;
  if (found->used + bytes > sizeof found->text) return 1;
  memcpy(found->text + found->used, info->dlpi_name, bytes);
  found->used += bytes;
  return 0;
}

const void* baseOf(const void* address) {
  Dl_info info{};
  return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

const Runtime* runtimeAt(const void* base) {
  if (base == nullptr) return nullptr;
  for (size_t i = 0; i < count.load(std::memory_order_acquire); i++) {
    if (runtimes[i].base == base) return &runtimes[i];
  }
  return nullptr;
}

Runtime describe(void* handle) {
  Runtime runtime{};
  void* forks = dlsym(handle, "__kmpc_fork_call");
  void* known = dlsym(handle, kKnownName);
  runtime.base = baseOf(known != nullptr ? known : forks);
  runtime.llvm = forks != nullptr && baseOf(forks) == runtime.base;
  for (size_t i = 0; i < static_cast<size_t>(Entry::kCount); i++) {
    runtime.code[i] = dlsym(handle, kNames[i]);
  }
  return runtime;
}

void add(const Runtime& runtime) {
  while (adding.exchange(true, std::memory_order_acquire)) sys::call(SYS_sched_yield);
  const size_t at = count.load(std::memory_order_relaxed);
  if (runtime.base != nullptr && at < kMost && runtimeAt(runtime.base) == nullptr) {
    runtimes[at] = runtime;
    only.store(at == 0 ? &runtimes[0] : nullptr, std::memory_order_release);
    count.store(at + 1, std::memory_order_release);
  }
  adding.store(false, std::memory_order_release);
}

// Several threads may look at once. A region in a constructor runs while its thread holds the
// dynamic linker's lock: that thread looks, when it begins the region, and its workers find all
// done. A runtime that was found stays mapped: its threads execute it, and we keep its addresses.
void look() {
  stale.store(false, std::memory_order_relaxed);
  Guard guard;  // what the lookup calls passes through
  state.looking = true;
  Candidates found{};
  dl_iterate_phdr(collect, &found);
  for (size_t at = 0; at < found.used; at += strlen(found.text + at) + 1) {
    void* handle = dlopen(found.text + at, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    const Runtime runtime = describe(handle);
    if (runtime.base != nullptr) dlopen(found.text + at, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    add(runtime);
    dlclose(handle);
  }
  state.looking = false;
}

const Runtime* resolve(const void* caller) {
  Guard guard;
  state.looking = true;
  const Runtime* runtime = nullptr;
  Dl_info info{};
  if (dladdr(caller, &info) != 0 && info.dli_fname != nullptr) {
    if (void* handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
      runtime = runtimeAt(baseOf(dlsym(handle, kKnownName)));
      dlclose(handle);
    }
  }
  if (runtime == nullptr) runtime = runtimeAt(baseOf(dlsym(RTLD_NEXT, kKnownName)));
  state.looking = false;
  return runtime != nullptr ? runtime : &runtimes[0];
}

}  // namespace

const Runtime* runtimeFor(const void* caller) {
  if (__builtin_expect(stale.load(std::memory_order_relaxed), false)) look();
  if (const Runtime* one = only.load(std::memory_order_acquire)) return one;
  if (count.load(std::memory_order_acquire) == 0) look();  // while another thread looks, too
  if (count.load(std::memory_order_acquire) == 0) return nullptr;
  if (const Runtime* one = only.load(std::memory_order_acquire)) return one;
  const auto address = reinterpret_cast<uint64_t>(caller);
  std::atomic<uint64_t>& place = callers[(address ^ address >> 10) % kCallers];
  const uint64_t known = place.load(std::memory_order_relaxed);
  if (known >> 8 == address) return &runtimes[(known & 0xff) - 1];
  const Runtime* runtime = resolve(caller);
  place.store(address << 8 | static_cast<uint64_t>(runtime - runtimes + 1),
              std::memory_order_relaxed);
  return runtime;
}

void modulesChanged() {
  if (!state.looking) stale.store(true, std::memory_order_relaxed);
}

bool records(const Runtime& runtime) { return !runtime.llvm && adapterEnabled(Adapter::kOpenMp); }
bool recordsLocks() { return adapterEnabled(Adapter::kOpenMp); }

}  // namespace parallax::openmp
