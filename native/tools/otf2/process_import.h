// What the locations of one process share while their events are written: call paths, communicators, objects.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "format/definitions.h"
#include "format/writer.h"
#include "tools/conversion/call_path_table.h"
#include "tools/otf2/archive.h"
#include "tools/otf2/records.h"

namespace parallax::otf2 {

using conversion::CallPathTable;

// What all processes of the trace share.
struct Target {
  std::string directory;
  std::string name;  // of ranks whose program the archive does not name
  uint64_t traceId = 1;     // of the archive; the number of its MPI job
  uint64_t divisor = 1;     // ticks of the archive to one of the trace, for clocks faster than 4 GHz
  format::ClockLine clock;  // of the trace, which has one for all machines
  uint64_t realtimeNs = 0;  // at clock.ticks
  std::string modulePath;   // stands for the program: its symbols are the regions of the archive
};

// The address that stands for a region in the module of the trace.
inline uint64_t regionOffset(OTF2_RegionRef region) { return 0x1000 + uint64_t{region} * 16; }

// How a region is shown: a routine in which a thread can wait, or a function of the program.
struct RegionUse {
  bool isRoutine = false;
  format::Group group = format::Group::kUser;
};
RegionUse useOf(const RegionDefinition& region);

class ProcessImport {
 public:
  // Regions that the import itself adds have numbers from here, which archives cannot use.
  static constexpr uint32_t kOwnRegions = 0xFFFFFF00;
  static constexpr uint32_t kNotRecorded = kOwnRegions, kFlush = kOwnRegions + 1, kIdle = kOwnRegions + 2;
  static constexpr uint32_t kUnknownRegion = kOwnRegions + 3;  // of records that name none

  struct Communicator {
    uint32_t number = 0;  // 0: it is not defined, or this process is no member
    uint32_t peers = 0;   // ranks that messages can name
    uint32_t ownRank = 0;
    uint32_t size = 0;
    Fault fault = Fault::kUndefinedCommunicator;  // if it has no number
    uint64_t sequence = 0;  // collectives up to now
    int64_t thread = -1;    // that took part in them
    std::unordered_map<uint64_t, uint32_t> rankOf;  // by world rank; filled when a window asks
  };
  // A window of one-sided communication. Its ranks are those of its communicator.
  struct Window {
    Communicator* communicator = nullptr;  // on which it was created
    Communicator self;                     // the window itself
  };
  struct MetricUse {
    uint32_t number = 0;
    bool isFloating = false, isRelative = false;
    double scale = 1;
  };

  ProcessImport(const Archive& archive, const ProcessDefinition& process, const Target& target, uint32_t pid);

  Communicator& communicator(OTF2_CommRef ref) {
    if (last_ == nullptr || ref != lastRef_) {
      last_ = &findCommunicator(ref);
      lastRef_ = ref;
    }
    return *last_;
  }
  Window& window(OTF2_RmaWinRef ref);
  // Members of a group, as ranks of a window; those that it does not have are left out.
  // Null if the group is not defined.
  const std::vector<uint32_t>* windowRanks(OTF2_RmaWinRef ref, OTF2_GroupRef group);
  uint32_t syncObject(format::SyncKind kind, uint64_t address);
  const MetricUse& metric(OTF2_MetricMemberRef ref);
  // A metric of the import's own: values of a parameter or an attribute.
  uint32_t ownMetric(const std::string& name, bool isFloating);
  // The number of a mark with this text, 0 if there are too many.
  uint32_t mark(const std::string& text);
  // The number of the file of an I/O handle, or of a file without one; 0 if it is not defined.
  uint32_t fileOf(OTF2_IoHandleRef handle);
  uint32_t fileNumber(OTF2_IoFileRef file);
  // Whether calls of the region exist in this trace.
  bool isRegion(OTF2_RegionRef region) const {
    return region != kUnknownRegion && (region >= kOwnRegions || archive.regions.count(region) > 0);
  }
  // Whether a thread can wait in it.
  bool isRoutine(OTF2_RegionRef region) const;
  // The name of a region, empty if it is not defined.
  const std::string& regionName(OTF2_RegionRef region) const;
  // The path of a calling context, kNone if it is not defined.
  uint32_t contextPath(OTF2_CallingContextRef ref);

