// Traces in the Trace Event Format and of Perfetto, with planted answers, as traces.
#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "tools/conversion/counted_memory_test.h"
#include "tools/perfetto/json_scanner.h"
#include "tools/perfetto/proto_test_writer.h"
#include "tools/perfetto/timeline.h"
#include "tools/perfetto/trace_events_test.h"

namespace parallax::perfetto {
namespace {

// ---- JSON

TEST_F(TraceEvents, SlicesBeginAndEndOrHaveADuration) {
  const Imported trace = imported(R"([
    {"name": "main", "ph": "B", "pid": 1, "tid": 1, "ts": 100.5, "args": {"x": 1, "y": {"z": [1, "}"]}}},
    {"name": "outer", "ph": "X", "pid": 1, "tid": 1, "ts": 101, "dur": 8},
    {"name": "inner", "ph": "X", "pid": 1, "tid": 1, "ts": 101, "dur": 2.001},
    {"ph": "E", "pid": 1, "tid": 1, "ts": 120.25}
  ])");
  EXPECT_EQ("0+main 500+outer 500+inner 2501-inner 8500-outer 19750-main ", trace.threads.at("process 1/thread 1"));
  EXPECT_TRUE(trace.reports("record\tX (complete)\t2\t0")) << trace.report;
  EXPECT_TRUE(trace.reports("attribute\tx\t1\t1")) << trace.report;
  EXPECT_EQ(std::string::npos, trace.report.find("warning")) << trace.report;
}

TEST_F(TraceEvents, EventsOutOfOrderAreSorted) {
  const Imported trace = imported(R"({"traceEvents": [
    {"name": "inner", "ph": "X", "pid": 1, "tid": 1, "ts": 3, "dur": 1},
    {"name": "outer", "ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 10},
    {"name": "later", "ph": "E", "pid": 1, "tid": 1, "ts": 9},
    {"name": "later", "ph": "B", "pid": 1, "tid": 1, "ts": 5}], "displayTimeUnit": "ns"})");
  EXPECT_EQ("0+outer 3000+inner 4000-inner 5000+later 9000-later 10000-outer ", trace.threads.at("process 1/thread 1"));
}

