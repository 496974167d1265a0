// What parallax/parallax.h calls: phases, marks, metrics and own barriers of the program. The
// functions exist in the agent alone; without it the header calls nothing.
//
// Called inside an intercepted routine, by a library's thread or in a process that is not
// recorded, they do nothing (a barrier counts who arrives, and waits). Signal handlers of the
// program may call them.
#include <cstring>
#include <new>

#include "base/address_table.h"
#include "core/adapters.h"
#include "core/agent.h"
#include "core/recording_switch.h"
#include "core/sync_objects.h"

namespace parallax {
namespace {

constexpr size_t kMostNameBytes = 500;

// A name that the program uses. Entries are never removed, so that a search needs no lock.
struct Name {
  Name* next;  // of those with the same hash
  const char* text;
};

// The names of one kind. Most programs have few, and pass the same string again: a string that
// was seen is found by its address, and compared, since its memory may hold another one now.
template <class Entry>
class Names {
 public:
  static constexpr uint32_t kMost = 65536;

  // The entry of `text`, made by make(entry, copy) when it is new; null without memory, and when
  // there are kMost others.
  template <class Make>
  Entry* obtain(const char* text, Make make) {
    std::atomic<Entry*>& recent = recent_[reinterpret_cast<uintptr_t>(text) / 8 % kRecent];
    Entry* entry = recent.load(std::memory_order_acquire);
    if (__builtin_expect(entry != nullptr && equals(entry->text, text), true)) return entry;
    const uint64_t hash = hashOf(text);
    const bool isFull = count_.load(std::memory_order_relaxed) >= kMost;
    Chain* chain = isFull ? chains_.find(hash) : chains_.obtain(hash);
    if (chain == nullptr) return nullptr;
    entry = search(chain->first.load(std::memory_order_acquire), nullptr, text);
    if (entry == nullptr && !isFull) entry = add(chain->first, text, make);
    if (entry != nullptr) recent.store(entry, std::memory_order_release);
    return entry;
  }
  template <class F>
  void forEach(F f) {
    chains_.forEach([&](uint64_t, Chain& chain) {
      for (Entry* e = chain.first.load(std::memory_order_acquire); e != nullptr;
           e = static_cast<Entry*>(e->next)) {
        f(*e);
      }
    });
  }

 private:
  struct Chain {
    std::atomic<Entry*> first;
  };

  static bool equals(const char* copy, const char* text) {
    return strncmp(copy, text, kMostNameBytes) == 0;
  }
  static uint64_t hashOf(const char* text) {
    uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
    for (size_t i = 0; i < kMostNameBytes && text[i] != '\0'; i++) {
      hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x100000001B3u;
    }
    return hash != 0 ? hash : 1;
  }
  static Entry* search(Entry* from, const Entry* until, const char* text) {
    for (Entry* e = from; e != until; e = static_cast<Entry*>(e->next)) {
      if (equals(e->text, text)) return e;
    }
    return nullptr;
  }
  template <class Make>
  Entry* add(std::atomic<Entry*>& first, const char* text, Make make) {
    const size_t length = strnlen(text, kMostNameBytes);
    auto* entry = static_cast<Entry*>(allocate(sizeof(Entry)));
    auto* copy = static_cast<char*>(allocate(length + 1));
    if (entry == nullptr || copy == nullptr) return nullptr;
    memcpy(copy, text, length);
    make(entry, copy);
    entry->text = copy;
    count_.fetch_add(1, std::memory_order_relaxed);
    Entry* head = first.load(std::memory_order_acquire);
    for (;;) {
      entry->next = head;
      Entry* seen = head;
      if (first.compare_exchange_strong(seen, entry, std::memory_order_acq_rel)) return entry;
      if (Entry* winner = search(seen, head, text)) return winner;  // the own one is lost
      head = seen;
    }
  }

