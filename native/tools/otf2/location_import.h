// Writes the events of one location of an archive as those of a thread of the trace.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tools/conversion/event_output.h"
#include "tools/otf2/process_import.h"

namespace parallax::otf2 {

using conversion::EventOutput;

class LocationImport {
 public:
  LocationImport(ProcessImport* process, uint32_t thread);

  // Callbacks for all records; their user data is a LocationImport. Attributes cost time even where there are none.
  static OTF2_EvtReaderCallbacks* callbacks(bool hasAttributes);

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
    ProcessImport::Communicator* communicator = nullptr;
    uint64_t opAndRoot = 0, sent = 0, received = 0;
    EventOutput::Place post, done;
  };

  // The time of an event in the trace: it never decreases.
  uint64_t at(uint64_t time) {
    records_++;
    const uint64_t ticks = divisor_ == 1 ? time : time / divisor_;
    if (ticks < lastTicks_ || !hasBegun_) return atUnusual(ticks);
    return lastTicks_ = ticks;
  }
  uint64_t atUnusual(uint64_t ticks);
  void leave(RecordType type, Fault fault) {
    process_.counts.left[static_cast<size_t>(type)]++;
    process_.counts.faults[static_cast<size_t>(fault)]++;
  }
  void fault(Fault fault) { process_.counts.faults[static_cast<size_t>(fault)]++; }
  ProcessImport::Communicator* member(RecordType type, OTF2_CommRef ref, uint32_t peer);
  void push(uint32_t path, uint32_t region, uint64_t ticks) {
    output_.call(format::Kind::kEnter, ticks, path);
    stack_.push_back({path, region});
    output_.setOpenPath(path);
  }
  void pop(uint64_t ticks) {
    if (!stack_.back().isEnded) output_.call(format::Kind::kLeave, ticks, stack_.back().path);
    stack_.pop_back();
    output_.setOpenPath(top());
  }
  uint32_t top() const { return stack_.empty() ? 0 : stack_.back().path; }
  void enter(OTF2_RegionRef region, uint64_t ticks) {
    // A known path below an open region is nothing special, if an Enter has made it.
    if (!stack_.empty() && !isIdle_ && (process_.hasFunctionCalls || !process_.hasContextPaths)) {
      const uint32_t path = process_.paths.find(stack_.back().path, region);
      if (path != CallPathTable::kNone) {
        push(path, region, ticks);
        return;
      }
    }
    enterUnusual(region, ticks);
  }
  void enterUnusual(OTF2_RegionRef region, uint64_t ticks);
  void leaveRegion(OTF2_RegionRef region, uint64_t ticks) {
    // The end of the innermost of several regions, which no other thread ends.
    if (stack_.size() > 1 && stack_.back().region == region && !mayWait_) {
      pop(ticks);
    } else {
      leaveUnusual(region, ticks);
    }
  }
  void leaveUnusual(OTF2_RegionRef region, uint64_t ticks);
  void leaveSynchronization(uint64_t ticks);
  void leaveBarrier(uint64_t ticks);
  // `communicator` is null if the record was left out.
  void collective(RecordType type, uint64_t ticks, ProcessImport::Communicator* communicator, format::Collective kind,
                  uint32_t root, uint64_t sent, uint64_t received, const uint64_t* request);
  void collective(RecordType type, uint64_t ticks, OTF2_CollectiveOp op, OTF2_CommRef ref, uint32_t root,
                  uint64_t sent, uint64_t received, const uint64_t* request);
  void resolveCollectives();
  void dropCollectives();
  void acquire(uint64_t ticks, uint64_t lock, uint32_t order, format::SyncKind kind);
  void release(RecordType type, uint64_t ticks, uint64_t lock, uint32_t order, format::SyncKind kind);
  void beginTeam(OTF2_CommRef team, uint64_t ticks);
  void endIdle(uint64_t ticks);
  void endTeam(OTF2_CommRef team, uint64_t ticks);
  void metrics(uint64_t ticks, OTF2_MetricRef metric, uint8_t count, const OTF2_Type* types,
               const OTF2_MetricValue* values);
  void pause(bool isOff, uint64_t ticks);
  void sample(OTF2_CallingContextRef context, OTF2_InterruptGeneratorRef generator, uint64_t ticks);
  void parameter(RecordType type, uint64_t ticks, OTF2_ParameterRef ref, uint64_t bits, bool isSigned);
  void textParameter(uint64_t ticks, OTF2_ParameterRef ref, OTF2_StringRef text);
  void attributes(const OTF2_AttributeList* list);
  void value(uint32_t metric, uint64_t ticks, uint64_t bits) {
    output_.event(format::Kind::kValue, metric, ticks, {bits & 0xFFFFFFFF, bits >> 32});
  }
  void poll(RecordType type, uint64_t ticks);
  bool isInCall() const { return !stack_.empty() && !stack_.back().isEnded; }