// Many tools write a slice when it ends, and whole microseconds.
TEST_F(TraceEvents, SlicesThatBeginTogetherAreNested) {
  const Imported trace = imported(R"([
    {"name": "inner", "ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 1},
    {"name": "mark", "ph": "i", "pid": 1, "tid": 1, "ts": 5},
    {"name": "outer", "ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 10}])");
  EXPECT_EQ("0+outer 0+inner 0!mark 1000-inner 10000-outer ", trace.threads.at("process 1/thread 1"));
}

// Chrome ends its array only if it ends in order.
TEST_F(TraceEvents, AnArrayNeedsNoEnd) {
  for (const char* end : {"", ",", ",\n", "\n]", "]"}) {
    const Imported trace = imported(std::string(R"([{"name":"a","ph":"X","pid":1,"tid":1,"ts":1,"dur":1})") + end);
    EXPECT_EQ("0+a 1000-a ", trace.threads.at("process 1/thread 1")) << end;
    EXPECT_EQ(std::string::npos, trace.report.find("warning")) << end << trace.report;
  }
}

TEST_F(TraceEvents, WhatDoesNotMatchIsToldAndCounted) {
  const Imported trace = imported(R"([
    {"name": "lost", "ph": "E", "pid": 1, "tid": 1, "ts": 0},
    {"name": "outer", "ph": "B", "pid": 1, "tid": 1, "ts": 1},
    {"name": "inner", "ph": "B", "pid": 1, "tid": 1, "ts": 2},
    {"name": "outer", "ph": "E", "pid": 1, "tid": 1, "ts": 3},
    {"name": "first", "ph": "X", "pid": 1, "tid": 1, "ts": 10, "dur": 10},
    {"name": "second", "ph": "X", "pid": 1, "tid": 1, "ts": 15, "dur": 10},
    {"name": "open", "ph": "B", "pid": 1, "tid": 1, "ts": 30},
    {"name": "end", "ph": "i", "pid": 1, "tid": 1, "ts": 31},
    {"name": "no time", "ph": "B", "pid": 1, "tid": 1},
    {"name": "bad time", "ph": "B", "pid": 1, "tid": 1, "ts": 1e300},
    {"name": "negative", "ph": "X", "pid": 1, "tid": 1, "ts": 31, "dur": -1},
    {"name": "sample", "ph": "P", "pid": 1, "tid": 1, "ts": 31},
    {"name": "unknown", "ph": "?", "pid": 1, "tid": 1, "ts": 31},
    {"name": "counter", "ph": "C", "pid": 1, "ts": 31, "args": {"a": "text"}},
    {"name": "flow", "ph": "s", "pid": 1, "tid": 1, "ts": 31, "id": 1}
  ])");
  EXPECT_EQ("1000+outer 2000+inner 3000-inner 3000-outer 10000+first 15000+second 20000-second 20000-first 30000+open "
            "31000!end 31000-open ",
            trace.threads.at("process 1/thread 1"));
  for (const char* warning : {"1 ends of slices that had not begun", "1 slices ended before slices inside",
                              "1 slices end after the slice around", "1 slices do not end", "1 events have no time",
                              "2 events have a time or duration", "1 counter values are not numbers",
                              "1 beginnings, steps and ends of flows have no counterpart"}) {
    EXPECT_TRUE(trace.warns(warning)) << warning << "\n" << trace.report;
  }
  EXPECT_TRUE(trace.reports("record\tB (begin)\t5\t2")) << trace.report;
  EXPECT_TRUE(trace.reports("record\tP (sample)\t1\t1")) << trace.report;
  EXPECT_TRUE(trace.reports("record\t? (unknown)\t1\t1")) << trace.report;
  EXPECT_TRUE(trace.reports("record\tC (counter)\t1\t1")) << trace.report;
}

// As the profiler of PyTorch writes: names for processes and threads that are texts, an arrow from the launch to the kernel.
TEST_F(TraceEvents, ATraceOfPyTorch) {
  const Imported trace = imported(R"J({
  "schemaVersion": 1,
  "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-40GB", "totalGlobalMem": 42505273344}],
  "traceEvents": [
  {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 7, "ts": 1700000000000100.125, "dur": 50.5,
    "args": {"External id": 5, "Record function id": 0, "Sequence number": 3}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 7, "tid": 7, "ts": 1700000000000110.125, "dur": 20,
    "args": {"correlation": 5}},
  {"ph": "s", "id": 5, "pid": 7, "tid": 7, "ts": 1700000000000110.125, "cat": "ac2g", "name": "ac2g"},
  {"ph": "X", "cat": "kernel", "name": "ampere_sgemm_128x64", "pid": 0, "tid": 7, "ts": 1700000000000140.125, "dur": 30},
  {"ph": "f", "id": 5, "pid": 0, "tid": 7, "ts": 1700000000000140.125, "cat": "ac2g", "name": "ac2g", "bp": "e"},
  {"name": "process_name", "ph": "M", "ts": 0, "pid": 7, "tid": 0, "args": {"name": "python"}},
  {"name": "process_labels", "ph": "M", "ts": 0, "pid": 7, "tid": 0, "args": {"labels": "CPU"}},
  {"name": "thread_name", "ph": "M", "ts": 0, "pid": 0, "tid": 7, "args": {"name": "stream 7"}},
  {"ph": "X", "cat": "Trace", "ts": 1700000000000100.125, "dur": 80, "pid": "Spans", "tid": "PyTorch Profiler",
    "name": "PyTorch Profiler (0)"},
  {"name": "Iteration Start: PyTorch Profiler", "ph": "i", "s": "g", "pid": "Traces", "tid": "Trace PyTorch Profiler",
    "ts": 1700000000000100.125},
  {"name": "[memory]", "ph": "i", "s": "t", "pid": 7, "tid": 7, "ts": 1700000000000120.125, "args": {"Bytes": 1024}}
  ], "traceName": "trace.json"})J");
  EXPECT_EQ("0+aten::mm 10000+cudaLaunchKernel 10000+[flow] 10000StreamSend 10000-[flow] 20000![memory] "
            "30000-cudaLaunchKernel 50500-aten::mm ",
            trace.threads.at("python/thread 7"));
  EXPECT_EQ("40000+ampere_sgemm_128x64 40000+[flow] 40000StreamReceive 40000-[flow] 70000-ampere_sgemm_128x64 ",
            trace.threads.at("process 0/stream 7"));
  EXPECT_EQ("0+PyTorch Profiler (0) 80000-PyTorch Profiler (0) ", trace.threads.at("Spans/PyTorch Profiler"));
  EXPECT_EQ("0!Iteration Start: PyTorch Profiler ", trace.threads.at("Traces/Trace PyTorch Profiler"));
  EXPECT_TRUE(trace.reports("record\tM (metadata)\t3\t1")) << trace.report;
  EXPECT_TRUE(trace.reports("definition\tprocess_labels\t1")) << trace.report;
  EXPECT_TRUE(trace.reports("definition\tdeviceProperties\t1")) << trace.report;
}

