// Traces as archives of OTF2, as its library and the import read them.
#include <gtest/gtest.h>
#include <otf2/otf2.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "format/reader.h"
#include "format/symbols_file.h"
#include "format/writer.h"
#include "tests/temporary_directory.h"
#include "tools/otf2/archive_writer.h"
#include "tools/otf2/export.h"
#include "tools/otf2/import.h"

namespace parallax::otf2 {
namespace {

using namespace format;

class ExportTest : public testing::Test {
 protected:
  std::string import(const std::string& anchor, const std::string& name) {
    ImportOptions options;
    options.archive = anchor;
    options.directory = directory_ / name;
    options.workers = 1;
    EXPECT_EQ("", importArchive(options));
    return options.directory;
  }
  std::string exportTo(const std::string& trace, const std::string& name) {
    ExportOptions options;
    options.trace = trace;
    options.directory = directory_ / name;
    counts_ = ExportCounts();
    EXPECT_EQ("", exportTrace(options, &counts_));
    return options.directory + "/traces.otf2";
  }

  TemporaryDirectory directory_;
  ExportCounts counts_;
};

// Each event of the trace as a line; times count from the first event of all.
std::vector<std::string> linesOf(const std::string& directory) {
  TraceFiles files;
  EXPECT_EQ("", findTraceFiles(directory, &files));
  std::vector<std::string> lines;
  uint64_t first = UINT64_MAX;
  for (const bool isCounting : {true, false}) {
    for (size_t process = 0; process < files.processes.size(); process++) {
      for (const ThreadFile& thread : files.processes[process].threads) {
        EventFile file;
        EXPECT_EQ("", file.open(thread));
        EventReader reader(file);
        Event event;
        while (reader.next(&event)) {
          first = std::min(first, event.ticks);
          if (isCounting) continue;
          std::string line = std::to_string(process) + "." + std::to_string(thread.thread) + " " +
                             std::to_string(event.ticks - first) + " kind " +
                             std::to_string(static_cast<int>(event.kind)) + " " + std::to_string(event.operand);
          for (uint32_t i = 0; i < event.payloadCount; i++) line += " " + std::to_string(event.payload(i));
          lines.push_back(line);
        }
      }
    }
  }
  return lines;
}

TEST_F(ExportTest, ATraceOfMessagesComesBackAsItWas) {
  const std::string trace = import(writeLateSender(directory_ / "archive", 1'000'000'000), "trace");
  const std::string again = import(exportTo(trace, "exported"), "again");
  EXPECT_LT(30u, linesOf(trace).size());
  EXPECT_EQ(linesOf(trace), linesOf(again));
  for (size_t kind = 0; kind < ExportCounts::kKinds; kind++) EXPECT_EQ(0u, counts_.left[kind]) << kind;
}

TEST_F(ExportTest, ATraceOfThreadsAndLocksComesBackAsItWas) {
  const std::string trace = import(writeThreads(directory_ / "archive"), "trace");
  EXPECT_EQ(linesOf(trace), linesOf(import(exportTo(trace, "exported"), "again")));
}

// Also at the ends of blocks, times are in order.
TEST_F(ExportTest, ATraceOfManyBlocksComesBackAsItWas) {
  const std::string trace = import(writeMany(directory_ / "archive", 50'000), "trace");
  TraceFiles files;
  ASSERT_EQ("", findTraceFiles(trace, &files));
  EventFile file;
  ASSERT_EQ("", file.open(files.processes[0].threads[0]));
  EXPECT_LT(2u, file.blockCount());
  EventReader reader(file);
  Event event;
  for (uint64_t last = 0; reader.next(&event); last = event.ticks) ASSERT_LE(last, event.ticks);
  EXPECT_EQ(linesOf(trace), linesOf(import(exportTo(trace, "exported"), "again")));
}

TEST_F(ExportTest, EventsWithoutARecordAreCounted) {
  const std::string trace = import(writeTeam(directory_ / "archive"), "trace");
  exportTo(trace, "exported");
  EXPECT_LT(0u, counts_.left[static_cast<size_t>(Kind::kBarrier)]);
  EXPECT_EQ(counts_.read[static_cast<size_t>(Kind::kBarrier)], counts_.left[static_cast<size_t>(Kind::kBarrier)]);
  EXPECT_EQ(0u, counts_.left[static_cast<size_t>(Kind::kEnter)]);
}

// The records of calling contexts in an archive: the names on the path, outermost first, and the unwind distance.
struct Contexts {
  std::map<OTF2_StringRef, std::string> strings;
  std::map<OTF2_RegionRef, std::string> regions;
  std::map<OTF2_CallingContextRef, std::string> paths;
  std::vector<std::string> records;

  static OTF2_CallbackCode string(void* data, OTF2_StringRef self, const char* text) {
    static_cast<Contexts*>(data)->strings[self] = text;
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode region(void* data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef, OTF2_StringRef,
                                  OTF2_RegionRole, OTF2_Paradigm, OTF2_RegionFlag, OTF2_StringRef, uint32_t, uint32_t) {
    auto* to = static_cast<Contexts*>(data);
    to->regions[self] = to->strings[name];
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode context(void* data, OTF2_CallingContextRef self, OTF2_RegionRef region,
                                   OTF2_SourceCodeLocationRef, OTF2_CallingContextRef parent) {
    auto* to = static_cast<Contexts*>(data);
    to->paths[self] = (parent == OTF2_UNDEFINED_CALLING_CONTEXT ? "" : to->paths[parent] + "/") + to->regions[region];
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode enter(OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void* data, OTF2_AttributeList*,
                                 OTF2_CallingContextRef context, uint32_t unwind) {
    auto* to = static_cast<Contexts*>(data);
    to->records.push_back("enter " + to->paths[context] + " " + std::to_string(unwind));
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode leave(OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void* data, OTF2_AttributeList*,
                                 OTF2_CallingContextRef context) {
    auto* to = static_cast<Contexts*>(data);
    to->records.push_back("leave " + to->paths[context]);
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode sample(OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void* data, OTF2_AttributeList*,
                                  OTF2_CallingContextRef context, uint32_t unwind, OTF2_InterruptGeneratorRef) {
    auto* to = static_cast<Contexts*>(data);
    to->records.push_back("sample " + to->paths[context] + " " + std::to_string(unwind));
    return OTF2_CALLBACK_SUCCESS;
  }

  // Of location 0.
  explicit Contexts(const std::string& anchor) {
    OTF2_Reader* reader = OTF2_Reader_Open(anchor.c_str());
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks* defined = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(defined, string);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(defined, region);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(defined, context);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, defined, this);
    uint64_t count = 0;
    EXPECT_EQ(OTF2_SUCCESS, OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count));
    OTF2_GlobalDefReaderCallbacks_Delete(defined);
    OTF2_Reader_SelectLocation(reader, 0);
    OTF2_Reader_OpenEvtFiles(reader);
    OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader, 0);
    OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, enter);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, leave);
    OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(callbacks, sample);
    OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, this);
    EXPECT_EQ(OTF2_SUCCESS, OTF2_Reader_ReadAllLocalEvents(reader, events, &count));
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    OTF2_Reader_CloseEvtReader(reader, events);
    OTF2_Reader_CloseEvtFiles(reader);
    OTF2_Reader_Close(reader);
  }
};

// main calls f and g; f calls MPI_Send.
std::string writeWalked(const std::string& directory) {
  std::filesystem::create_directory(directory);
  EXPECT_EQ("", writeManifest(directory, {{"run", "1"}}));
  DefinitionsWriter file(directory + "/node.1.0.def");
  ProcessRecord process;
  process.startTicks = 1000;
  process.tickHz = 1'000'000'000;
  process.pid = 1;
  process.host = "node";
  process.executable = "/opt/walked";
  file.add(process);
  ModuleRecord module;
  module.firstAddress = 0x1000;
  module.endAddress = 0x2000;
  module.path = "/opt/walked";
  file.add(module);
  file.add(RegionRecord{1, Group::kMpi, "MPI_Send"});
  const auto path = [&](uint32_t number, uint32_t parent, PathKind kind, uint64_t value) {
    CallPathRecord record;
    record.path = number;
    record.parent = parent;
    record.kind = kind;
    record.value = value;
    file.add(record);
  };
  path(1, 0, PathKind::kReturnAddress, 0x1011);  // main
  path(2, 1, PathKind::kAddress, 0x1020);        // f
  path(3, 1, PathKind::kAddress, 0x1030);        // g
  path(4, 1, PathKind::kReturnAddress, 0x1021);  // f
  path(5, 4, PathKind::kRegion, 1);
  file.close();
  SymbolModule symbols;
  symbols.path = "/opt/walked";
  symbols.addresses.push_back({0x1010, {{"main", "w.c", 3, 1, false}}, 0});
  symbols.addresses.push_back({0x1020, {{"f", "w.c", 12, 10, false}}, 0});
  symbols.addresses.push_back({0x1030, {{"inner", "w.c", 22, 20, true}, {"g", "w.c", 32, 30, false}}, 0});
  EXPECT_EQ("", replaceFile(directory + "/symbols", formatSymbols({symbols})));
  EventWriter events(directory + "/node.1.0.0.evt", 0, ClockLine{1000, 1000, 1'000'000'000});
  events.event(Kind::kThreadBegin, 0, 1000, {0});
  events.sample(2, 2000);
  events.sample(3, 3000);
  events.enter(5, 4000);
  events.leave(5, 5000);
  events.enter(5, 6000);
  events.leave(5, 7000);
  events.sample(2, 8000);
  events.close();
  return directory;
}

TEST_F(ExportTest, SamplesAndCallsHaveTheirCallingContexts) {
  const Contexts found(exportTo(writeWalked(directory_ / "trace"), "exported"));
  EXPECT_EQ((std::vector<std::string>{"sample main/f 3", "sample main/g/inner 3", "enter main/f/MPI_Send 3",
                                      "leave main/f/MPI_Send", "enter main/f/MPI_Send 2", "leave main/f/MPI_Send",
                                      "sample main/f 1"}),
            found.records);
}

TEST_F(ExportTest, DamagedNumbersTakeNoMemory) {
  const std::string trace = writeWalked(directory_ / "trace");
  const std::string exported = directory_ / "exported";
  {
    DefinitionsWriter file(directory_ / "damaged");
    CallPathRecord path;
    path.path = 1u << 26;
    path.kind = PathKind::kAddress;
    file.add(path);
    CommunicatorRecord communicator;
    communicator.communicator = 1u << 23;
    file.add(communicator);
    file.close();
  }
  // The records without the head of the file.
  std::ifstream in(directory_ / "damaged", std::ios::binary);
  in.seekg(sizeof kDefinitionsMagic + 2 * sizeof(uint32_t));
  std::ofstream(trace + "/node.1.0.def", std::ios::binary | std::ios::app) << in.rdbuf();
  const pid_t child = fork();
  if (child == 0) {
    execl(PARALLAX_BUILD_DIRECTORY "/parallax-otf2", "parallax-otf2", "export", trace.c_str(), exported.c_str(), nullptr);
    _exit(4);
  }
  int status = 0;
  rusage usage{};
  ASSERT_EQ(child, wait4(child, &status, 0, &usage));
  EXPECT_EQ(0, status);
  constexpr long kMostKib = 1 << 20;
  EXPECT_GT(kMostKib, usage.ru_maxrss);
  EXPECT_EQ(7u, Contexts(exported + "/traces.otf2").records.size());
}

TEST_F(ExportTest, AnExistingDirectoryIsLeftAlone) {
  const std::string trace = writeWalked(directory_ / "trace");
  ExportOptions options;
  options.trace = trace;
  options.directory = trace;
  EXPECT_NE(std::string::npos, exportTrace(options, &counts_).find("cannot be created: File exists"));
  EXPECT_TRUE(std::filesystem::exists(trace + "/manifest"));
}

TEST_F(ExportTest, ADiskThatIsFullIsToldAndNothingIsLeft) {
  const std::string trace = import(writeMany(directory_ / "archive", 200'000), "trace");
  const std::string errors = directory_ / "errors", exported = directory_ / "exported";
  const pid_t child = fork();
  if (child == 0) {
    constexpr rlim_t kMostBytes = 100'000;
    const rlimit most{kMostBytes, kMostBytes};
    setrlimit(RLIMIT_FSIZE, &most);
    if (freopen(errors.c_str(), "w", stderr) == nullptr) _exit(3);
    execl(PARALLAX_BUILD_DIRECTORY "/parallax-otf2", "parallax-otf2", "export", trace.c_str(), exported.c_str(), nullptr);
    _exit(4);
  }
  int status = 0;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(1, WEXITSTATUS(status));
  std::ifstream in(errors);
  const std::string said{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(std::string::npos, said.find("is the disk full, or the size of files limited?")) << said;
  EXPECT_FALSE(std::filesystem::exists(exported));
}

}  // namespace
}  // namespace parallax::otf2