  // One-sided communication.
  ProcessImport::Window* window(RecordType type, OTF2_RmaWinRef ref, uint32_t rank);
  void windowCollective(uint64_t ticks, OTF2_CollectiveOp op, OTF2_RmaSyncLevel level, OTF2_RmaWinRef ref,
                        uint32_t root, uint64_t sent, uint64_t received);
  void windowGroup(uint64_t ticks, OTF2_RmaSyncLevel level, OTF2_RmaWinRef ref, OTF2_GroupRef group);
  void windowOperation(RecordType type, uint64_t ticks, OTF2_RmaWinRef ref, uint32_t rank, format::WindowOp op,
                       uint64_t sent, uint64_t received, uint64_t id);
  void windowComplete(RecordType type, uint64_t ticks, OTF2_RmaWinRef ref, uint64_t id);
  void windowLock(RecordType type, uint64_t ticks, OTF2_RmaWinRef ref, uint32_t rank, uint64_t lock,
                  OTF2_LockType kind);
  void tellLock(uint64_t ticks);
  void windowUnlock(uint64_t ticks, OTF2_RmaWinRef ref, uint32_t rank);

  // Files.
  void fileEvent(RecordType type, uint64_t ticks, uint32_t file, format::FileOp op, uint64_t bytes);
  void beginOperation(uint64_t ticks, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode, uint64_t id);
  void endOperation(RecordType type, uint64_t ticks, OTF2_IoHandleRef handle, uint64_t bytes, uint64_t id);
  void cancelOperation(OTF2_IoHandleRef handle, uint64_t id);

  // Tasks. An explicit task is named by its team, the thread that created it and that thread's number for it.
  struct TaskName {
    uint64_t creator = 0;  // an address that stands for team and thread
    uint64_t number = 0;   // 0 for the implicit task
    uint64_t key() const { return number == 0 ? 0 : creator * 0x9E3779B97F4A7C15 ^ number; }
  };
  void createTask(uint64_t ticks, TaskName task);
  void switchTask(uint64_t ticks, TaskName task);
  void completeTask(uint64_t ticks, TaskName task);
  void suspendTask(uint64_t ticks);
  void awaitTasks(uint64_t ticks);

  // Parallel regions, as OTF2 1.1 and older tell of them.
  void fork(uint64_t ticks, uint32_t threads);
  void beginOldTeam(OTF2_RegionRef region, uint64_t ticks);
  void resolveOldTeam();
  void endOldTeam(uint64_t ticks);

  struct Team {
    uint64_t begins = 0, barriers = 0;
  };

  ProcessImport& process_;
  uint32_t thread_;
  uint64_t divisor_;
  EventOutput output_;
  std::vector<Frame> stack_;
  uint64_t lastTicks_ = 0, records_ = 0;
  bool hasBegun_ = false, isPaused_ = false;
  uint32_t forks_ = 0;  // of this thread whose team has not begun
  bool isIdle_ = false;
  bool mayWait_ = false;  // regions may be waits of OpenMP, or for locks of windows
  std::unordered_map<uint64_t, EventOutput::Place> receives_;  // posted, by request
  std::deque<Deferred> collectives_;
  std::unordered_map<OTF2_CommRef, Team> teams_;
  std::vector<OTF2_CommRef> openTeams_;
  std::unordered_map<uint32_t, double> sums_;  // of relative metrics

  struct Operation {
    uint32_t rank;
    uint64_t sent, received;
  };
  std::unordered_map<uint64_t, Operation> operations_;  // on windows, by window and number
  std::unordered_set<uint64_t> lockRequests_;           // whose acquisition has not been told
  struct Lock {
    uint32_t window = 0;
    uint64_t opAndRank = 0;
  };
  Lock lock_;  // that the call at hand has requested; no window for none
  uint64_t lastFlush_ = UINT64_MAX, lastFlushTicks_ = 0;  // window and rank

  struct FileOperation {
    OTF2_IoHandleRef handle;
    format::FileOp op;
    bool isInside;  // of an operation of the handle through which this one was opened
  };
  using FileOperations = std::unordered_map<uint64_t, FileOperation>;
  void forget(FileOperations::iterator operation);
  FileOperations fileOperations_;  // that have begun, by handle and number
  std::unordered_map<OTF2_IoHandleRef, uint32_t> openOperations_;  // how many of them each handle has

  struct Task {
    bool hasBegun = false, isComplete = false;
    std::vector<Frame> frames;       // of a task that is suspended
    std::vector<TaskName> children;  // created since the last wait for them
  };
  std::unordered_map<uint64_t, Task> tasks_;  // key 0 is the implicit one
  uint64_t task_ = 0;
  size_t taskDepth_ = 0;  // calls on the stack that belong to the implicit task
  uint32_t suspended_ = 0;  // the routine in which the implicit task waits while others run
  bool isSuspended_ = false;

  uint64_t oldTeam_ = 0, oldBarriers_ = 0;  // the number of the parallel region, 0 for none
  bool isOldTeamHeld_ = false;
  EventOutput::Place oldTeamWake_;
};

}  // namespace parallax::otf2
