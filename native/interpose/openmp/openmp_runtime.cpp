#include "interpose/openmp/openmp_runtime.h"

#include <link.h>
#include <time.h>

#include <atomic>
#include <cstring>

#include "core/agent.h"
#include "interpose/linker/defined_symbol.h"
#include "interpose/linker/search_order.h"
#include "interpose/openmp/openmp_team.h"

namespace parallax::openmp {
namespace {

// All but `only` and the counters change in the callback of dl_iterate_phdr alone, which one thread
// is in at a time. A runtime that is unloaded leaves its place to another one: nobody calls it then.
constexpr size_t kMost = 16;
Runtime runtimes[kMost];
std::atomic<const Runtime*> only{nullptr};  // when there is just one
unsigned long long adds = 0, subs = 0;      // of modules, when the runtimes were found
std::atomic<uint32_t> changes{1};           // of the loaded modules
std::atomic<uint32_t> seen{0};              // of these, when all runtimes were known
std::atomic<uint64_t> unseenUntil{0};       // changes may still come that nobody tells
std::atomic<uint64_t> lookedAt{0};          // while so

// Callers of several runtimes: address << 16 | entry << 8 | runtime + 1.
constexpr size_t kCallers = 1024;
std::atomic<uint64_t> callers[kCallers];

constexpr SymbolName kNames[] = {
#define PARALLAX_X(name) SymbolName(#name),
    PARALLAX_OPENMP_ENTRIES(PARALLAX_X)
#undef PARALLAX_X
};
constexpr SymbolName kForkOfLlvm("__kmpc_fork_call");

constexpr size_t kInterposed = static_cast<size_t>(Entry::komp_get_num_threads);  // asked, the rest

const Runtime* runtimeOf(const dl_phdr_info& object) {
  for (const Runtime& runtime : runtimes) {
    if (runtime.object == object.dlpi_phdr) return &runtime;
  }
  return nullptr;
}

// False when the object has none of the routines. It may have any name.
bool describe(const dl_phdr_info& object, Runtime* runtime) {
  const DefinedSymbols symbols(object);
  bool any = false;
  for (size_t i = 0; i < static_cast<size_t>(Entry::kCount); i++) {
    runtime->code[i] = symbols.find(kNames[i]);
    any = any || (i < kInterposed && runtime->code[i] != nullptr);
  }
  runtime->object = object.dlpi_phdr;
  runtime->llvm = symbols.find(kForkOfLlvm) != nullptr;
  return any;
}

bool same(const Runtime& a, const Runtime& b) {
  return a.object == b.object && a.llvm == b.llvm && memcmp(a.code, b.code, sizeof a.code) == 0;
}

struct Found {
  bool places[kMost];  // of `runtimes`
};

// What has the same routines as before is the same, whether or not it was loaded anew since. The
// places of those that were unloaded become free afterwards.
int lookAt(dl_phdr_info* object, size_t, void* data) {
  auto* found = static_cast<Found*>(data);
  Runtime runtime;
  if (holds(*object, runtimes) || !describe(*object, &runtime)) return 0;
  size_t place = 0, empty = kMost;
  for (; place < kMost && !same(runtimes[place], runtime); place++) {
    if (empty == kMost && runtimes[place].object == nullptr) empty = place;
  }
  if (place == kMost && empty == kMost) return 0;
  if (place == kMost) {
    place = empty;
    runtimes[place] = runtime;
  }
  found->places[place] = true;
  return 0;
}

void lookAtAll() {
  Found found{};
  dl_iterate_phdr(lookAt, &found);
  const Runtime* first = nullptr;
  size_t count = 0;
  for (size_t i = 0; i < kMost; i++) {
    if (!found.places[i]) runtimes[i].object = nullptr;
    if (runtimes[i].object == nullptr) continue;
    if (count++ == 0) first = &runtimes[i];
  }
  only.store(count == 1 ? first : nullptr, std::memory_order_release);
  // Another module may be now where a caller was.
  for (auto& place : callers) place.store(0, std::memory_order_relaxed);
}

struct Question {
  const void* caller;  // null: there is none but what the runtimes are
  size_t entry;
  const Runtime* answer;
};

const Runtime* firstWith(size_t entry, SearchOrder* order) {
  while (const dl_phdr_info* object = order->next()) {
    const Runtime* runtime = runtimeOf(*object);
    if (runtime != nullptr && runtime->code[entry] != nullptr) return runtime;
  }
  return nullptr;
}

// As the dynamic linker does: what is loaded for all comes first, then what the caller's module
// needs. Otherwise (the caller is no module's, or found its runtime through another one's needs)
// any runtime that has the routine.
const Runtime* resolve(const dl_phdr_info& any, const void* caller, size_t entry) {
  const Runtime* first = nullptr;
  size_t count = 0;
  for (const Runtime& runtime : runtimes) {
    if (runtime.object == nullptr || runtime.code[entry] == nullptr) continue;
    if (count++ == 0) first = &runtime;
  }
  if (count <= 1) return first;
  SearchOrder order(any);
  order.addFirst();
  const Runtime* runtime = firstWith(entry, &order);
  while (runtime == nullptr && order.addNextGlobal()) runtime = firstWith(entry, &order);
  if (runtime != nullptr) return runtime;
  order.addOwner(caller);
  runtime = firstWith(entry, &order);
  return runtime != nullptr ? runtime : first;
}

uint64_t keyOf(const void* caller, size_t entry) {
  return reinterpret_cast<uint64_t>(caller) << 8 | entry;
}

std::atomic<uint64_t>& placeOf(const void* caller) {
  const auto address = reinterpret_cast<uint64_t>(caller);
  return callers[(address ^ address >> 10) % kCallers];
}

// Called for the first module alone: the list stays as it is until this returns.
int answer(dl_phdr_info* any, size_t, void* data) {
  auto* question = static_cast<Question*>(data);
  if (any->dlpi_adds != adds || any->dlpi_subs != subs) {
    lookAtAll();
    adds = any->dlpi_adds;
    subs = any->dlpi_subs;
  }
  if (question->caller == nullptr) return 1;
  question->answer = resolve(*any, question->caller, question->entry);
  if (question->answer != nullptr) {
    placeOf(question->caller)
        .store(keyOf(question->caller, question->entry) << 8 |
                   static_cast<uint64_t>(question->answer - runtimes + 1),
               std::memory_order_relaxed);
  }
  return 1;
}

const Runtime* ask(const void* caller, size_t entry) {
  Question question{caller, entry, nullptr};
  Guard guard;  // keeps samples out, too
  state.looking = true;  // a signal handler that comes now does with what is known
  dl_iterate_phdr(answer, &question);
  state.looking = false;
  return question.answer;
}

uint64_t milliseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1000000;
}

// Several threads may look, one after the other, and each goes on only when all is seen.
void look() {
  const uint32_t change = changes.load(std::memory_order_acquire);
  const uint64_t until = unseenUntil.load(std::memory_order_relaxed);
  const uint64_t now = until != 0 ? milliseconds() : 0;
  const bool unseen = now < until;
  if (unseen && !state.mustLook && lookedAt.load(std::memory_order_relaxed) == now) return;
  state.mustLook = false;
  ask(nullptr, 0);
  lookedAt.store(now, std::memory_order_relaxed);
  if (!unseen) seen.store(change, std::memory_order_release);
}

const Runtime* runtimeOfCaller(const void* caller, size_t entry) {
  const uint64_t known = placeOf(caller).load(std::memory_order_relaxed);
  if (known >> 8 == keyOf(caller, entry)) return &runtimes[(known & 0xff) - 1];
  return state.looking ? nullptr : ask(caller, entry);
}

}  // namespace