  // The thread that began as this one of its contingent, -1 if that is not known.
  int64_t begun(OTF2_CommRef contingent, uint64_t sequence) const;

  // Writes the definitions file; all events are written.
  std::string writeDefinitions();
  std::string eventFile(uint32_t thread) const;

  const Archive& archive;
  const ProcessDefinition& definition;
  const Target& target;
  CallPathTable paths;
  Counts counts;
  std::vector<std::string> notes;
  std::string program;
  std::vector<std::string> arguments;
  uint32_t pid;            // in the names of files
  uint32_t processId = 0;  // as the archive has it, 0 if it does not
  bool ended = false;  // the archive has the exit status
  int64_t status = 0;
  uint64_t firstTicks = UINT64_MAX, lastTicks = 0;
  std::unordered_map<uint64_t, uint32_t> threadBegins;  // by contingent << 32 | sequence
  std::vector<int64_t> creators;                        // of each thread, -1 for none
  std::vector<uint64_t> begins;                         // ticks of the first event of each thread
  bool hasSamples = false, hasFunctionCalls = false;
  bool hasContextPaths = false;  // paths that no Enter has made
  // Parallel regions of OpenMP, as archives of OTF2 1.1 tell of them: when they began, in the main thread.
  struct Fork {
    uint64_t ticks;
    uint32_t threads;
  };
  std::vector<Fork> forks;
  struct AttributeCount {
    uint64_t read = 0, left = 0;
  };
  std::unordered_map<OTF2_AttributeRef, AttributeCount> attributes;

 private:
  // The groups of a communicator as world ranks, that of this process first. False if it is in neither.
  bool groupsOf(OTF2_CommRef ref, std::vector<uint64_t>* own, std::vector<uint64_t>* remote) const;
  struct Object {
    format::SyncKind kind;
    uint64_t address;
  };
  Communicator& findCommunicator(OTF2_CommRef ref);
  void define(OTF2_CommRef ref, Communicator* communicator);
  std::vector<uint64_t> ranksOf(const GroupDefinition& group) const;
  uint32_t addFile(uint64_t key, OTF2_StringRef name);
  void writeCommunicators(format::DefinitionsWriter* file) const;
  void writeCommunicator(format::DefinitionsWriter* file, uint32_t index) const;
  void writePaths(format::DefinitionsWriter* file) const;
  std::string stem() const;

  std::unordered_map<OTF2_CommRef, Communicator> communicators_;
  Communicator* last_ = nullptr;  // of `lastRef_`
  OTF2_CommRef lastRef_ = 0;
  std::unordered_map<OTF2_RmaWinRef, Window> windows_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> windowRanks_;  // by window << 32 | group
  struct Numbered {
    uint32_t ref;  // of a communicator, or of a window
    bool isWindow;
  };
  std::vector<Numbered> order_;  // of the numbers of communicators and windows, from 1
  std::unordered_map<uint64_t, uint32_t> objectNumbers_;
  std::vector<Object> objects_;
  std::unordered_map<OTF2_MetricMemberRef, MetricUse> metrics_;
  struct MetricText {
    std::string name, unit;
    bool isGauge, isFloating;
  };
  std::vector<MetricText> metricOrder_;
  std::unordered_map<std::string, uint32_t> ownMetrics_, marks_;
  std::vector<std::string> markOrder_;
  std::unordered_map<uint64_t, uint32_t> files_;  // by file, or handle with bit 32 set
  std::vector<std::string> fileOrder_;
  std::unordered_map<OTF2_CallingContextRef, uint32_t> contextPaths_;
};

}  // namespace parallax::otf2
