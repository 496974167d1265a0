// Tasks of OpenMP, and parallel regions as OTF2 1.1 and older tell of them.
#include <algorithm>

#include "tools/otf2/location_import.h"

namespace parallax::otf2 {

using namespace format;

namespace {

constexpr uint64_t kOldTeam = uint64_t{1} << 40;  // in place of the number of a team

}  // namespace

// ---- tasks. Each is a signal of its creator, and one of its own end.

void LocationImport::createTask(uint64_t ticks, TaskName task) {
  mayWait_ = true;
  tasks_[task_].children.push_back(task);
  output_.event(Kind::kSignal, process_.syncObject(SyncKind::kOpenMpTasks, task.creator), ticks, {task.number});
}

// The calls of the task at hand end.
void LocationImport::suspendTask(uint64_t ticks) {
  if (task_ == 0) {
    // A thread that runs other tasks does not wait meanwhile.
    if (!isInCall() || isIdle_ || !process_.isRoutine(stack_.back().region)) return;
    suspended_ = stack_.back().region;
    isSuspended_ = true;
    pop(ticks);
    return;
  }
  Task& left = tasks_[task_];
  if (left.isComplete) {
    while (stack_.size() > taskDepth_) pop(ticks);
    tasks_.erase(task_);
    return;
  }
  left.frames.assign(stack_.begin() + static_cast<ptrdiff_t>(std::min(taskDepth_, stack_.size())), stack_.end());
  while (stack_.size() > taskDepth_) pop(ticks);
}

void LocationImport::switchTask(uint64_t ticks, TaskName name) {
  mayWait_ = true;
  const uint64_t next = name.key();
  if (next == task_) return;
  Task& task = tasks_[next];
  if (next != 0 && !task.hasBegun) {
    task.hasBegun = true;
    output_.event(Kind::kWake, process_.syncObject(SyncKind::kOpenMpTasks, name.creator), ticks, {name.number});
  }
  suspendTask(ticks);
  if (task_ == 0) taskDepth_ = stack_.size();
  task_ = next;
  if (next == 0) {
    if (isSuspended_) push(process_.paths.child(top(), suspended_), suspended_, ticks);
    isSuspended_ = false;
    return;
  }
  const std::vector<Frame> frames = std::move(tasks_[next].frames);
  for (const Frame& frame : frames) push(process_.paths.child(top(), frame.region), frame.region, ticks);
}

void LocationImport::completeTask(uint64_t ticks, TaskName task) {
  tasks_[task.key()].isComplete = true;
  output_.event(Kind::kSignal, process_.syncObject(SyncKind::kOpenMpTaskEnds, task.creator), ticks, {task.number});
}

// The end of a wait for all tasks that the one at hand has created: whoever ends last ends it.
void LocationImport::awaitTasks(uint64_t ticks) {
  Task& task = tasks_[task_];
  for (const TaskName& child : task.children) {
    output_.event(Kind::kWake, process_.syncObject(SyncKind::kOpenMpTaskEnds, child.creator), ticks, {child.number});
  }
  task.children.clear();
}

// ---- old parallel regions. Only the main thread tells of them; the others begin when they enter the region.

void LocationImport::fork(uint64_t ticks, uint32_t threads) {
  mayWait_ = true;
  process_.forks.push_back({ticks, threads});
  oldTeam_ = process_.forks.size();
  oldBarriers_ = 0;
  output_.event(Kind::kSignal, process_.syncObject(SyncKind::kOpenMpTasks, kOldTeam), ticks, {oldTeam_});
}

void LocationImport::beginOldTeam(OTF2_RegionRef region, uint64_t ticks) {
  const auto known = process_.archive.regions.find(region);
  // The first record of a thread is read before those of the main thread.
  const bool isFirst = records_ == 1;
  if (known == process_.archive.regions.end() || known->second.role != OTF2_REGION_ROLE_PARALLEL ||
      !openTeams_.empty() || (process_.forks.empty() && !isFirst)) {
    return;
  }
  oldTeamWake_ = output_.hold(ticks, 1);
  isOldTeamHeld_ = mayWait_ = true;
  if (!isFirst) resolveOldTeam();
  endIdle(ticks);
}

void LocationImport::resolveOldTeam() {
  if (!isOldTeamHeld_) return;
  isOldTeamHeld_ = false;
  const auto after = std::upper_bound(process_.forks.begin(), process_.forks.end(), oldTeamWake_.ticks,
                                      [](uint64_t ticks, const auto& each) { return ticks < each.ticks; });
  if (after == process_.forks.begin()) {
    output_.release(oldTeamWake_);
    return;
  }
  oldTeam_ = static_cast<uint64_t>(after - process_.forks.begin());
  oldBarriers_ = 0;
  output_.complete(oldTeamWake_, Kind::kWake, process_.syncObject(SyncKind::kOpenMpTasks, kOldTeam), {oldTeam_});
}

// The thread has left the region, and waits for the next.
void LocationImport::endOldTeam(uint64_t ticks) {
  resolveOldTeam();
  if (thread_ == 0) return;  // OmpJoin
  oldTeam_ = 0;
  push(process_.paths.child(0, ProcessImport::kIdle), ProcessImport::kIdle, ticks);
  isIdle_ = true;
}

}  // namespace parallax::otf2
