// Traces of Paraver with planted answers, and damaged ones, as traces.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "tools/conversion/counted_memory_test.h"
#include "tools/conversion/imported_test.h"
#include "tools/paraver/import.h"
#include "tools/paraver/trace.h"

namespace parallax::paraver {
namespace {

using conversion::Imported;

constexpr char kLabels[] =
    "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n\n"
    "STATES\n0    Idle\n1    Running\n3    Waiting a message\n12    I/O\n\n\n"
    "STATES_COLOR\n0    {117,195,255}\n\n"
    "EVENT_TYPE\n9    50000001    MPI Point-to-point\nVALUES\n1   MPI_Send\n2   MPI_Recv\n3   MPI_Isend\n4   MPI_Irecv\n"
    "6   MPI_Waitall\n0   End\n\n"
    "EVENT_TYPE\n9    50000002    MPI Collective Comm\nVALUES\n7   MPI_Bcast\n8   MPI_Barrier\n9   MPI_Reduce\n"
    "10   MPI_Allreduce\n0   End\n\n"
    "EVENT_TYPE\n9    50000003    MPI Other\nVALUES\n31   MPI_Init\n32   MPI_Finalize\n0   End\n\n"
    "EVENT_TYPE\n0    60000019    User function\nVALUES\n0   End\n1   main\n2   solve\n\n"
    "EVENT_TYPE\n0    100    Subsystem\n0    101    Task\nVALUES\n1   Scheduler\n2   Body\n\n"
    "EVENT_TYPE\n0    200    Kind\nVALUES\n5   five\n6   six\n\n"
    "EVENT_TYPE\n7  42000050 PAPI_TOT_INS\n0 300 Temperature\n\n"
    "GRADIENT_COLOR\n0    {0,255,2}\n\nGRADIENT_NAMES\n0    Gradient 0\n";
constexpr char kRow[] = "LEVEL CPU SIZE 2\n1.a\n1.b\n\nLEVEL NODE SIZE 2\na\nb\n\nLEVEL THREAD SIZE 2\nfirst\nsecond\n";
constexpr char kHeader[] = "#Paraver (28/11/26 at 12:00):900_ns:2(1,1):1:2(1:1,1:2),1\nc:1:1:2:1:2\n";

class Paraver : public conversion::FileImportTest {
 protected:
  Paraver() : FileImportTest(importFile) {}
  // Returns why the file was refused.
  std::string import(const std::string& records, const char* labels = kLabels, const char* row = kRow) {
    return importAs("t.prv", records, labels, row);
  }
  std::string importAs(const std::string& name, const std::string& bytes, const char* labels, const char* row) {
    for (const auto& [end, text] : {std::make_pair(".pcf", labels), std::make_pair(".row", row)}) {
      const std::string beside = directory_ / ("t" + std::string(end));
      std::filesystem::remove(beside);
      if (text != nullptr) std::ofstream(beside, std::ios::binary) << text;
    }
    return importBytes(bytes, name);
  }
  Imported imported(const std::string& records, const char* labels = kLabels, const char* row = kRow) {
    EXPECT_EQ("", import(records, labels, row));
    return conversion::look(trace());
  }
};

TEST_F(Paraver, FunctionsNestAndStatesShowTheRest) {
  const Imported trace = imported(std::string(kHeader) +
                                  "2:1:1:1:1:0:40000001:1:60000019:1\n1:1:1:1:1:0:300:1\n2:1:1:1:1:100:60000019:2\n"
                                  "2:1:1:1:1:200:60000019:0\n2:1:1:1:1:300:60000019:0:40000001:0\n"
                                  "1:2:1:2:1:50:100:1\n1:2:1:2:1:100:150:12\n1:2:1:2:1:200:250:1\n");
  EXPECT_EQ("0+main 100+solve 200-solve 300-main ", trace.threads.at("t/first"));
  EXPECT_EQ("50+Running 100-Running 100+I/O 150-I/O 200+Running 250-Running ", trace.threads.at("t/second"));
  EXPECT_TRUE(trace.reports("record\tevent 60000019 User function\t4\t0")) << trace.report;
  EXPECT_TRUE(trace.reports("record\tstate Running\t3\t0")) << trace.report;
  EXPECT_EQ(std::string::npos, trace.report.find("warning")) << trace.report;
  EXPECT_NE(std::string::npos, trace.dump.find("host=\"b\"")) << trace.dump;
}

TEST_F(Paraver, BlockingMessagesBeginAndEndInTheirCalls) {
  const Imported trace = imported(std::string(kHeader) +
                                  "2:2:1:2:1:100:50000001:2\n2:1:1:1:1:400:50000001:1\n"
                                  "3:1:1:1:1:400:450:2:1:2:1:100:500:64:9\n2:1:1:1:1:450:50000001:0\n2:2:1:2:1:500:50000001:0\n");
  // From the first record of all.
  EXPECT_EQ("300+MPI_Send 300(Send comm=1 peer=1 tag=9 bytes=64) 350-MPI_Send ", trace.threads.at("t/first"));
  EXPECT_EQ("0+MPI_Recv 400(Receive comm=1 peer=0 tag=9 bytes=64) 400-MPI_Recv ", trace.threads.at("t/second"));
}

// Extrae writes the end of MPI_Irecv as the time at which the message is expected.
TEST_F(Paraver, PostedReceivesCompleteInOtherCalls) {
  const std::string calls =
      "2:2:1:2:1:0:50000001:4\n2:2:1:2:1:10:50000001:0\n2:2:1:2:1:10:50000001:4\n2:2:1:2:1:20:50000001:0\n"
      "2:2:1:2:1:30:50000001:6\n2:2:1:2:1:90:50000001:0\n"
      "2:1:1:1:1:40:50000001:3\n2:1:1:1:1:50:50000001:0\n2:1:1:1:1:50:50000001:3\n2:1:1:1:1:60:50000001:0\n";
  const std::string second = "3:1:1:1:1:50:60:2:1:2:1:20:90:8:2\n", first = "3:1:1:1:1:40:50:2:1:2:1:10:90:8:1\n";
  for (const std::string& messages : {first + second, second + first}) {
    const Imported trace = imported(std::string(kHeader) + calls + messages);
    EXPECT_EQ("0+MPI_Irecv 10(ReceivePost comm=1 peer=0 tag=1 request=1) 10-MPI_Irecv "
              "10+MPI_Irecv 20(ReceivePost comm=1 peer=0 tag=2 request=2) 20-MPI_Irecv "
              "30+MPI_Waitall 90(Receive comm=1 peer=0 tag=1 bytes=8 request=1) "
              "90(Receive comm=1 peer=0 tag=2 bytes=8 request=2) 90-MPI_Waitall ", trace.threads.at("t/second"));
    EXPECT_EQ("40+MPI_Isend 40(Send comm=1 peer=1 tag=1 bytes=8) 50-MPI_Isend "
              "50+MPI_Isend 50(Send comm=1 peer=1 tag=2 bytes=8) 60-MPI_Isend ", trace.threads.at("t/first"));
  }
}

TEST_F(Paraver, MessagesThatOvertakeOthersStillMatch) {
  const Imported trace = imported(std::string(kHeader) +
                                  "2:1:1:1:1:0:50000001:1\n2:1:1:1:1:10:50000001:0\n2:1:1:1:1:20:50000001:1\n2:1:1:1:1:30:50000001:0\n"
                                  "2:2:1:2:1:40:50000001:2\n2:2:1:2:1:50:50000001:0\n2:2:1:2:1:60:50000001:2\n2:2:1:2:1:70:50000001:0\n"
                                  "3:1:1:1:1:0:10:2:1:2:1:60:70:1:5\n3:1:1:1:1:20:30:2:1:2:1:40:50:2:5\n");
  EXPECT_NE(std::string::npos, trace.threads.at("t/first").find("20(Send comm=2 peer=1 tag=5 bytes=2)")) << trace.threads.at("t/first");
  EXPECT_NE(std::string::npos, trace.threads.at("t/second").find("50(Receive comm=2 peer=0 tag=5 bytes=2)")) << trace.threads.at("t/second");
  EXPECT_NE(std::string::npos, trace.threads.at("t/second").find("70(Receive comm=1 peer=0 tag=5 bytes=1)")) << trace.threads.at("t/second");
}

TEST_F(Paraver, CollectivesHaveRootsSizesAndAnOrder) {
  const Imported trace = imported(
      std::string(kHeader) +
      "2:1:1:1:1:0:50000003:31\n2:2:1:2:1:0:50000003:31\n2:1:1:1:1:5:50000003:0\n2:2:1:2:1:5:50000003:0\n"
      "2:1:1:1:1:10:50000002:7:50100001:80:50100002:0:50100004:1:50100003:1\n2:1:1:1:1:20:50000002:0\n"
      "2:2:1:2:1:30:50000002:7:50100001:0:50100002:80:50100004:1\n2:2:1:2:1:40:50000002:0\n"
      // No flag of the root: the one that receives.
      "2:1:1:1:1:50:50000002:9\n4:1:1:1:1:50:1:8:0:10:0\n2:1:1:1:1:60:50000002:0\n"
      "2:2:1:2:1:50:50000002:9\n4:2:1:2:1:50:1:0:8:10:0\n2:2:1:2:1:60:50000002:0\n");
  EXPECT_EQ("0+MPI_Init 5(Collective comm=1 op=Init root=none sent=0 received=0 sequence=0) 5-MPI_Init "
            "10+MPI_Bcast 20(Collective comm=1 op=Bcast root=0 sent=80 received=0 sequence=1) 20-MPI_Bcast "
            "50+MPI_Reduce 60(Collective comm=1 op=Reduce root=1 sent=8 received=0 sequence=2) 60-MPI_Reduce ",
            trace.threads.at("t/first"));
  EXPECT_NE(std::string::npos, trace.threads.at("t/second").find("40(Collective comm=1 op=Bcast root=0 sent=0 received=80 sequence=1)"));
  EXPECT_EQ(std::string::npos, trace.report.find("warning")) << trace.report;
}

TEST_F(Paraver, StatesInWhichAThreadWaitsHoldItsMessages) {
  const Imported trace = imported(std::string(kHeader) +
                                  "1:2:1:2:1:100:500:3\n1:1:1:1:1:0:400:1\n1:1:1:1:1:400:450:4\n"
                                  "3:1:1:1:1:400:450:2:1:2:1:100:500:64:9\n3:1:1:1:1:400:450:2:1:2:1:100:600:64:8\n");
  EXPECT_EQ("0+Running 400-Running 400+Blocking Send 400(Send comm=1 peer=1 tag=8 bytes=64) "
            "400(Send comm=1 peer=1 tag=9 bytes=64) 450-Blocking Send ", trace.threads.at("t/first"));
  // The second one comes after the state: in a call of its own.
  EXPECT_EQ("100+Waiting a message 500(Receive comm=1 peer=0 tag=9 bytes=64) 500-Waiting a message "
            "600+[message] 600(Receive comm=1 peer=0 tag=8 bytes=64) 600-[message] ", trace.threads.at("t/second"));
  EXPECT_TRUE(trace.warns("1 ends of messages are in no call of MPI")) << trace.report;
  // Nothing else happens when the state ends.
  const Imported late = imported(std::string(kHeader) + "1:2:1:2:1:100:500:3\n3:1:1:1:1:400:450:2:1:2:1:100:600:64:8\n");
  EXPECT_EQ("0+Waiting a message 400-Waiting a message 500+[message] 500(Receive comm=1 peer=0 tag=8 bytes=64) 500-[message] ",
            late.threads.at("t/second"));
}

// Traces without user functions tell from where MPI is called.
TEST_F(Paraver, CallersOfMpiAreOnTheCallPath) {
  const std::string labels = std::string(kLabels) +
      "\nEVENT_TYPE\n0 70000001 Caller at level 1\n0 70000002 Caller at level 2\nVALUES\n0 End\n1 exchange\n2 run\n";
  const std::string calls = "2:1:1:1:1:10:50000001:1:70000001:1:70000002:2\n2:1:1:1:1:20:50000001:0:70000001:0:70000002:0\n";
  const Imported trace = imported(kHeader + calls, labels.c_str());
  EXPECT_EQ("0+MPI_Send 10-MPI_Send ", trace.threads.at("t/first"));
  EXPECT_NE(std::string::npos, trace.dump.find("CallPath path=3 parent=2 kind=region")) << trace.dump;
  EXPECT_NE(std::string::npos, trace.dump.find("CallPath path=2 parent=1 kind=function")) << trace.dump;
  EXPECT_LT(trace.dump.find("function=\"exchange\""), trace.dump.find("function=\"run\"")) << trace.dump;
  EXPECT_TRUE(trace.reports("record\tevent 70000001 Caller at level 1\t2\t0")) << trace.report;
  const Imported known = imported(kHeader + ("2:1:1:1:1:0:60000019:1\n" + calls), labels.c_str());
  EXPECT_TRUE(known.reports("record\tevent 70000001 Caller at level 1\t2\t1")) << known.report;
}

TEST_F(Paraver, DeepNestingIsBounded) {
  std::string records = kHeader;
  for (int i = 0; i < 1100; i++) records += "2:1:1:1:1:" + std::to_string(i) + ":60000019:2\n";
  records += "1:1:1:1:1:1200:1300:12\n";
  for (int i = 0; i < 1100; i++) records += "2:1:1:1:1:" + std::to_string(2000 + i) + ":60000019:0\n";
  const Imported trace = imported(records);
  EXPECT_TRUE(trace.warns("100 calls are inside of more than 1000 others")) << trace.report;
  const std::string& events = trace.threads.at("t/first");
  EXPECT_EQ(1000, std::count(events.begin(), events.end(), '+'));
  EXPECT_NE(std::string::npos, events.find("3099-solve"));
}

// Old tracers record the messages inside, and the end of a collective inside of another one as its own value.
TEST_F(Paraver, CollectivesThatContainMessagesAreToldByThese) {
  const Imported trace = imported(
      std::string(kHeader) +
      "2:1:1:1:1:0:50000002:10\n2:1:1:1:1:1:50000002:9\n2:1:1:1:1:2:50000001:1\n3:1:1:1:1:2:3:2:1:2:1:2:4:32:11\n"
      "2:1:1:1:1:3:50000001:0\n2:1:1:1:1:5:50000002:9\n2:1:1:1:1:9:50000002:0\n"
      "2:2:1:2:1:0:50000002:10\n2:2:1:2:1:2:50000001:2\n2:2:1:2:1:4:50000001:0\n2:2:1:2:1:9:50000002:0\n");
  EXPECT_EQ("0+MPI_Allreduce 1+MPI_Reduce 2+MPI_Send 2(Send comm=1 peer=1 tag=11 bytes=32) 3-MPI_Send 5-MPI_Reduce 9-MPI_Allreduce ",
            trace.threads.at("t/first"));
  EXPECT_TRUE(trace.warns("collectives contain messages")) << trace.report;
}

TEST_F(Paraver, ValuesThatHoldEndTheOnesBeforeAndOverlapOthers) {
  const Imported trace = imported(std::string(kHeader) +
                                  "2:0:1:1:1:0:100:1\n2:0:1:1:1:10:101:2\n2:0:1:1:1:20:100:2\n2:0:1:1:1:30:101:0\n"
                                  "2:0:1:1:1:40:100:1\n2:0:1:1:1:50:100:1\n2:0:1:1:1:60:100:0\n");
  EXPECT_EQ("0+Subsystem: Scheduler 10+Task: Body 20-Task: Body 20-Subsystem: Scheduler 20+Task: Body 20+Subsystem: Body "
            "30-Subsystem: Body 30-Task: Body 30+Subsystem: Body 40-Subsystem: Body 40+Subsystem: Scheduler "
            "60-Subsystem: Scheduler ", trace.threads.at("t/first"));
  EXPECT_TRUE(trace.warns("2 times a call ended before others that began in it")) << trace.report;
}

TEST_F(Paraver, CountersAreSummedUpOtherValuesAreMetricsAndNamesWithoutAnEndAreMarks) {
  const Imported trace = imported(std::string(kHeader) +
                                  "2:1:1:1:1:0:42000050:5:300:21\n2:1:1:1:1:10:42000050:7:300:-4:200:5\n2:1:1:1:1:20:777:1\n");
  EXPECT_NE(std::string::npos, trace.dump.find("name=\"PAPI_TOT_INS\"")) << trace.dump;
  EXPECT_NE(std::string::npos, trace.dump.find("1010 Value metric=1 value=0xc")) << trace.dump;
  EXPECT_NE(std::string::npos, trace.threads.at("t/first").find("0Temperature=21 ")) << trace.threads.at("t/first");
  EXPECT_NE(std::string::npos, trace.threads.at("t/first").find("10Temperature=-4 10!Kind: five ")) << trace.threads.at("t/first");
  EXPECT_NE(std::string::npos, trace.dump.find("name=\"event type 777\"")) << trace.dump;
}

TEST_F(Paraver, TracesWithoutNamesHaveTheUsualOnes) {
  const Imported trace = imported("#Paraver (28/11/26 at 12:00):9:0:1:1(1:1)\r\n2:0:1:1:1:1:50000001:41\r\n2:0:1:1:1:2:50000001:0\r\n"
                                  "2:0:1:1:1:3:60000019:7\r\n2:0:1:1:1:4:60000019:0\r\n# a comment\r\n", nullptr, nullptr);
  EXPECT_EQ("0+MPI_Sendrecv 1000-MPI_Sendrecv 2000+function 7 3000-function 7 ", trace.threads.at("t/thread 1"));
  EXPECT_TRUE(trace.warns("t.pcf cannot be opened")) << trace.report;
  EXPECT_TRUE(trace.warns("t.row cannot be opened")) << trace.report;
  EXPECT_TRUE(trace.reports("record\tcomment\t1\t1")) << trace.report;
}

TEST_F(Paraver, DamageIsToldWithFileAndLine) {
  const Imported trace = imported(std::string(kHeader) +
                                  "2:1:1:1:1:10:60000019:1\n2:1:1:1:1:20:60000019\n1:1:1:1\nhello\n2:1:0:1:1:5:300:1\n"
                                  "2:1:1:1:1:99999999999999999999999:1:1\n2:1:1:1:1:-5:300:1\n1:1:1:1:1:30:20:1\n3:1:1:1:1:0:1:2\n"
                                  "2:1:1:1:1:5:300:2\nc:1:9:2:1\n2:2:1:2:1:15:60000019:0\n2:1:1:1:1:40:60000");
  for (const char* part : {"t.prv, line 4: a type and a value of an event are damaged", "t.prv, line 5: a state has eight numbers",
                           "t.prv, line 6: the line is no record: hello", "t.prv, line 8: an event has six numbers",
                           "t.prv, line 11: a communication has fifteen numbers", "communicator 9 lists other tasks",
                           "t.prv, line 15: the file ends in the line; ", "1 records name an application, task or thread 0",
                           "1 records have a time that is negative", "1 states end before they begin",
                           "1 records have an earlier time", "1 ends of calls that had not begun", "1 calls do not end"}) {
    EXPECT_TRUE(trace.warns(part)) << part << "\n" << trace.report;
  }
  EXPECT_NE(std::string::npos, trace.threads.at("t/first").find("5+main 5-main")) << trace.threads.at("t/first");
  EXPECT_NE(std::string::npos, import("").find("is no trace of Paraver: it is empty"));
  EXPECT_NE(std::string::npos, import("PK\x03\x04").find("line 1 does not begin with #Paraver: PK??"));
  EXPECT_NE(std::string::npos, import(kHeader).find("has nothing to show"));
  conversion::FileImport missing;
  missing.file = directory_ / "no.prv";
  missing.directory = directory_ / "trace";
  EXPECT_NE(std::string::npos, importFile(missing).find("cannot be opened: No such file"));
}

TEST_F(Paraver, PackedTracesHaveTheSameNames) {
  const std::string plain = directory_ / "u.prv";
  std::ofstream(plain) << kHeader << "2:1:1:1:1:0:60000019:1\n2:1:1:1:1:9:60000019:0\n";
  ASSERT_EQ(0, system(("gzip '" + plain + "'").c_str()));
  std::ifstream packed(plain + ".gz", std::ios::binary);
  ASSERT_EQ("", importAs("t.prv.gz", {std::istreambuf_iterator<char>(packed), {}}, kLabels, kRow));
  EXPECT_EQ("0+main 9-main ", conversion::look(directory_ / "trace").threads.at("t/first"));
}

// Changes some bytes of good files: no crash, no hang, a trace that can be read or a refusal with the name of the file,
// and no more memory than is stated.
TEST_F(Paraver, DamagedFilesNeverCrash) {
  std::string seed = kHeader;
  for (int i = 0; i < 12; i++) {
    const auto at = [&](int ns) { return std::to_string(i * 100 + ns); };
    seed += "1:1:1:1:1:" + at(0) + ":" + at(50) + ":1\n1:2:1:2:1:" + at(2) + ":" + at(8) + ":3\n2:1:1:1:1:" + at(0) + ":60000019:2:42000050:17\n2:2:1:2:1:" + at(10) +
            ":50000001:" + (i % 2 == 0 ? "2" : "4") + "\n2:1:1:1:1:" + at(20) + ":50000001:1\n3:1:1:1:1:" + at(20) + ":" + at(30) +
            ":2:1:2:1:" + at(10) + ":" + at(40) + ":64:" + std::to_string(i % 3) + "\n2:1:1:1:1:" + at(30) + ":50000001:0\n2:2:1:2:1:" +
            at(40) + ":50000001:0:100:" + std::to_string(i % 3) + "\n2:2:1:2:1:" + at(60) + ":50000002:7:50100001:0:50100002:8:50100004:1\n" +
            "2:1:1:1:1:" + at(60) + ":50000002:7:50100001:8:50100002:0:50100004:1:50100003:1\n2:1:1:1:1:" + at(70) +
            ":50000002:0:101:" + std::to_string(i % 4) + "\n4:2:1:2:1:" + at(60) + ":1:8:8:3:0\n2:2:1:2:1:" + at(80) + ":50000002:0:200:5\n";
  }
  std::mt19937 random(20261128);
  int opened = 0;
  const auto damage = [&](std::string bytes, const char* letters) {
    for (uint32_t changes = 1 + random() % 6; changes > 0; changes--) {
      const size_t at = random() % bytes.size();
      const uint32_t what = random() % 4;
      if (what == 0) bytes[at] = static_cast<char>(random());
      if (what == 1) bytes.erase(at, 1 + random() % 20);
      if (what == 2) bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 60));
      if (what == 3) bytes[at] = letters[random() % strlen(letters)];
      if (bytes.empty()) bytes = ":";
    }
    return bytes;
  };
  const char* turns = getenv("PARALLAX_FUZZ_TURNS");
  const int count = turns == nullptr ? 600 : atoi(turns);
  for (int turn = 0; turn < count; turn++) {
    const std::string bytes = damage(seed, "0123456789:-c#\n");
    const std::string labels = turn % 3 == 0 ? damage(kLabels, "0123 \nEV_") : kLabels;
    const std::string row = turn % 3 == 1 ? damage(kRow, "0123 \nLS") : kRow;
    mostBytes = allocatedBytes;
    const size_t before = allocatedBytes;
    const std::string error = import(bytes, labels.c_str(), row.c_str());
    ASSERT_LE(mostBytes - before, (bytes.size() + labels.size() + row.size()) * kBytesPerByte + kBytesAtLeast) << "turn " << turn;
    if (!error.empty()) {
      ASSERT_EQ(0u, error.find(file_)) << error;
      continue;
    }
    opened++;
    std::string dump;
    ASSERT_EQ("", format::dumpTrace(directory_ / "trace", [&](std::string_view text) {
      dump += text;
      return true;
    })) << "turn " << turn;
    ASSERT_EQ(std::string::npos, dump.find("state=damaged")) << "turn " << turn;
    std::istringstream lines(dump);
    uint64_t last = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("thread ", 0) == 0) last = 0;
      if (line.empty() || line[0] < '0' || line[0] > '9') continue;
      const uint64_t ticks = strtoull(line.c_str(), nullptr, 10);
      ASSERT_LE(last, ticks) << "turn " << turn << ": " << line;
      last = ticks;
    }
  }
  EXPECT_GT(opened, count * 2 / 3);
}

// The memory for each byte, where records are shortest.
TEST_F(Paraver, TheLargestUseOfMemoryIsStated) {
  const auto most = [&](const std::string& records) {
    mostBytes = allocatedBytes;
    const size_t before = allocatedBytes;
    EXPECT_EQ("", import(kHeader + records, nullptr, nullptr));
    EXPECT_LE(mostBytes - before, records.size() * kBytesPerByte + kBytesAtLeast);
  };
  std::string pairs, types, tasks;
  pairs = types = "2:1:1:1:1:0";
  for (int i = 0; i < 500'000; i++) pairs += ":1:1";
  for (int i = 0; i < 90'000; i++) types += ":" + std::to_string(i + 1) + ":1";
  for (int i = 1; i < 2000; i++) tasks += "2:1:1:" + std::to_string(i) + ":1:0:1:1\n";
  most(pairs + "\n");
  most(types + "\n");
  most(tasks);
  most("2:1:99999:16777216:1:0:1:1\n3:1:1:16777216:1:0:1:1:1:1:1:0:1:1:1\n");
}

}  // namespace
}  // namespace parallax::paraver