// As `go tool trace` writes: asynchronous regions, counters with several values.
TEST_F(TraceEvents, ATraceOfGo) {
  const Imported trace = imported(R"({"displayTimeUnit":"ns","traceEvents":[
{"name":"process_name","ph":"M","ts":0,"pid":1,"tid":0,"args":{"name":"PROCS"}},
{"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":0,"args":{"name":"Proc 0"}},
{"name":"Goroutines","ph":"C","ts":1.5,"pid":1,"tid":0,"args":{"Running":1,"GCWaiting":0}},
{"name":"G1 main.main","ph":"X","ts":1.5,"dur":4,"pid":1,"tid":0,"sf":3,"args":{},"cname":"good"},
{"name":"Heap","ph":"C","ts":2.5,"pid":1,"tid":0,"args":{"Allocated":4096}},
{"name":"task A","ph":"b","ts":2,"pid":1,"tid":0,"id":1,"cat":"task"},
{"name":"task B","ph":"b","ts":3,"pid":1,"tid":0,"id":2,"cat":"task"},
{"name":"step","ph":"n","ts":3.5,"pid":1,"tid":0,"id":2,"cat":"task"},
{"name":"task A","ph":"e","ts":4,"pid":1,"tid":0,"id":1,"cat":"task"},
{"name":"task C","ph":"b","ts":4,"pid":1,"tid":0,"id2":{"local":"0x1"},"cat":"task"},
{"name":"task C","ph":"e","ts":4.5,"pid":1,"tid":0,"id2":{"local":"0x1"},"cat":"task"},
{"name":"task B","ph":"e","ts":5,"pid":1,"tid":0,"id":2,"cat":"task"}],
"stackFrames":{"3":{"name":"main.main","parent":2}}})");
  EXPECT_EQ("0+G1 main.main 0Goroutines.Running=1 0Goroutines.GCWaiting=0 1000Heap=4096 4000-G1 main.main ",
            trace.threads.at("PROCS/Proc 0"));
  // The third one follows the first in its lane; the second one, which overlaps both, has its own.
  EXPECT_EQ("500+task A 2500-task A 2500+task C 3000-task C 1500+task B 2000!step 3500-task B ",
            trace.threads.at("PROCS/async task"));
  EXPECT_TRUE(trace.reports("definition\tstackFrames\t1")) << trace.report;
}

