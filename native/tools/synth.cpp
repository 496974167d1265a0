#include "tools/synth.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tools/synth_thread.h"

namespace parallax::synth {

using namespace format;

namespace {

constexpr uint32_t kWorld = 1;        // communicator
constexpr uint32_t kMutexObject = 1, kBarrierObject = 2;
constexpr uint32_t kRanksPerMachine = 4;
constexpr uint64_t kLatencyNs = 2'000;
constexpr uint64_t kCallNs = 400;     // a call that does not wait
constexpr uint64_t kRealtimeNs = 1'790'000'000'000'000'000;
enum Tag : uint32_t { kToRight = 1, kToLeft = 2, kShift = 3, kToken = 4 };

std::string isoTime(uint64_t ns) {
  const auto seconds = static_cast<time_t>((kRealtimeNs + ns) / 1'000'000'000);
  struct tm parts;
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &parts));
  return text;
}

uint64_t transferNs(uint64_t bytes) { return kLatencyNs + bytes / 10; }

class Run {
 public:
  Run(const Options& options, Truth* truth) : options_(options), truth_(*truth) {}
  std::string write();

 private:
  struct Rank {
    std::string name;  // HOST.PID.SEQ
    std::string host;
    MachineClock clock{};
    std::unique_ptr<DefinitionsWriter> definitions;
    std::vector<std::unique_ptr<SynthThread>> threads;
    uint64_t request = 0;
    uint64_t arrivalNs[5] = {};  // of the message last sent to it, by tag
    uint64_t bytes[5] = {};
  };

  void begin();
  void define(uint32_t rank, Random* random);
  void end();
  std::string finishFiles();

  void ringStep();
  void barrierStep();
  void mixedStep();
  void work(uint32_t rank, uint64_t unitNs);
  void threadsMeet(uint32_t rank);
  void send(uint32_t rank, uint32_t to, Tag tag, uint64_t bytes);
  void receive(uint32_t rank, uint32_t from, Tag tag);
  void exchangeHalos();
  void collective(Routine routine, Collective op, uint64_t bytes);
  void closeStep();

  SynthThread& main(uint32_t rank) { return *ranks_[rank].threads[0]; }
  uint32_t right(uint32_t rank) const { return (rank + 1) % options_.processes; }
  uint32_t left(uint32_t rank) const {
    return (rank + options_.processes - 1) % options_.processes;
  }

