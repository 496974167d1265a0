#include "bench/peers_costs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "bench/peers_run.h"
#include "bench/peers_stats.h"
#include "bench/peers_tools.h"

namespace parallax::bench {
namespace {

struct Measurement {
  const char* group;
  const char* name;
  Origin origin;
  const char* needs;
  const char* package;
  std::string command;
  const char* least;  // the figures that count, of those that the command prints
  const char* mean;
  long count;         // {count} in the command
  long quickCount;
  double events;
  bool timed;
  bool written;       // what is written grows with the events
  bool standsAlone = false;  // nothing but the events: no call of the program's in it
};

std::string events(const char* build, const char* what) {
  return std::string("{build}/programs/bench_events") + build + " " + what + " {count}";
}

std::vector<Measurement> measurements() {
  constexpr char kLeast[] = "least_ns", kMean[] = "mean_ns";
  constexpr long kMany = 2000000, kSome = 400000, kFew = 2000;
  const std::string pairs =
      "env PARALLAX_TRACE={out} PARALLAX_SAMPLE_HZ=0 {build}/parallax-bench-agent --pairs {count}";
  const std::string record = "{build}/parallax-record --quiet --no-calibration --sample-hz 0 -o {out}/trace -- ";
  const std::string functions = "{build}/parallax-record --quiet --no-calibration --sample-hz 0 -o {out}/trace ";
  const std::string everyFunction = functions + "--throttle off -- ";
  const std::string throttled = functions + "--throttle 100:10000000 -- ";
  const std::string filtered = "echo exclude function empty_function > {out}/filter && " +
                               functions + "--filter {out}/filter -- ";
  const std::string sends = "{build}/programs/mpi_bench.openmpi {count}";
  const auto preload = [](const char* library, const std::string& program) {
    return inLttngSession("env LD_PRELOAD=" + std::string(library) + " " + program);
  };
  return {
      {kFunctionGroup, "plain", Origin::kPlain, "sh", "", events(kPlain, "calls"), kLeast, kMean,
       kMany, kFew, 0, false, false},
      {kFunctionGroup, kOursWithoutPath, Origin::kOurs, "{build}/parallax-bench-agent", "", pairs,
       "pair_least_ns", "pair_mean_ns", kMany, kFew, 2, true, true, true},
      {kFunctionGroup, kOursAfterWait, Origin::kOurs,
       "{build}/parallax-bench-agent", "", pairs, "waiting_pair_least_ns", "waiting_pair_mean_ns",
       kMany, kFew, 2, true, true, true},
      {kFunctionGroup, "Parallax, with its call path", Origin::kOurs,
       "{build}/parallax-bench-agent", "", pairs, "path_pair_least_ns", "path_pair_mean_ns",
       kMany, kFew, 2, true, true, true},
      {kFunctionGroup, "Parallax, -finstrument-functions", Origin::kOurs,
       "{build}/parallax-record", "", everyFunction + events(kFunctionHooks, "calls"), kLeast,
       kMean, kMany, kFew, 2, true, true},
      {kFunctionGroup, "Parallax, function that is throttled", Origin::kOurs,
       "{build}/parallax-record", "", throttled + events(kFunctionHooks, "calls"), kLeast, kMean,
       kMany, kFew, 0, false, false},
      {kFunctionGroup, "Parallax, function that is filtered", Origin::kOurs,
       "{build}/parallax-record", "", filtered + events(kFunctionHooks, "calls"), kLeast, kMean,
       kMany, kFew, 0, false, false},
      {kFunctionGroup, "uftrace, -pg", Origin::kPeer, "uftrace", "uftrace",
       "uftrace record -d {out}/trace " + events(kGprofHooks, "calls"), kLeast, kMean, kSome, kFew,
       2, true, true},
      {kFunctionGroup, "uftrace, -finstrument-functions", Origin::kPeer, "uftrace", "uftrace",
       "uftrace record -d {out}/trace " + events(kFunctionHooks, "calls"), kLeast, kMean, kSome,
       kFew, 2, true, true},
      {kFunctionGroup, "LTTng-UST, -finstrument-functions", Origin::kPeer, "lttng-sessiond",
       "lttng-tools",
       preload("liblttng-ust-cyg-profile-fast.so.1", events(kFunctionHooks, "calls")), kLeast,
       kMean, kSome, kFew, 2, true, true},
      {kFunctionGroup, "LTTng-UST, tracepoints", Origin::kPeer, "{build}/parallax-bench-lttng",
       "liblttng-ust-dev", inLttngSession("{build}/parallax-bench-lttng {count}"), kLeast, kMean,
       kSome, kFew, 2, true, true, true},
      {kFunctionGroup, "OTF2 writer, with rdtsc", Origin::kPeer, "{build}/parallax-bench-otf2",
       "libotf2-trace-dev", "{build}/parallax-bench-otf2 {out}/trace {count}", kLeast, kMean,
       kMany, kFew, 2, true, true, true},
      {kFunctionGroup, "gprof: a counter, no events", Origin::kPeer, "gprof", "binutils",
       "env GMON_OUT_PREFIX={out}/gmon " + events(kGprofHooks, "calls"), kLeast, kMean, kMany,
       kFew, 1, false, false},
      {kLockGroup, "plain", Origin::kPlain, "sh", "", events(kPlain, "locks"), kLeast, kMean,
       kMany, kFew, 0, false, false},
      {kLockGroup, kOurs, Origin::kOurs, "{build}/parallax-record", "",
       record + events(kPlain, "locks"), kLeast, kMean, kMany, kFew, 2, true, true},
      {kLockGroup, kEztrace, Origin::kPeer, "eztrace", "eztrace",
       "eztrace -o {out}/trace -t pthread " + events(kPlain, "locks"), kLeast, kMean, kSome, kFew,
       2, true, true},
      {kLockGroup, "LTTng-UST", Origin::kPeer, "lttng-sessiond", "lttng-tools",
       preload("liblttng-ust-pthread-wrapper.so.1", events(kPlain, "locks")), kLeast, kMean, kSome,
       kFew, 3, true, true},
      {kLockGroup, "uftrace, -pg", Origin::kPeer, "uftrace", "uftrace",
       "uftrace record -d {out}/trace " + events(kGprofHooks, "locks"), kLeast, kMean, kSome, kFew,
       4, true, true},
      {kSendGroup, "plain", Origin::kPlain, "mpirun.openmpi", "openmpi-bin", "{launch}" + sends,
       "send", "send", 4000, 20, 0, false, false},
      {kSendGroup, kOurs, Origin::kOurs, "mpirun.openmpi", "openmpi-bin",
       record + "{launch}" + sends, "send", "send", 4000, 20, 3, true, false},
      {kSendGroup, kEztrace, Origin::kPeer, "eztrace", "eztrace",
       "{launch}eztrace -o {out}/trace -t openmpi " + sends, "send", "send", 1000, 20, 3, true,
       false},
  };
}

// Everything that was printed, over the rounds.
struct Samples {
  std::vector<double> least, mean, bytes, clockBegin, clockEnd;
  std::string failure;
  bool missing = false;
};

void measureOnce(const Measurement& m, bool quick, const std::string& scratch, Samples* samples) {
  const std::string out = scratch + "/output";
  const long count = quick ? m.quickCount : m.count;
  mkdir(out.c_str(), 0755);
  std::string command = filledIn(m.command, true, "", out);
  const size_t at = command.find("{count}");
  if (at != std::string::npos) command.replace(at, 7, std::to_string(count));
  constexpr int kSeconds = 60;
  const Run run = runCommand(command, scratch, kSeconds);
  const auto figure = [&](const char* name) {
    const auto found = run.figures.find(name);
    return found == run.figures.end() ? -1.0 : found->second;
  };
  if (!run.failure.empty()) {
    samples->failure = run.failure;
  } else if (figure(m.least) < 0) {
    samples->failure = "it printed no figures";
  } else {
    samples->least.push_back(figure(m.least));
    samples->mean.push_back(figure(m.mean));
    if (figure("clock_begin_ns") > 0) samples->clockBegin.push_back(figure("clock_begin_ns"));
    if (figure("clock_end_ns") > 0) samples->clockEnd.push_back(figure("clock_end_ns"));
    double made = figure("events");
    if (made < 0) made = figure("count") * m.events;
    if (m.written && made > 0) {
      samples->bytes.push_back(static_cast<double>(sizeOfTree(out)) / made);
    }
  }
  std::filesystem::remove_all(out);
}

double leastOf(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
}

}  // namespace

const Cost* Costs::find(const std::string& group, const std::string& name) const {
  for (const Cost& row : rows) {
    if (row.group == group && row.name == name && row.failure.empty()) return &row;
  }
  return nullptr;
}

Costs measureCosts(int rounds, bool quick, const std::string& scratch, unsigned seed,
                   const std::string& lockFile) {
  const std::vector<Measurement> all = measurements();
  std::vector<Samples> samples(all.size());
  std::vector<size_t> order;
  for (size_t i = 0; i < all.size(); i++) {
    samples[i].failure = missingTool(all[i].needs, all[i].package);
    samples[i].missing = !samples[i].failure.empty();
    if (!samples[i].missing) order.push_back(i);
  }
  std::mt19937 random(seed);
  for (int round = 0; round < rounds; round++) {
    std::shuffle(order.begin(), order.end(), random);
    for (const size_t i : order) {
      if (!samples[i].failure.empty()) continue;
      const Turn turn(lockFile);
      measureOnce(all[i], quick, scratch, &samples[i]);
    }
  }

  Costs costs;
  double plainLeast = 0, plainMean = 0;
  for (size_t i = 0; i < all.size(); i++) {
    const Measurement& m = all[i];
    const Samples& s = samples[i];
    Cost row{m.group, m.name, m.origin, m.events, m.timed, s.missing, s.failure};
    if (s.failure.empty()) {
      row.leastNs = leastOf(s.least);
      row.meanNs = median(s.mean);
      row.bytes = s.bytes.empty() ? 0 : median(s.bytes);
      if (!s.clockBegin.empty()) costs.clockBeginNs = leastOf(s.clockBegin);
      if (!s.clockEnd.empty()) costs.clockEndNs = leastOf(s.clockEnd);
    }
    if (m.origin == Origin::kPlain) {
      plainLeast = row.leastNs;
      plainMean = row.meanNs;
    } else if (s.failure.empty() && !m.standsAlone) {
      row.leastNs -= plainLeast;
      row.meanNs -= plainMean;
    }
    costs.rows.push_back(row);
  }
  return costs;
}

}  // namespace parallax::bench
