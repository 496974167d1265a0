// Signals from process to process. Sendings to a process are counted for each signal. A read from a
// signalfd names the first sending since the previous read, because sending a signal that is
// already pending has no effect. Receivers that are handlers, process groups or threads are not
// matched.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine, as by a handler that interrupts it: passes straight through, not counted.
#include "interpose/process/process_signal.h"

#include <csignal>

#include "base/address_table.h"
#include "base/fork_generation.h"
#include "base/sys.h"
#include "core/clock.h"
#include "core/process.h"
#include "core/shared_counters.h"
#include "interpose/descriptors/fd_table.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(pid_t, int)> realKill("kill");
PARALLAX_REAL Real<int(pid_t, int, const sigval)> realSigqueue("sigqueue");

Region killRegion("kill", format::Group::kProcess);
Region sigqueueRegion("sigqueue", format::Group::kProcess);

constexpr int kSent = 0, kTaken = 1, kSalt = 2;  // of SharedCounters

struct Entry {
  std::atomic<uint32_t> object, definedIn;  // forkGeneration()
  std::atomic<SharedCounters*> counters;
};
AddressTable<Entry> signals;  // by process and signal

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

// Another recording counts from 1, too: its objects are others, even for the same process.
uint64_t saltOf(SharedCounters* counters) {
  uint64_t salt = 0;
  const uint64_t own = mix(readTicks(), static_cast<uint64_t>(sys::getpid())) | 1;
  return counters->value[kSalt].compare_exchange_strong(salt, own) ? own : salt;
}

// The object of one signal to one process; null when it cannot be counted.
Entry* signalsTo(int pid, int number) {
  const uint64_t target = static_cast<uint64_t>(pid) << 8 | static_cast<unsigned>(number);
  Entry* entry = signals.obtain(target);
  if (entry == nullptr) return nullptr;
  const uint32_t generation = forkGeneration();
  if (entry->definedIn.load(std::memory_order_acquire) == generation) return entry;
  constexpr uint64_t kSignals = 0x516E416C5E4D1265;  // of all that has shared counters
  const uint64_t high = mix(kSignals, target) | 1, low = mix(high, target) | 1;
  SharedCounters* counters = sharedCounters(high, low);
  if (counters == nullptr) return nullptr;
  entry->counters.store(counters, std::memory_order_relaxed);
  // Threads that meet it at once give it several numbers of the same key.
  const uint64_t key = mix(low, saltOf(counters)) | 1;
  entry->object.store(defineSyncObject(format::SyncKind::kSignal, target, key),
                      std::memory_order_relaxed);
  entry->definedIn.store(generation, std::memory_order_release);
  return entry;
}

// Counted before the real call, because the receiver may read the signal before that call returns.
template <class Event>
void tellSending(Event& event, int pid, int number) {
  if (!event) return;
  if (Entry* entry = signalsTo(pid, number)) {
    auto& sent = entry->counters.load(std::memory_order_relaxed)->value[kSent];
    const uint64_t sending = sent.fetch_add(1, std::memory_order_acq_rel) + 1;
    event.emit(Kind::kSignal, entry->object.load(std::memory_order_relaxed), {sending});
  }
}

template <class Real>
int send(Region& region, int pid, int number, Real real) {
  if (pid <= 0 || number <= 0 || number >= NSIG || !adapterEnabled(Adapter::kProcess) ||
      !recording() || !process.isOurs()) {
    return real();
  }
  if (pid == sys::getpid()) {  // its handler runs within the call, and is code of the program
    {
      Instant instant;
      tellSending(instant, pid, number);
    }
    return real();
  }
  Call call(region);
  tellSending(call, pid, number);
  return real();
}

}  // namespace

TakenSignal takenSignal(int number, int code) {
  const bool bySomebody = code == SI_USER || code == SI_QUEUE;
  if (!bySomebody || number >= NSIG || !adapterEnabled(Adapter::kProcess)) return {};
  Entry* entry = signalsTo(sys::getpid(), number);
  if (entry == nullptr) return {};
  SharedCounters& counters = *entry->counters.load(std::memory_order_relaxed);
  const uint64_t sent = counters.value[kSent].load(std::memory_order_acquire);
  const uint64_t before = counters.value[kTaken].exchange(sent, std::memory_order_acq_rel);
  if (before >= sent) return {};
  return {entry->object.load(std::memory_order_relaxed), before + 1};
}

}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int kill(pid_t pid, int number) noexcept {
  auto* real = realKill.get();
  return send(killRegion, pid, number, [=] { return real(pid, number); });
}

PARALLAX_EXPORT int sigqueue(pid_t pid, int number, const sigval value) noexcept {
  auto* real = realSigqueue.get();
  return send(sigqueueRegion, pid, number, [=] { return real(pid, number, value); });
}