TEST_F(TraceEvents, FlowsWithStepsAndOvertaking) {
  const Imported trace = imported(R"([
    {"name": "f", "ph": "s", "id": 1, "pid": 1, "tid": 1, "ts": 0},
    {"name": "f", "ph": "s", "id": 2, "pid": 1, "tid": 1, "ts": 1},
    {"name": "f", "ph": "f", "id": 2, "pid": 1, "tid": 2, "ts": 2},
    {"name": "f", "ph": "t", "id": 1, "pid": 1, "tid": 2, "ts": 3},
    {"name": "f", "ph": "f", "id": 1, "pid": 2, "tid": 3, "ts": 4},
    {"name": "own", "ph": "s", "id": 1, "pid": 1, "tid": 1, "ts": 5},
    {"name": "own", "ph": "f", "id": 1, "pid": 1, "tid": 1, "ts": 6}
  ])");
  EXPECT_EQ("0+[flow] 0StreamSend 0-[flow] 1000+[flow] 1000StreamSend 1000-[flow] ", trace.threads.at("process 1/thread 1"));
  EXPECT_EQ("2000+[flow] 2000StreamReceive 2000-[flow] 3000+[flow] 3000StreamReceive 3000-[flow] 3000+[flow] "
            "3000StreamSend 3000-[flow] ",
            trace.threads.at("process 1/thread 2"));
  EXPECT_EQ("4000+[flow] 4000StreamReceive 4000-[flow] ", trace.threads.at("process 2/thread 3"));
  EXPECT_TRUE(trace.warns("1 flows stay on one thread")) << trace.report;
}

TEST_F(TraceEvents, LocalFlowsBelongToTheirProcess) {
  const Imported trace = imported(R"([
    {"name": "f", "ph": "s", "id2": {"local": "0x1"}, "pid": 1, "tid": 1, "ts": 0},
    {"name": "f", "ph": "s", "id2": {"local": "0x1"}, "pid": 2, "tid": 1, "ts": 1},
    {"name": "f", "ph": "f", "id2": {"local": "0x1"}, "pid": 1, "tid": 2, "ts": 2},
    {"name": "f", "ph": "f", "id2": {"local": "0x1"}, "pid": 2, "tid": 2, "ts": 3},
    {"name": "g", "ph": "s", "id2": {"global": "0x1"}, "pid": 1, "tid": 3, "ts": 4},
    {"name": "g", "ph": "f", "id2": {"global": "0x1"}, "pid": 2, "tid": 3, "ts": 5}
  ])");
  EXPECT_EQ("0+[flow] 0StreamSend 0-[flow] ", trace.threads.at("process 1/thread 1"));
  EXPECT_EQ("2000+[flow] 2000StreamReceive 2000-[flow] ", trace.threads.at("process 1/thread 2"));
  EXPECT_EQ("3000+[flow] 3000StreamReceive 3000-[flow] ", trace.threads.at("process 2/thread 2"));
  EXPECT_EQ("5000+[flow] 5000StreamReceive 5000-[flow] ", trace.threads.at("process 2/thread 3"));
}