  const Options& options_;
  Truth& truth_;
  Program program_;
  std::vector<Rank> ranks_;
  uint64_t step_ = 0;
  uint64_t sequence_ = 0;    // of collectives
  uint64_t generation_ = 0;  // of the threads' barrier
  std::vector<uint64_t> lockSequence_, lockFreeNs_;
};

std::string Run::write() {
  if (mkdir(options_.directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return "cannot create " + options_.directory + ": " + strerror(errno);
  }
  struct stat status;
  if (stat((options_.directory + "/manifest").c_str(), &status) == 0) {
    return options_.directory + " holds a trace already: remove it or name another directory";
  }
  begin();
  while (truth_.events < options_.events) {
    switch (options_.pattern) {
      case Pattern::kRing: ringStep(); break;
      case Pattern::kBarrier: barrierStep(); break;
      case Pattern::kMixed: mixedStep(); break;
    }
    closeStep();
    // A full disk must not be noticed only after an hour.
    if (step_ % 1024 == 0) {
      for (uint32_t r = 0; r < options_.processes; r++) {
        if (!main(r).error().empty()) return main(r).error();
      }
    }
  }
  end();
  return finishFiles();
}

void Run::begin() {
  Random random(options_.seed);
  ranks_.resize(options_.processes);
  lockSequence_.resize(options_.processes);
  lockFreeNs_.resize(options_.processes);
  for (uint32_t r = 0; r < options_.processes; r++) {
    Rank& rank = ranks_[r];
    const uint64_t machine = r / kRanksPerMachine;
    rank.host = "node-" + std::to_string(machine + 1);
    rank.name = processFileName(rank.host, 4000 + r, 0);
    rank.clock = {2 + machine % 2, 1'000'000'000'000u * (machine + 3),
                  50'000'000'000u * (machine + 1)};
    const uint64_t startNs = 1000 * r;
    for (uint32_t t = 0; t < options_.threads; t++) {
      rank.threads.push_back(std::make_unique<SynthThread>(
          program_, rank.clock,
          options_.directory + "/" + rank.name + "." + std::to_string(t) + ".evt", t,
          startNs + t * 10'000, random.next()));
    }
    define(r, &random);
    SynthThread& first = main(r);
    first.event(Kind::kThreadBegin, 0, {0});
    for (uint32_t t = 1; t < options_.threads; t++) {
      SynthThread& worker = *rank.threads[t];
      first.compute(worker.nowNs - first.nowNs);
      first.enter(kCreate);
      const uint64_t sinceNs = first.nowNs;
      first.event(Kind::kThreadCreate, 0, {t});
      first.nowNs += kCallNs;
      first.leave(kCreate, sinceNs);
      worker.nowNs += kCallNs;
      worker.event(Kind::kThreadBegin, 0, {1});
    }
  }
  collective(kMpiInit, Collective::kInit, 0);
}

void Run::define(uint32_t r, Random* random) {
  Rank& rank = ranks_[r];
  const uint64_t startNs = main(r).nowNs;
  rank.definitions =
      std::make_unique<DefinitionsWriter>(options_.directory + "/" + rank.name + ".def");
  DefinitionsWriter& definitions = *rank.definitions;
  ProcessRecord process;
  process.startTicks = rank.clock.ticks(startNs);
  process.monotonicNs = rank.clock.monotonicNs(startNs);
  process.realtimeNs = kRealtimeNs + startNs;
  process.tickHz = rank.clock.ticksPerNs * 1'000'000'000;
  process.pid = 4000 + r;
  process.parentPid = 3999;
  process.clock = Clock::kTsc;
  process.cpuClock = CpuClock::kPerfPage;
  process.sampleHz = 1'000'000'000 / kSamplePeriodNs;
  process.host = rank.host;
  process.executable = "/opt/synth/bin/solver";
  process.command = "solver";
  process.directory = "/home/user";
  definitions.add(process);
  for (uint32_t t = 0; t < options_.threads; t++) {
    ThreadRecord thread;
    thread.thread = t;
    thread.kernelTid = 4000 + r + 1000 * t;
    thread.creatorPlusOne = t == 0 ? 0 : 1;
    thread.ticks = rank.clock.ticks(rank.threads[t]->nowNs);
    thread.name = t == 0 ? "solver" : "worker";
    definitions.add(thread);
  }
  program_.define(&definitions, process.startTicks, random);
  MpiRecord mpi;
  mpi.job = Random(options_.seed).next() >> 1;
  mpi.worldRank = r;
  mpi.worldSize = options_.processes;
  mpi.library = "synthetic";
  definitions.add(mpi);
  const RankRun world = {0, 1, options_.processes};
  CommunicatorRecord communicator;
  communicator.communicator = kWorld;
  communicator.size = options_.processes;
  communicator.globalId = 0x5eed;
  communicator.ownRank = r;
  communicator.runs = {&world, 1, 0};
  communicator.name = "MPI_COMM_WORLD";
  definitions.add(communicator);
  for (const uint32_t object : {kMutexObject, kBarrierObject}) {
    SyncObjectRecord record;
    record.object = object;
    record.kind = object == kMutexObject ? SyncKind::kMutex : SyncKind::kBarrier;
    record.address = 0x7ffd00000000 + 0x40 * object;
    definitions.add(record);
  }
}

// Some work of one rank with user regions in it, shared by its threads.
void Run::work(uint32_t r, uint64_t unitNs) {
  for (auto& thread : ranks_[r].threads) {
    SynthThread& t = *thread;
    for (int i = 0; i < 12; i++) {
      t.compute(unitNs / 2 + t.random.below(unitNs));
      // One of them calls another.
      if (i % 4 == 0) {
        t.enter(kExchange);
        const uint64_t beforeNs = t.nowNs;
        t.nowNs += 1 + t.random.below(unitNs / 4);
        const uint64_t ownNs = t.nowNs - beforeNs;
        t.call(kSmooth, 1 + t.random.below(unitNs / 2));
        t.leave(kExchange, t.nowNs - ownNs);
      } else {
        t.call(kUserRoutines[1 + i % 3], 1 + t.random.below(unitNs / 2));
      }
    }
  }
  if (options_.threads > 1) threadsMeet(r);
}

// All threads of a rank take the mutex in the order of their arrival, then meet at a barrier.
void Run::threadsMeet(uint32_t r) {
  auto& threads = ranks_[r].threads;
  std::vector<SynthThread*> order;
  for (auto& thread : threads) order.push_back(thread.get());
  std::stable_sort(order.begin(), order.end(),
                   [](const SynthThread* a, const SynthThread* b) { return a->nowNs < b->nowNs; });
  for (SynthThread* t : order) {
    const bool waited = lockFreeNs_[r] > t->nowNs;
    t->enter(kLock);
    const uint64_t sinceNs = t->nowNs;
    t->nowNs += 50;
    t->waitUntil(lockFreeNs_[r]);
    t->event(Kind::kAcquire, kMutexObject, {sequenceAndWaited(++lockSequence_[r], waited)});
    t->leave(kLock, sinceNs);
    t->compute(2'000 + t->random.below(2'000));
    t->event(Kind::kRelease, kMutexObject, {lockSequence_[r]});
    lockFreeNs_[r] = t->nowNs;
  }
  uint64_t lastNs = 0;
  for (SynthThread* t : order) lastNs = std::max(lastNs, t->nowNs);
  for (SynthThread* t : order) {
    t->enter(kBarrierWait);
    const uint64_t sinceNs = t->nowNs;
    t->waitUntil(lastNs + 300);
    t->event(Kind::kBarrier, kBarrierObject, {generation_, options_.threads});
    t->leave(kBarrierWait, sinceNs);
  }
}

void Run::send(uint32_t r, uint32_t to, Tag tag, uint64_t bytes) {
  SynthThread& t = main(r);
  t.enter(kMpiSend);
  t.event(Kind::kSend, kWorld, {peerAndTag(to, tag), bytes});
  const uint64_t sinceNs = t.nowNs;
  ranks_[to].arrivalNs[tag] = t.nowNs + transferNs(bytes);
  ranks_[to].bytes[tag] = bytes;
  t.nowNs += kCallNs + t.random.below(kCallNs);
  t.leave(kMpiSend, sinceNs);
  truth_.messages++;
  truth_.bytes += bytes;
}

void Run::receive(uint32_t r, uint32_t from, Tag tag) {
  SynthThread& t = main(r);
  t.enter(kMpiRecv);
  const uint64_t sinceNs = t.nowNs;
  t.nowNs += kCallNs;
  t.waitUntil(ranks_[r].arrivalNs[tag]);
  t.event(Kind::kReceive, kWorld, {peerAndTag(from, tag), ranks_[r].bytes[tag]});
  t.leave(kMpiRecv, sinceNs);
}

// Each rank posts two receives, sends to both neighbours and waits for both.
void Run::exchangeHalos() {
  for (uint32_t r = 0; r < options_.processes; r++) {
    SynthThread& t = main(r);
    for (const Tag tag : {kToRight, kToLeft}) {
      t.enter(kMpiIrecv);
      const uint64_t sinceNs = t.nowNs;
      t.event(Kind::kReceivePost, kWorld,
              {peerAndTag(tag == kToRight ? left(r) : right(r), tag), ++ranks_[r].request});
      t.nowNs += kCallNs;
      t.leave(kMpiIrecv, sinceNs);
    }
    const uint64_t bytes = 8 * (1024 + t.random.below(4096));
    send(r, right(r), kToRight, bytes);
    send(r, left(r), kToLeft, bytes + 64);
  }
  for (uint32_t r = 0; r < options_.processes; r++) {
    Rank& rank = ranks_[r];
    SynthThread& t = main(r);
    t.enter(kMpiWaitall);
    const uint64_t sinceNs = t.nowNs;
    t.nowNs += kCallNs;
    t.waitUntil(std::max(rank.arrivalNs[kToRight], rank.arrivalNs[kToLeft]));
    t.event(Kind::kReceive, kWorld,
            {peerAndTag(left(r), kToRight), rank.bytes[kToRight], rank.request - 1});
    t.event(Kind::kReceive, kWorld,
            {peerAndTag(right(r), kToLeft), rank.bytes[kToLeft], rank.request});
    t.leave(kMpiWaitall, sinceNs);
  }
}

void Run::collective(Routine routine, Collective op, uint64_t bytes) {
  uint64_t lastNs = 0;
  for (uint32_t r = 0; r < options_.processes; r++) lastNs = std::max(lastNs, main(r).nowNs);
  for (uint32_t r = 0; r < options_.processes; r++) {
    SynthThread& t = main(r);
    t.enter(routine);
    const uint64_t sinceNs = t.nowNs;
    t.waitUntil(lastNs + 2 * kLatencyNs + t.random.below(kLatencyNs));
    t.event(Kind::kCollective, kWorld, {opAndRoot(op, kNoRoot), bytes, bytes, sequence_});
    t.leave(routine, sinceNs);
  }
  sequence_++;
  truth_.collectives++;
}

// One hop of a token: only one rank works at a time, so the critical path follows it.
void Run::ringStep() {
  const auto r = static_cast<uint32_t>(step_ % options_.processes);
  if (step_ > 0 && options_.processes > 1) receive(r, left(r), kToken);
  work(r, 20'000);
  if (options_.processes > 1) send(r, right(r), kToken, 64 * 1024);
}

// Rank 0 works twice as long as the others before each barrier.
void Run::barrierStep() {
  for (uint32_t r = 0; r < options_.processes; r++) work(r, r == 0 ? 80'000 : 40'000);
  collective(kMpiBarrier, Collective::kBarrier, 0);
}

void Run::mixedStep() {
  for (uint32_t r = 0; r < options_.processes; r++) {
    work(r, 60'000 + 2'000 * ((r * 7 + step_) % 11));
  }
  if (options_.processes > 1) {
    exchangeHalos();
    if (step_ % 4 == 3) {
      for (uint32_t r = 0; r < options_.processes; r++) send(r, right(r), kShift, 1 << 17);
      for (uint32_t r = 0; r < options_.processes; r++) receive(r, left(r), kShift);
    }
  }
  if (step_ % 10 == 9) collective(kMpiAllreduce, Collective::kAllreduce, 8);
  if (step_ % 100 == 99) collective(kMpiBarrier, Collective::kBarrier, 0);
}

void Run::closeStep() {
  step_++;
  generation_++;
  truth_.events = 0;
  for (const Rank& rank : ranks_) {
    for (const auto& thread : rank.threads) truth_.events += thread->eventCount();
  }
}

void Run::end() {
  if (options_.pattern == Pattern::kRing && options_.processes > 1 && step_ > 0) {
    // The token that is still under way.
    const auto r = static_cast<uint32_t>(step_ % options_.processes);
    receive(r, left(r), kToken);
  }
  collective(kMpiFinalize, Collective::kFinalize, 0);
  for (Rank& rank : ranks_) {
    SynthThread& first = *rank.threads[0];
    for (uint32_t t = 1; t < options_.threads; t++) {
      SynthThread& worker = *rank.threads[t];
      worker.compute(1'000);
      worker.event(Kind::kThreadEnd);
      first.enter(kJoin);
      const uint64_t sinceNs = first.nowNs;
      first.nowNs += kCallNs;
      first.waitUntil(worker.nowNs + 100);
      first.event(Kind::kThreadJoin, 0, {t});
      first.leave(kJoin, sinceNs);
    }
    first.compute(10'000);
    first.event(Kind::kThreadEnd);
    truth_.elapsedNs = std::max(truth_.elapsedNs, first.nowNs);
  }
}

std::string Run::finishFiles() {
  std::string error;
  truth_.events = 0;
  for (uint32_t r = 0; r < options_.processes; r++) {
    for (uint32_t i = 0; i < options_.threads; i++) {
      SynthThread& t = *ranks_[r].threads[i];
      t.close();
      if (error.empty()) error = t.error();
      truth_.events += t.eventCount();
      truth_.samples += t.sampleCount();
      if (r != 0) continue;
      truth_.unsampledNs += t.outsideNs();
      truth_.threadNs += t.outsideNs();
      for (uint32_t path = 1; path < program_.pathCount(); path++) {
        const uint64_t ns = t.exclusiveNs()[path];
        if (ns > 0) truth_.exclusiveNs[program_.procedureOf(path)] += ns;
        truth_.threadNs += ns;
      }
    }
    Rank& rank = ranks_[r];
    ProcessEndRecord end;
    const uint64_t endNs = main(r).nowNs;
    end.ticks = rank.clock.ticks(endNs);
    end.monotonicNs = rank.clock.monotonicNs(endNs);
    end.cpuNs = endNs;
    rank.definitions->add(end);
    rank.definitions->close();
    if (error.empty()) error = rank.definitions->error();
  }
  if (error.empty()) error = replaceFile(options_.directory + "/symbols", program_.symbols());
  const std::string ranks = std::to_string(options_.processes);
  if (error.empty()) {
    error = writeManifest(options_.directory,
                          {{"run", "5eed0000000000000000000000000000"},
                           {"created", isoTime(0)},
                           {"host", "node-1"},
                           {"directory", "/home/user"},
                           {"command", "mpirun -n " + ranks + " solver"},
                           {"agent", "synthetic"},
                           {"sample-hz", "100"},
                           {"tick-hz", "2000000000"},
                           {"ended", isoTime(truth_.elapsedNs)},
                           {"elapsed-ns", std::to_string(truth_.elapsedNs)},
                           {"exit-status", "0"}});
  }
  return error;
}

}  // namespace

std::string writeTrace(const Options& options, Truth* truth) {
  *truth = Truth{};
  return Run(options, truth).write();
}

}  // namespace parallax::synth
