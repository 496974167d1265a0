// Packets of Perfetto with planted answers, as traces.
#include <gtest/gtest.h>

#include "tools/perfetto/proto_clocks.h"
#include "tools/perfetto/proto_test_writer.h"
#include "tools/perfetto/trace_events_test.h"

namespace parallax::perfetto {
namespace {

TEST_F(TraceEvents, TracksOfPerfetto) {
  ProtoTestTrace proto;
  proto.begin(11, 1000, "early");  // its track is described later
  proto.process(10, 42, "app").thread(11, 10, 42, 43, "worker").track(12, 10, "requests");
  proto.begin(11, 1500, "inner").end(11, 1700).end(11, 2000);
  proto.begin(12, 1200, "GET").instant(12, 1300, "sent").end(12, 1400);
  const Imported trace = imported(proto.bytes(), "t.pftrace");
  EXPECT_EQ("0+early 500+inner 700-inner 1000-early ", trace.threads.at("app/worker"));
  EXPECT_EQ("200+GET 300!sent 400-GET ", trace.threads.at("app/requests"));
  EXPECT_TRUE(trace.reports("record\tTrackEvent SLICE_BEGIN\t3\t0")) << trace.report;
  EXPECT_EQ(std::string::npos, trace.report.find("warning")) << trace.report;
}

TEST_F(TraceEvents, CountersAndFlowsOfPerfetto) {
  ProtoTestTrace proto;
  proto.process(10, 42, "app").thread(11, 10, 42, 42, "a").thread(12, 10, 42, 43, "b").counter(13, 10, "heap", "KiB");
  proto.begin(11, 0, "send", {7}).end(11, 100).begin(12, 50, "take", {7}).end(12, 200);
  proto.value(13, 10, 1.5).value(13, 20, 2.5);
  const Imported trace = imported(proto.bytes(), "t.pftrace");
  EXPECT_EQ("0+send 0+[flow] 0StreamSend 0-[flow] 100-send ", trace.threads.at("app/a"));
  EXPECT_EQ("50+take 50+[flow] 50StreamReceive 50-[flow] 200-take ",
            trace.threads.at("app/b").substr(trace.threads.at("app/b").find("50+take")));
  EXPECT_NE(std::string::npos, trace.dump.find("Metric metric=1 kind=gauge type=double name=\"heap\" unit=\"KiB\""));
}

TEST_F(TraceEvents, InternedNamesBelongToTheirSequence) {
  ProtoTestTrace proto;
  proto.thread(11, 0, 1, 1, "t");
  proto.beginInterned(11, 0, 1, 5, "first", true).end(11, 1);
  proto.beginInterned(11, 2, 1, 5, "", false).end(11, 3);
  proto.beginInterned(11, 4, 2, 5, "second", true).end(11, 5);
  proto.beginInterned(11, 6, 1, 5, "", true).end(11, 7);  // cleared: the name is not known any more
  const Imported trace = imported(proto.bytes(), "t.pftrace");
  EXPECT_EQ("0+first 1-first 2+first 3-first 4+second 5-second 6+[name 5] 7-[name 5] ", trace.threads.at("process 1/t"));
}

TEST(PerfettoClocks, LeadToBootTime) {
  ProtoClocks clocks;
  int64_t ns = 0;
  EXPECT_FALSE(clocks.convert(1, 3, 5, &ns));  // no snapshot yet
  EXPECT_TRUE(clocks.convert(1, ProtoClocks::kBoottime, 5, &ns));
  // Boot time 1000, monotonic time 400, and an incremental clock of sequence 1 in microseconds.
  ProtoTestMessage snapshot;
  snapshot.message(1, ProtoTestMessage().number(1, 6).number(2, 1000));
  snapshot.message(1, ProtoTestMessage().number(1, 3).number(2, 400));
  snapshot.message(1, ProtoTestMessage().number(1, 64).number(2, 0).number(3, 1).number(4, 1000));
  clocks.snapshot(1, snapshot.bytes());
  EXPECT_TRUE(clocks.convert(1, 3, 450, &ns));
  EXPECT_EQ(1050, ns);
  EXPECT_TRUE(clocks.convert(1, 64, 2, &ns));
  EXPECT_EQ(3000, ns);
  EXPECT_TRUE(clocks.convert(1, 64, 3, &ns));
  EXPECT_EQ(6000, ns);
  EXPECT_FALSE(clocks.convert(2, 64, 3, &ns));  // that of another sequence
}

TEST_F(TraceEvents, CutPacketsAreTold) {
  ProtoTestTrace proto;
  proto.thread(11, 0, 1, 1, "t").begin(11, 0, "a").end(11, 9).begin(11, 10, "b");
  const std::string bytes = proto.bytes();
  const Imported trace = imported(bytes.substr(0, bytes.size() - 3), "t.pftrace");
  EXPECT_EQ("0+a 9-a ", trace.threads.at("process 1/t"));
  EXPECT_TRUE(trace.warns("the file ends inside of a packet of")) << trace.report;
  const Imported rest = imported(bytes + "\xff\xff\xff", "t.pftrace");
  EXPECT_TRUE(rest.warns(file_ + ", at byte " + std::to_string(bytes.size()) + ": no packet begins here")) << rest.report;
  // A size that is not there takes no memory.
  const Imported huge = imported(bytes + std::string("\x0a\xff\xff\xff\xff\x7f", 6), "t.pftrace");
  EXPECT_TRUE(huge.warns("the file ends inside of a packet of 34359738367 bytes")) << huge.report;
}

// The service of Perfetto adds the user, the sequence and the process that wrote a packet at its end.
TEST_F(TraceEvents, PacketsThatTheServiceOfPerfettoWrote) {
  ProtoTestTrace proto;
  const auto add = [&](ProtoTestMessage packet, bool isFirst) {
    if (isFirst) packet.number(42, 1).number(87, 1);
    proto.packetOf(packet.number(3, 1000).number(10, 2).number(79, 7));
  };
  add(ProtoTestMessage().number(13, 1).message(
          60, ProtoTestMessage().number(1, 11).message(4, ProtoTestMessage().number(1, 7).number(2, 7).text(5, "main"))),
      true);
  add(ProtoTestMessage().number(8, 100).message(11, ProtoTestTrace::eventOf(1, 11).text(23, "work")), false);
  add(ProtoTestMessage().number(8, 250).message(11, ProtoTestTrace::eventOf(2, 11)), false);
  const Imported trace = imported(proto.bytes(), "t.pftrace");
  EXPECT_EQ("0+work 150-work ", trace.threads.at("process 7/main"));
  EXPECT_EQ(std::string::npos, trace.report.find("warning")) << trace.report;  // nor is the first one after a loss
}

// After a loss, packets that need names, clocks or tracks that earlier ones gave are left out until these are given anew.
TEST_F(TraceEvents, WhatNeedsLostPacketsIsLeftOut) {
  ProtoTestTrace proto;
  proto.thread(11, 0, 1, 1, "t");
  proto.beginInterned(11, 0, 1, 5, "first", true).end(11, 10);
  proto.packetOf(ProtoTestMessage().number(8, 20).number(10, 1).number(13, 2).number(42, 1).message(
      11, ProtoTestTrace::eventOf(1, 11).number(10, 5)));
  proto.beginInterned(11, 30, 1, 6, "", false);
  proto.beginInterned(11, 40, 1, 5, "second", true).end(11, 50);
  proto.beginInterned(11, 60, 3, 5, "", false);  // the beginning of this sequence is lost
  const Imported trace = imported(proto.bytes(), "t.pftrace");
  EXPECT_EQ("0+first 10-first 40+second 50-second ", trace.threads.at("process 1/t"));
  EXPECT_TRUE(trace.warns("1 times the tool that recorded lost packets")) << trace.report;
  EXPECT_TRUE(trace.warns("3 packets need the state of their sequence")) << trace.report;
  EXPECT_TRUE(trace.reports("record\tTrackEvent\t3\t3")) << trace.report;
}

// Values since the last one, which begin again from 0 when the state of the sequence does.
TEST_F(TraceEvents, IncrementalCountersOfThreads) {
  ProtoTestTrace proto;
  proto.thread(11, 0, 1, 1, "a").thread(12, 0, 1, 2, "b");
  for (const uint64_t thread : {uint64_t{11}, uint64_t{12}}) {
    proto.packetOf(ProtoTestMessage().number(10, thread).message(
        60, ProtoTestMessage().number(1, thread + 10).number(5, thread).message(
                8, ProtoTestMessage().number(1, 1).number(4, 1000).number(5, 1))));
    for (uint64_t i = 0; i < 4; i++) {
      proto.packetOf(ProtoTestMessage().number(8, i * 10).number(10, thread).number(13, i % 2 == 0 ? 1 : 2).message(
          11, ProtoTestTrace::eventOf(4, thread + 10).number(30, thread)));
    }
  }
  const Imported trace = imported(proto.bytes(), "t.pftrace");
  EXPECT_EQ("0thread time=11000 10thread time=22000 20thread time=11000 30thread time=22000 ",
            trace.threads.at("process 1/a"));
  EXPECT_EQ("0thread time=12000 10thread time=24000 20thread time=12000 30thread time=24000 ",
            trace.threads.at("process 1/b"));
  EXPECT_NE(std::string::npos, trace.dump.find("name=\"thread time\" unit=\"ns\"")) << trace.dump;
}

TEST_F(TraceEvents, ATraceWithoutEventsTellsWhatItHas) {
  ProtoTestTrace proto;
  proto.packetOf(ProtoTestMessage().number(10, 1).text(1, "kernel")).packetOf(ProtoTestMessage().text(133, "zstd"));
  const std::string error = import(proto.bytes(), "t.pftrace");
  EXPECT_NE(std::string::npos, error.find("no events with a time; left out: 1 FtraceEvents, 1 ZstdCompressedPackets"))
      << error;
}

}  // namespace
}  // namespace parallax::perfetto