TEST_F(TraceEvents, DeepNestingIsBounded) {
  std::string text = "[";
  for (int i = 0; i < 3000; i++) {
    text += R"({"name":"f","ph":"B","pid":1,"tid":1,"ts":)" + std::to_string(i) + "},\n";
  }
  for (int i = 0; i < 3000; i++) {
    text += R"({"ph":"E","pid":1,"tid":1,"ts":)" + std::to_string(3000 + i) + "},\n";
  }
  // Nested arguments are no recursion.
  text += R"({"name":"g","ph":"i","pid":1,"tid":1,"ts":6000,"args":{"a":)" + std::string(200'000, '[') +
          std::string(200'000, ']') + "}}]";
  const Imported trace = imported(text);
  EXPECT_TRUE(trace.warns("2000 slices are inside of more than 1000 others")) << trace.report;
  const std::string& events = trace.threads.at("process 1/thread 1");
  EXPECT_EQ(1000, std::count(events.begin(), events.end(), '+'));
  EXPECT_EQ(1000, std::count(events.begin(), events.end(), '-'));
  EXPECT_NE(std::string::npos, events.find("5999000-f 6000000!g"));  // the outermost ends last
}

TEST_F(TraceEvents, NamesCanHaveAnyBytes) {
  const Imported trace = imported("[{\"name\":\"a\\\"\\u00e9\\ud83d\\ude00\\ud83dx\\tb\xff\",\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":1}]");
  EXPECT_NE(std::string::npos, trace.dump.find("\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbdx")) << trace.dump;
}

TEST_F(TraceEvents, DamageIsToldWithFileAndOffset) {
  const std::string good = R"({"name":"a","ph":"i","pid":1,"tid":1,"ts":1})";
  const std::string beginning = "[" + good + ",\n{\"name\":\"b\",\"ph";
  const Imported cut = imported(beginning);
  EXPECT_EQ("0!a ", cut.threads.at("process 1/thread 1"));
  EXPECT_TRUE(cut.warns(file_ + ", at byte " + std::to_string(beginning.size()) + ": the file ends; 15 bytes were left out")) << cut.report;
  const Imported middle = imported("[" + good + ",\n{\"name\":oops!},\n" + good + "]");
  EXPECT_EQ("0!a 0!a ", middle.threads.at("process 1/thread 1"));
  EXPECT_TRUE(middle.warns("a comma or the end of the event is expected")) << middle.report;
  const Imported object = imported("{\"traceEvents\":[" + good);
  EXPECT_TRUE(object.warns("the file ends before its events")) << object.report;
  EXPECT_NE(std::string::npos, import("{\"a\": 1}").find("is no trace of Chrome or Perfetto"));
  EXPECT_NE(std::string::npos, import("").find("is no trace of Chrome or Perfetto"));
  EXPECT_NE(std::string::npos, import("[]").find("has nothing to show"));
  conversion::FileImport missing;
  missing.file = directory_ / "no.json";
  missing.directory = directory_ / "trace";
  EXPECT_NE(std::string::npos, importFile(missing).find("cannot be opened: No such file"));
}

TEST_F(TraceEvents, GzipIsUnpacked) {
  std::string text = "[";
  for (int i = 0; i < 20'000; i++) {
    text += R"({"name":"f","ph":"X","dur":0.5,"pid":1,"tid":1,"ts":)" + std::to_string(i) + "},\n";
  }
  text += "]\n";
  const std::string plain = directory_ / "plain.json";
  std::ofstream(plain) << text;
  ASSERT_EQ(0, system(("gzip -k '" + plain + "'").c_str()));
  std::ifstream packed(plain + ".gz", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(packed), {}};
  EXPECT_TRUE(imported(bytes).reports("record\tX (complete)\t20000\t0"));
  std::string wrong = bytes;  // its checksum, after the end of the events
  wrong[wrong.size() - 8] = static_cast<char>(~wrong[wrong.size() - 8]);
  EXPECT_TRUE(imported(wrong).warns("is damaged: gzip could not unpack all of it"));
  const Imported cut = imported(bytes.substr(0, bytes.size() / 2));
  EXPECT_TRUE(cut.warns("is damaged: gzip could not unpack all of it")) << cut.report;
  EXPECT_TRUE(cut.warns("of the uncompressed text")) << cut.report;
}

// A gzip whose output nobody reads any more would wait for ever, and who waits for it as well.
TEST_F(TraceEvents, APackedFileThatIsNoTraceIsRefused) {
  std::mt19937 random(1);
  std::string bytes;
  for (int i = 0; i < 500'000; i++) bytes += static_cast<char>(random());
  bytes[0] = '{';
  const std::string plain = directory_ / "plain";
  std::ofstream(plain, std::ios::binary) << bytes;
  ASSERT_EQ(0, system(("gzip '" + plain + "'").c_str()));
  std::ifstream packed(plain + ".gz", std::ios::binary);
  alarm(60);  // ends the test with a failure
  const std::string error = import({std::istreambuf_iterator<char>(packed), {}}, "t.json.gz");
  alarm(0);
  EXPECT_NE(std::string::npos, error.find("is no trace of Chrome or Perfetto")) << error;
}

TEST(TraceEventTimes, AreNanosecondsExactly) {
  const auto ns = [](const char* text) {
    int64_t value = -1;
    return parseMicroseconds(text, &value) ? std::to_string(value) : "none";
  };
  EXPECT_EQ("1", ns("0.001"));
  EXPECT_EQ("1700000000123456789", ns("1700000000123456.789"));
  EXPECT_EQ("2", ns("0.0015"));
  EXPECT_EQ("-1500", ns("-1.5"));
  EXPECT_EQ("2500000", ns("2.5e3"));
  EXPECT_EQ("1000", ns("1."));
  for (const char* text : {"", "x", "1x", "1e400", "nan", "99999999999999999999999999", "--1", "."}) {
    EXPECT_EQ("none", ns(text)) << text;
  }
}

// ---- damage

// Changes some bytes of a good file: no crash, no hang, a trace that can be read or a refusal with the name of the file,
// and no more memory than is stated.
TEST_F(TraceEvents, DamagedFilesNeverCrash) {
  std::vector<std::string> seeds;
  std::string json = R"({"traceEvents":[)";
  ProtoTestTrace proto;
  proto.process(10, 42, "app").thread(11, 10, 42, 42, "a").thread(12, 10, 42, 43, "b").counter(13, 10, "heap", "");
  for (int i = 0; i < 12; i++) {
    const std::string ts = std::to_string(i * 10);
    json += R"({"name":"outer","ph":"B","pid":1,"tid":1,"ts":)" + ts + "},\n" +
            R"({"name":"x\u00e9","cat":"c","ph":"X","pid":1,"tid":"two","ts":)" + ts + R"(,"dur":3.5,"args":{"a":1}},)" +
            R"({"name":"f","ph":"s","id":)" + ts + R"(,"pid":1,"tid":1,"ts":)" + ts + "},\n" +
            R"({"name":"f","ph":"f","id":)" + ts + R"(,"pid":1,"tid":"two","ts":)" + ts + ".5},\n" +
            R"({"name":"r","ph":"b","id":"0x1","pid":1,"tid":1,"ts":)" + ts + R"(},{"name":"r","ph":"e","id":"0x1","pid":1,"ts":9)" +
            ts + R"(},{"name":"m","ph":"C","pid":1,"ts":)" + ts + R"(,"args":{"v":2}},{"ph":"E","pid":1,"tid":1,"ts":)" + ts + "5},\n";
    proto.beginInterned(11, static_cast<uint64_t>(i) * 100, 1, 5, "name", i == 0).begin(12, 50, "x", {static_cast<uint64_t>(i)})
        .end(12, 90).end(11, static_cast<uint64_t>(i) * 100 + 50).value(13, static_cast<uint64_t>(i) * 100, 2);
  }
  json += R"({"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"main"}}]})";
  seeds.push_back(json);
  seeds.push_back(proto.bytes());
  std::mt19937 random(20261128);
  int opened = 0;
  for (int turn = 0; turn < 600; turn++) {
    std::string bytes = seeds[static_cast<size_t>(turn) % 2];
    for (uint32_t changes = 1 + random() % 6; changes > 0; changes--) {
      const size_t at = random() % bytes.size();
      const uint32_t what = random() % 4;
      if (what == 0) bytes[at] = static_cast<char>(random());
      if (what == 1) bytes.erase(at, 1 + random() % 20);
      if (what == 2) bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 60));
      if (what == 3) bytes[at] = "{}[]\",:\\0-9e"[random() % 12];
      if (bytes.empty()) bytes = "[";
    }
    mostBytes = allocatedBytes;
    const size_t before = allocatedBytes;
    const std::string error = import(bytes, turn % 2 == 0 ? "d.json" : "d.pftrace");
    ASSERT_LE(mostBytes - before, bytes.size() * kBytesPerByte + kBytesAtLeast) << "turn " << turn;
    if (!error.empty()) {
      ASSERT_EQ(0u, error.find(turn % 2 == 0 ? file_ : directory_ / "d.pftrace")) << error;
      continue;
    }
    opened++;
    std::string dump;
    ASSERT_EQ("", format::dumpTrace(directory_ / "trace", [&](std::string_view text) {
      dump += text;
      return true;
    })) << "turn " << turn;
    ASSERT_EQ(std::string::npos, dump.find("state=damaged")) << "turn " << turn;
  }
  EXPECT_GT(opened, 400);
}

}  // namespace
}  // namespace parallax::perfetto