const Runtime* runtimeFor(const void* caller, Entry entry) {
  const auto at = static_cast<size_t>(entry);
  if (__builtin_expect(seen.load(std::memory_order_acquire) !=
                               changes.load(std::memory_order_relaxed) ||
                           state.mustLook, false) && !state.looking) {
    look();
  }
  const Runtime* runtime = only.load(std::memory_order_acquire);
  if (runtime == nullptr) runtime = runtimeOfCaller(caller, at);
  return runtime != nullptr && runtime->code[at] != nullptr ? runtime : nullptr;
}

// Another thread's call may come before the modules do, and be the one that looks. This thread's
// next call is from a constructor, when all are there, or comes after them.
void modulesChanged() {
  state.mustLook = true;
  changes.fetch_add(1, std::memory_order_release);
}

void keepRuntimes(void (*keep)(const void* code)) {
  const void* codes[kMost] = {};
  const auto copy = [](dl_phdr_info*, size_t, void* to) {
    for (size_t i = 0; i < kMost; i++) {
      if (runtimes[i].object == nullptr || runtimes[i].llvm) continue;
      static_cast<const void**>(to)[i] = runtimes[i].code[static_cast<size_t>(Entry::kGOMP_parallel)];
    }
    return 1;
  };
  dl_iterate_phdr(copy, codes);
  for (const void* code : codes) {
    if (code != nullptr) keep(code);
  }
}

// Other threads look now and then, for a second.
void modulesChangeUnseen() {
  unseenUntil.store(milliseconds() + 1000, std::memory_order_relaxed);
  modulesChanged();
}

bool records(const Runtime& runtime) { return !runtime.llvm && adapterEnabled(Adapter::kOpenMp); }

bool canCancel(const Runtime& runtime) {
  auto* enabled = runtime.get<int()>(Entry::komp_get_cancellation);
  return enabled != nullptr && enabled() != 0;
}

bool recordsLocks() { return adapterEnabled(Adapter::kOpenMp); }

}  // namespace parallax::openmp
