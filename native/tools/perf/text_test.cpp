// The text of `perf script`, with planted answers.
#include <random>

#include "tools/perf/perf_look_test.h"
#include "tools/perf/recording.h"
#include "tools/perf/text_line.h"

namespace parallax::perf {
namespace {

constexpr char kTwoThreads[] =
    "# ========\n"
    "# captured on    : Sat Nov 28 13:25:11 2026\n"
    "# hostname : node7\n"
    "# ========\n"
    "#\n"
    "my app   100/100    10.001000:    1000000 cpu-clock:ppp: \n"
    "\t            1194 inner<int, (anonymous namespace)::X>+0x2b (/opt/my dir/app (deleted))\n"
    "\t            11f5 outer(int)+0x18 (/opt/my dir/app (deleted))\n"
    "\t           2724a main+0x7a (/opt/my dir/app (deleted))\n"
    "\n"
    "my app   100/100    10.002000:    1000000 cpu-clock:ppp: \n"
    "\t            1194 helper+0x2b (inlined)\n"
    "\t            1194 inner<int, (anonymous namespace)::X>+0x10 (/opt/my dir/app (deleted))\n"
    "\t           2724a main+0x7a (/opt/my dir/app (deleted))\n"
    "\n"
    "worker 3 100/101 [002] 10.003000:    1000000 cpu-clock:ppp: \n"
    "\t    7f0000001194 [unknown] (/usr/lib/libx.so)\n"
    "\tffffffff81000130 entry_SYSCALL_64_after_hwframe+0x76 ([kernel.kallsyms])\n"
    "\n"
    "my app   100/100    10.010000:    2000000 cpu-clock:ppp: \n"
    "\t            1194 inner<int, (anonymous namespace)::X>+0x3b (/opt/my dir/app (deleted))\n"
    "\t            11f5 outer(int)+0x18 (/opt/my dir/app (deleted))\n"
    "\t           2724a main+0x7a (/opt/my dir/app (deleted))\n"
    "\n"
    "my app   100/100    10.010500:         32 page-faults: \n"
    "\t           2724a main+0x7a (/opt/my dir/app (deleted))\n"
    "\n"
    "my app   100/100    10.011000:          8 page-faults: \n"
    "\n";

TEST_F(Perf, ASampleStandsForItsPeriodAndTheRestIsWithoutAProcessor) {
  const Imported trace = imported(kTwoThreads);
  const std::string app = "my app/my app 100", worker = "my app/worker 3 101";
  const std::map<std::string, uint64_t> expected = {
      {app + ": main;outer(int);inner<int, (anonymous namespace)::X>", 3'000'000},
      {app + ": main;inner<int, (anonymous namespace)::X>;helper", 1'000'000},
      {worker + ": entry_SYSCALL_64_after_hwframe;[unknown]", 1'000'000}};
  EXPECT_EQ(expected, trace.cpuNs);
  EXPECT_EQ(6'000'000u + 1'000'000, trace.lostNs.at(app));  // before the last sample, and after it
  EXPECT_EQ(11'000'000u, trace.wallNs.at(app));
  EXPECT_EQ(40u, trace.totals.at(app + ": page-faults"));
  EXPECT_TRUE(trace.reports("record\tcpu-clock:ppp\t4\t0"));
  EXPECT_TRUE(trace.reports("record\tpage-faults\t2\t0"));
  EXPECT_TRUE(trace.warns("1 samples have no call path")) << trace.report;
  EXPECT_TRUE(trace.warns("samples stand for 41.7 % of the threads' time")) << trace.report;
  EXPECT_NE(std::string::npos, trace.dump.find("node7"));
}

// Timers are late, and the next sample comes earlier: nothing gets lost, and no time without a processor is made up.
TEST_F(Perf, LateSamplesMoveNoTime) {
  std::string text;
  uint64_t us = 1'000'000;
  std::mt19937 random(7);
  for (int i = 0; i < 1000; i++) {
    char line[128];
    us += 1000;
    snprintf(line, sizeof line, "a 1/1 %llu.%06llu:    1000000 task-clock: \n\t 1 f (x)\n\n",
             static_cast<unsigned long long>((us + random() % 40) / 1'000'000),
             static_cast<unsigned long long>((us + random() % 40) % 1'000'000));
    text += line;
  }
  const Imported trace = imported(text);
  EXPECT_NEAR(1e9, static_cast<double>(trace.cpuNs.at("a/a 1: f")), 40'000);
  EXPECT_LE(trace.lostNs.count("a/a 1") == 0 ? 0 : trace.lostNs.at("a/a 1"), 40'000u);
}

TEST_F(Perf, ProcessorEventsCountAsTheTimeBetweenThem) {
  std::string text;
  for (int i = 1; i <= 20; i++) {  // 3 cycles in a nanosecond
    const int ms = i <= 10 ? i : i + 100;
    text += "a 1/1 5." + std::to_string(100'000 + ms * 1000).substr(0, 6) + ":    3000000 cycles:u: \n\t 1 " +
            (i % 2 == 0 ? "even" : "odd") + " (x)\n\n";
  }
  const Imported trace = imported(text);
  EXPECT_EQ(10'000'000u, trace.cpuNs.at("a/a 1: even"));
  EXPECT_EQ(10'000'000u, trace.cpuNs.at("a/a 1: odd"));
  EXPECT_EQ(100'000'000u, trace.lostNs.at("a/a 1"));
  EXPECT_TRUE(trace.warns("1 cycles:u counts as 0.3333 ns")) << trace.report;
}

TEST_F(Perf, ContextSwitchesTellStates) {
  const Imported trace = imported(
      "a 1/1 [000] 1.000000: sched:sched_switch: prev_comm=b b prev_pid=2 prev_prio=120 prev_state=R+ ==> next_comm=a next_pid=1 next_prio=120\n"
      "b b 2/2 [000] 1.000000: sched:sched_switch: prev_comm=b b prev_pid=2 prev_prio=120 prev_state=R+ ==> next_comm=a next_pid=1 next_prio=120\n"
      "a 1/1 [000] 1.004000: sched:sched_switch: a:1 [120] S ==> b b:2 [120]\n"
      "\t 1 read (libc)\n\t 2 main (a)\n\n"
      "b b 2/2 [000] 1.007000: sched:sched_wakeup: comm=a pid=1 prio=120 target_cpu=000\n"
      "b b 2/2 [000] 1.009000: sched:sched_switch: prev_comm=b b prev_pid=2 prev_prio=120 prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n"
      "a 1/1 [000] 1.010000: sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=D ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
      "\t 1 read (libc)\n\t 2 main (a)\n\n");
  EXPECT_EQ(5'000'000u, trace.cpuNs.at("a/a 1: main;read"));
  EXPECT_EQ(5'000'000u, trace.lostNs.at("a/a 1"));
  EXPECT_EQ(2'000'000u, trace.runnableNs.at("a/a 1"));
  EXPECT_EQ(4'000'000u, trace.lostNs.at("b b/b b 2"));
  EXPECT_EQ(4'000'000u, trace.runnableNs.at("b b/b b 2"));
}

TEST_F(Perf, TaskEventsTellProcessesThreadsAndLosses) {
  const Imported trace = imported(
      "perf  1204     0.000000: PERF_RECORD_COMM: perf-exec:1204/1204\n"
      "busy  1204 48.000000: PERF_RECORD_COMM exec: busy x:1204/1204\n"
      "busy  1204 48.000100: PERF_RECORD_MMAP2 1204/1204: [0x55(0x1000) @ 0x1000 fe:00 1 2]: r-xp /tmp/busy\n"
      "busy  1204 48.000200: PERF_RECORD_FORK(1204:1205):(1204:1204)\n"
      "busy  1204 48.001000:    1000000 cpu-clock:  1183 inner+0x1a (/tmp/busy)\n"
      "busy  1205 48.002000:    1000000 cpu-clock:  1183 inner+0x1a (/tmp/busy)\n"
      "busy  1204 48.003000: PERF_RECORD_LOST lost 17\n"
      "busy  1205 48.004000: PERF_RECORD_EXIT(1204:1205):(1204:1204)\n");
  EXPECT_EQ(1'000'000u, trace.cpuNs.at("busy/busy 1204: inner")) << trace.report;
  EXPECT_EQ(1'000'000u, trace.cpuNs.at("busy/busy 1205: inner"));
  EXPECT_NE(std::string::npos, trace.dump.find("ThreadCreate"));
  EXPECT_TRUE(trace.warns("17 records were lost")) << trace.report;
  EXPECT_TRUE(trace.reports("record\tPERF_RECORD_MMAP2\t1\t1"));
  EXPECT_FALSE(trace.warns("no numbers of processes"));
}

TEST_F(Perf, WithoutProcessesAndTimesThereIsAWarning) {
  const Imported trace = imported(
      "java 12688 [002] cpu-clock: \n\t 1 f (x)\n\t 2 g (x)\n\n"
      ":-1    -1 [002] cpu-clock: \n\t 1 f (x)\n\n");
  EXPECT_TRUE(trace.warns("no numbers of processes"));
  EXPECT_TRUE(trace.warns("no times"));
  EXPECT_EQ(1u, trace.cpuNs.count("java/java 12688: g;f")) << trace.dump;
}

TEST_F(Perf, EventsWithModifiersHaveTheirFunctionInTheSameLine) {
  const Imported trace = imported(
      "           false 1/1 19115.489713:          1 cycles:u:  ffffffff9b201293 [unknown] ([unknown])\n"
      "           false 1/1 19115.489719:          1 cycles:u:      7fa68b1f2d84 _dl_start+0x4 (/usr/lib/ld-2.31.so)\n");
  EXPECT_EQ(1u, trace.cpuNs.count("false/false 1: _dl_start")) << trace.dump;
  EXPECT_EQ(1u, trace.cpuNs.count("false/false 1: [unknown]"));
}

TEST_F(Perf, DamagedLinesAreToldWithTheirNumber) {
  const Imported trace = imported(std::string(kTwoThreads) + "??? what\n\nmy app   100/100    10.0");
  EXPECT_TRUE(trace.warns(file_ + ", line 30: the line cannot be understood")) << trace.report;
  EXPECT_TRUE(trace.warns("2 lines cannot be understood")) << trace.report;
  EXPECT_EQ(3u, trace.cpuNs.size());
}

TEST_F(Perf, OtherFilesAreRefused) {
  for (const char* text : {"", "hello\n", "# only a comment\n", "a 1/1 5.000000: PERF_RECORD_COMM: a:1/1\n"}) {
    EXPECT_EQ(0u, import(text).find(file_ + " is no file of perf")) << text;
  }
}

// ---- lines

TEST(PerfLines, HeadsHaveManyForms) {
  const auto of = [](const char* line) {
    HeadLine head;
    if (!parseHead(line, &head)) return std::string("none");
    return std::string(head.name) + "|" + std::to_string(head.pid) + "|" + std::to_string(head.tid) + "|" + std::to_string(head.cpu) + "|" +
           (head.ns == kNoTime ? "-" : std::to_string(head.ns)) + "|" + (head.hasPeriod ? std::to_string(head.period) : "-") + "|" +
           std::string(head.event);
  };
  EXPECT_EQ("busy|-1|795|-1|48882142767000|500250|cpu-clock", of("busy   795 48882.142767:     500250 cpu-clock: "));
  EXPECT_EQ("busy|795|812|3|48882142767123|-|cycles:u", of("            busy   795/812   [003] 48882.142767123: cycles:u:  7f a+0x1 (b)"));
  EXPECT_EQ("a 12 b|-1|7|-1|1000000|-|sched:sched_switch", of("a 12 b 7 0.001000: sched:sched_switch: x:1 [120] S ==> y:2 [120]"));
  EXPECT_EQ("java|-1|12688|2|6544038708352000|-|cpu-clock", of("java 12688 [002] 6544038.708352: cpu-clock: "));
  EXPECT_EQ("java|-1|12688|2|-|-|cpu-clock", of("java 12688 [002] cpu-clock: "));
  EXPECT_EQ(":-1|-1|-1|-1|5000000|1|cycles", of(":-1    -1     0.005000:          1 cycles: "));
  EXPECT_EQ("x|-1|1|-1|5000000|-|PERF_RECORD_SWITCH", of("x 1 0.005000: PERF_RECORD_SWITCH OUT preempt"));
  EXPECT_EQ("x|1|2|-1|5000000|-|", of("x 1/2 0.005000: "));
  EXPECT_EQ("none", of("\t    7fffe foo+0x12 (/lib/x.so)"));
  EXPECT_EQ("none", of("hello world"));
  EXPECT_EQ("none", of(""));
}

TEST(PerfLines, FramesHaveManyForms) {
  const auto of = [](const char* line) {
    FrameLine frame;
    if (!parseFrame(line, &frame)) return std::string("none");
    return std::string(frame.function) + "|" + std::string(frame.file) + (frame.isInlined ? "|inlined" : "");
  };
  EXPECT_EQ("f|/a b/c", of("\t  7f01 f+0x12 (/a b/c)"));
  EXPECT_EQ("operator()(int)|x (deleted)", of(" 7f01 operator()(int)+0x1 (x (deleted))"));
  EXPECT_EQ("g||inlined", of(" 7f01 g (inlined)"));
  EXPECT_EQ("[unknown]|[unknown]", of(" ffffffffffffffff [unknown] ([unknown])"));
  EXPECT_EQ("f|", of(" 7f01 f"));
  EXPECT_EQ("Lfoo;::bar(int)|/tmp/perf-1.map", of(" 7f01 Lfoo;::bar(int)+0x10 (/tmp/perf-1.map)"));
  EXPECT_EQ("none", of(" busy 12"));
}

}  // namespace
}  // namespace parallax::perf
