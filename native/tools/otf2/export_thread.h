// Writes the events of a thread as those of a location of an archive.
#pragma once

#include <otf2/otf2.h>

#include <unordered_set>
#include <vector>

#include "format/reader.h"
#include "tools/otf2/corrections.h"
#include "tools/otf2/export.h"
#include "tools/otf2/export_process.h"

namespace parallax::otf2 {

class ThreadExport {
 public:
  // `withContexts`: calls are those of calling contexts. An archive has either these or plain regions. Times are from
  // `originNs` on, and corrected if there are `corrections`.
  ThreadExport(ProcessExport* process, uint32_t thread, ExportNames* names, OTF2_EvtWriter* writer, bool withContexts,
               int64_t originNs, TimeMap* corrections, ExportCounts* counts)
      : process_(*process), names_(*names), counts_(*counts), writer_(writer), thread_(thread),
        withContexts_(withContexts), originNs_(originNs),
        corrections_(corrections) {}

  // Writes the beginning of the process with its main thread.
  void begin(uint64_t ticks);
  void block(const format::BlockView& block);
  // Ends what is open.
  void end();

  uint64_t lastTime() const { return last_; }
  uint64_t firstTime() const { return first_; }

 private:
  using Event = format::Event;

  uint64_t at(uint64_t ticks) {
    const int64_t recorded = process_.clock.timeNs(ticks);
    const int64_t ns = (corrections_ == nullptr ? recorded : corrections_->at(recorded)) - originNs_;
    if (ns > static_cast<int64_t>(last_)) last_ = static_cast<uint64_t>(ns);
    return last_;
  }
  void check(OTF2_ErrorCode code) { names_.check(code); }
  void resume(const format::BlockView& block);
  void enter(uint64_t path, uint64_t time);
  void leaveTop(uint64_t time);
  // Each returns whether the event has a record.
  bool write(const Event& event, uint64_t time);
  bool leave(uint64_t path, uint64_t time);
  bool sample(uint64_t path, uint64_t time);
  bool message(const Event& event, uint64_t time);
  bool collective(const Event& event, uint64_t time);
  bool lock(const Event& event, uint64_t time);
  bool thread(const Event& event, uint64_t time);
  bool value(const Event& event, uint64_t time);
  // Between the call before and this one, as OTF2 has it.
  uint32_t unwind(OTF2_CallingContextRef context);

  ProcessExport& process_;
  ExportNames& names_;
  ExportCounts& counts_;
  OTF2_EvtWriter* writer_;
  uint32_t thread_;
  bool withContexts_;
  int64_t originNs_;
  TimeMap* corrections_;
  uint64_t first_ = UINT64_MAX, last_ = 0;
  uint64_t enteredAt_ = 0;  // the time of the last record, if it was an Enter
  bool hasEntered_ = false;
  bool isBeginning_ = true;  // there were only events that tell what came before those that were kept
  uint64_t nextBlock_ = 0;
  std::vector<uint64_t> open_;  // call paths
  std::unordered_set<uint64_t> posted_;  // collectives that have not completed
  OTF2_CallingContextRef context_ = OTF2_UNDEFINED_CALLING_CONTEXT;  // of the call before
};

}  // namespace parallax::otf2