  static constexpr size_t kRecent = 64;
  std::atomic<Entry*> recent_[kRecent] = {};
  AddressTable<Chain> chains_;
  std::atomic<uint32_t> count_{0};
};

struct UserRegion : Name {
  Region region;
};
Names<UserRegion> regions;
Region moreNames("(more names)", format::Group::kPhase);

void emitRegion(Kind kind, const char* name) {
  if (name == nullptr || !adapterEnabled(Adapter::kUser)) return;
  Instant instant;
  if (!instant) return;
  UserRegion* entry = regions.obtain(name, [](UserRegion* fresh, const char* copy) {
    new (&fresh->region) Region(copy, format::Group::kPhase);
  });
  if (entry == nullptr) {
    note("The program has more than 65536 names of phases and marks: further names are recorded as "
        "\"(more names)\". Use a metric to record numbers.");
  }
  instant.emit(kind, entry != nullptr ? entry->region.id() : moreNames.id());
  if (kind != Kind::kMark) emitThreadCounters(instant.thread(), instant.ticks());
}

// ----------------------------------------------------------------- metrics

struct Metric : Name {
  uint32_t id;
  format::MetricKind kind;
  format::MetricType type;
  char unit[32];
};
Names<Metric> metrics;
std::atomic<uint32_t> metricCount{0};
constexpr uint32_t kMostMetrics = 1024;
std::atomic<Metric*> metricsById[kMostMetrics + 1];

void writeDefinition(const Metric& m) {
  define(format::MetricRecord{m.id, m.kind, m.type, m.text, m.unit});
}

void redefineMetrics() {
  metrics.forEach([](const Metric& m) {
    if (m.id <= kMostMetrics) writeDefinition(m);
  });
}

uint32_t defineMetric(const char* name, const char* unit, int kind, int type) {
  Metric* metric = metrics.obtain(name, [&](Metric* fresh, const char* copy) {
    fresh->text = copy;
    fresh->id = metricCount.fetch_add(1, std::memory_order_relaxed) + 1;
    fresh->kind = kind == 1 ? format::MetricKind::kCounter : format::MetricKind::kGauge;
    fresh->type = type == 1 ? format::MetricType::kDouble : format::MetricType::kUnsigned;
    if (unit != nullptr) memcpy(fresh->unit, unit, strnlen(unit, sizeof fresh->unit - 1));
    if (fresh->id <= kMostMetrics) {
      writeDefinition(*fresh);
      metricsById[fresh->id].store(fresh, std::memory_order_release);
    }
  });
  onRedefinition(redefineMetrics);
  return metric != nullptr && metric->id <= kMostMetrics ? metric->id : 0;
}

template <class Number>
void emitValue(uint32_t id, Number value) {
  if (id == 0 || id > kMostMetrics) return;
  const Metric* metric = metricsById[id].load(std::memory_order_acquire);
  if (metric == nullptr) return;
  Instant instant;
  if (!instant) return;
  uint64_t bits;
  if (metric->type == format::MetricType::kDouble) {
    const auto number = static_cast<double>(value);
    memcpy(&bits, &number, sizeof bits);
  } else {
    constexpr double kEnd = 18446744073709551616.0;  // not-a-number and less than 0 become 0
    const auto number = static_cast<double>(value);
    bits = !(number > 0) ? 0 : number >= kEnd ? ~uint64_t{0} : static_cast<uint64_t>(value);
  }
  instant.emit(Kind::kValue, id, {bits & 0xffffffff, bits >> 32});
}

// ---------------------------------------------------------------- barriers

Names<UserRegion> barrierNames;
Region otherBarriers("(more barriers)", format::Group::kUser);

Region& barrierRegion(const char* name) {
  if (name == nullptr) return otherBarriers;
  UserRegion* entry = barrierNames.obtain(name, [](UserRegion* fresh, const char* copy) {
    new (&fresh->region) Region(copy, format::Group::kUser);
  });
  return entry != nullptr ? entry->region : otherBarriers;
}

// Arrivals are counted before the wait, as those of pthread_barrier are: nobody arrives for the
// next generation before all have arrived for this one.
void waitAtBarrier(const char* name, const void* barrier, unsigned participants,
                   void (*wait)(void*), void* argument) {
  if (participants == 0 || !adapterEnabled(Adapter::kUser) || !recording()) {
    wait(argument);
    return;
  }
  Call call(barrierRegion(name));
  SyncObject* object = syncObject(format::SyncKind::kBarrier, barrier, true);
  if (object == nullptr) {
    wait(argument);
    return;
  }
  const uint64_t generation =
      object->count(Count::kArrivals).fetch_add(1, std::memory_order_acq_rel) / participants;
  const uint32_t id = object->number();
  wait(argument);
  call.returned();
  if (call) call.emit(Kind::kBarrier, id, {generation, participants});
}

}  // namespace

}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT void parallax_agent_phase_begin(const char* name) {
  emitRegion(Kind::kPhaseBegin, name);
}
PARALLAX_EXPORT void parallax_agent_phase_end(const char* name) {
  emitRegion(Kind::kPhaseEnd, name);
}
PARALLAX_EXPORT void parallax_agent_mark(const char* name) { emitRegion(Kind::kMark, name); }

PARALLAX_EXPORT void parallax_agent_pause() {
  if (adapterEnabled(Adapter::kUser)) switchOwn(true);
}
PARALLAX_EXPORT void parallax_agent_resume() { switchOwn(false); }

PARALLAX_EXPORT unsigned parallax_agent_define(const char* name, const char* unit, int kind,
                                               int type) {
  if (name == nullptr || !adapterEnabled(Adapter::kUser)) return 0;
  Guard guard;
  return guard ? defineMetric(name, unit, kind, type) : 0;
}
PARALLAX_EXPORT void parallax_agent_set_uint64(unsigned metric, unsigned long value) {
  emitValue(metric, value);
}
PARALLAX_EXPORT void parallax_agent_set_double(unsigned metric, double value) {
  emitValue(metric, value);
}
PARALLAX_EXPORT void parallax_agent_barrier(const char* name, const void* barrier,
                                            unsigned participants, void (*wait)(void*),
                                            void* argument) {
  waitAtBarrier(name, barrier, participants, wait, argument);
}
