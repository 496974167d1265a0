// Writes the events of one location of an archive as those of a thread of the trace.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/otf2/event_output.h"
#include "tools/otf2/process_import.h"

namespace parallax::otf2 {

class LocationImport {
 public:
  LocationImport(ProcessImport* process, uint32_t thread);

  // Callbacks for all records; their user data is a LocationImport.
  static OTF2_EvtReaderCallbacks* callbacks();

  // All records are read: ends the thread. Returns an empty string, or why the file could not be written.
  std::string close();
  uint64_t records() const { return records_; }

 private:
  friend struct EventReader;
  struct Frame {
    uint32_t path, region;
    bool isEnded = false;  // its Leave is written, although the region goes on
  };
  // A collective whose sequence is not known, because one before it has not told its communicator.
  struct Deferred {
    uint64_t request = 0;
    bool isPosted = false, isComplete = false;
    OTF2_CommRef communicator = 0;
    uint64_t opAndRoot = 0, sent = 0, received = 0;
    EventOutput::Place post, done;
  };

  // The time of an event in the trace: it never decreases.
  uint64_t at(uint64_t time);
  void leave(RecordType type, Fault fault) {
    process_.counts.left[static_cast<size_t>(type)]++;
    process_.counts.faults[static_cast<size_t>(fault)]++;
  }
  void fault(Fault fault) { process_.counts.faults[static_cast<size_t>(fault)]++; }
  ProcessImport::Communicator* member(RecordType type, OTF2_CommRef ref, uint32_t peer);
  void push(uint32_t path, uint32_t region, uint64_t ticks);
  void pop(uint64_t ticks);
  uint32_t top() const { return stack_.empty() ? 0 : stack_.back().path; }
  void enter(OTF2_RegionRef region, uint64_t ticks);
  void leaveRegion(OTF2_RegionRef region, uint64_t ticks);
  void leaveBarrier(uint64_t ticks);
  void collective(RecordType type, uint64_t ticks, OTF2_CollectiveOp op, OTF2_CommRef communicator, uint32_t root,
                  uint64_t sent, uint64_t received, const uint64_t* request);
  void resolveCollectives();
  void dropCollectives();
  void acquire(uint64_t ticks, uint64_t lock, uint32_t order, format::SyncKind kind);
  void release(RecordType type, uint64_t ticks, uint64_t lock, uint32_t order, format::SyncKind kind);
  void beginTeam(OTF2_CommRef team, uint64_t ticks);
  void endTeam(OTF2_CommRef team, uint64_t ticks);
  void metrics(uint64_t ticks, OTF2_MetricRef metric, uint8_t count, const OTF2_Type* types,
               const OTF2_MetricValue* values);
  void pause(bool isOff, uint64_t ticks);

  struct Team {
    uint64_t begins = 0, barriers = 0;
  };

  ProcessImport& process_;
  uint32_t thread_;
  EventOutput output_;
  std::vector<Frame> stack_;
  uint64_t lastTicks_ = 0, records_ = 0;
  bool hasBegun_ = false, isPaused_ = false;
  uint32_t forks_ = 0;  // of this thread whose team has not begun
  bool isIdle_ = false;
  std::unordered_map<uint64_t, EventOutput::Place> receives_;  // posted, by request
  std::deque<Deferred> collectives_;
  std::unordered_map<OTF2_CommRef, Team> teams_;
  std::vector<OTF2_CommRef> openTeams_;
  std::unordered_map<uint32_t, double> sums_;  // of relative metrics
};

}  // namespace parallax::otf2
