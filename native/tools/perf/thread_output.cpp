#include "tools/perf/thread_output.h"

#include <algorithm>
#include <cmath>

namespace parallax::perf {

using namespace format;
using conversion::EventOutput;

namespace {

constexpr size_t kMostRatios = 1'000'000;
// Timers are late by a little: such differences are put together before a time without a processor is written.
constexpr double kJitter = 1.0 / 16;

}  // namespace

// A clock of the processor, else what the processor counts, else the event with most samples.
Timing timingOf(const Recording& recording) {
  Timing timing;
  const auto better = [&](uint32_t a, uint32_t b) {
    if (b == kNone) return true;
    const Event &one = recording.events[a], &other = recording.events[b];
    if (one.isTime() != other.isTime()) return one.isTime();
    if (one.isProcessor() != other.isProcessor()) return one.isProcessor();
    return one.samples > other.samples;
  };
  for (uint32_t i = 0; i < recording.events.size(); i++) {
    const Event& event = recording.events[i];
    if (event.samples > 0 && event.periods > 0 && !event.isSwitch() && better(i, timing.event)) timing.event = i;
  }
  if (timing.event == kNone || recording.events[timing.event].isTime()) return timing;
  // While a thread runs, the time between two samples is that of the period. The lower quartile is of such samples, as
  // long as threads run most of the time in which they are sampled.
  std::vector<double> ratios;
  for (const Thread& thread : recording.threads) {
    int64_t before = kNoTime;
    for (const Record& record : thread.records) {
      if (record.type != Type::kSample || record.event != timing.event || record.value == 0) continue;
      if (before != kNoTime && record.ns > before && ratios.size() < kMostRatios) {
        ratios.push_back(static_cast<double>(record.ns - before) / static_cast<double>(record.value));
      }
      before = record.ns;
    }
  }
  if (ratios.empty()) return timing;
  const auto quartile = ratios.begin() + static_cast<ptrdiff_t>(ratios.size() / 4);
  std::nth_element(ratios.begin(), quartile, ratios.end());
  timing.nsPerUnit = *quartile;
  return timing;
}

void ThreadOutput::prepare() {
  const Record& first = thread_.records.front();
  beginNs_ = first.ns;
  endNs_ = thread_.records.back().ns;
  for (const Record& record : thread_.records) {
    if (record.type != Type::kSample || record.event != timing_.event) continue;
    const auto need = static_cast<int64_t>(std::min<double>(needOf(record), static_cast<double>(kMostNs)));
    if (!thread_.hasSwitches) beginNs_ = std::min(beginNs_, record.ns - need);
    break;
  }
  if (thread_.beginNs != kNoTime && thread_.beginNs <= first.ns) {
    beginNs_ = thread_.hasSwitches ? thread_.beginNs : std::min(beginNs_, thread_.beginNs);
  }
}

void ThreadOutput::lose(EventOutput* output, int64_t ns, int64_t lostNs, uint64_t runnableNs) {
  if (lostNs <= 0) return;
  lostNs_ += static_cast<uint64_t>(lostNs);
  output->event(Kind::kCpu, 0, ticks(ns),
                {static_cast<uint64_t>(ns - beginNs_) - lostNs_, static_cast<uint64_t>(lostNs), runnableNs});
  output->setLost(lostNs_ + static_cast<uint64_t>(beginNs_ - baseNs_));
  lastNs_ = ns;
}

void ThreadOutput::put(EventOutput* output, const Record& record) {
  if (record.type == Type::kCreate) {
    const auto created = numbers_.threads->find(static_cast<uint32_t>(record.value));
    if (created != numbers_.threads->end()) output->event(Kind::kThreadCreate, 0, ticks(record.ns), {created->second});
  } else if (record.type == Type::kSample) {
    uint64_t& total = totals_[record.event];
    total += record.value;
    const auto number = static_cast<uint32_t>(numbers_.metrics->size() + 1);
    const uint32_t metric = numbers_.metrics->try_emplace(record.event, number).first->second;
    output->event(Kind::kValue, metric, ticks(record.ns), {total & 0xFFFFFFFF, total >> 32});
  } else {
    return;
  }
  lastNs_ = record.ns;
}

// Writes the events that wait. Up to `lostUntil`, the thread had no processor.
void ThreadOutput::flush(EventOutput* output, int64_t lostUntil) {
  for (const Record& record : waiting_) {
    if (record.ns > lostUntil) lose(output, lostUntil, lostUntil - lastNs_, kRunnableUnknown);
    if (record.ns <= lostUntil) lose(output, record.ns, record.ns - lastNs_, kRunnableUnknown);
    put(output, record);
  }
  waiting_.clear();
  lose(output, lostUntil, lostUntil - lastNs_, kRunnableUnknown);
}

// Before a sample, the thread had a processor for the time that the sample stands for, and none before that.
void ThreadOutput::sample(EventOutput* output, const Record& record, bool isLast) {
  const double need = needOf(record);
  sums_.sampledNs += static_cast<uint64_t>(need);
  const auto passed = static_cast<double>(record.ns - lastNs_);
  if (thread_.hasSwitches) {
    if (isOut_) {  // the record of its return is missing
      in(output, record.ns - static_cast<int64_t>(std::min(need, static_cast<double>(record.ns - std::max(lastNs_, outNs_)))));
    }
    flush(output, lastNs_);
  } else {
    const double balance = need + debtNs_ - passed;
    int64_t cut = lastNs_;
    if (balance < (isLast ? 0 : -need * kJitter)) {
      cut = record.ns - static_cast<int64_t>(std::llround(std::max(0.0, need + debtNs_)));
      debtNs_ = 0;
    } else {
      debtNs_ = balance;
    }
    flush(output, std::max(cut, lastNs_));
  }
  output->call(Kind::kSample, ticks(record.ns), (*numbers_.paths)[record.stack]);
  lastNs_ = record.ns;
}

void ThreadOutput::out(EventOutput* output, const Record& record) {
  flush(output, lastNs_);
  if (isOut_) in(output, record.ns);
  if (record.stack != 0) {
    output->call(Kind::kSample, ticks(record.ns), (*numbers_.paths)[record.stack]);
    lastNs_ = record.ns;
  }
  isOut_ = true;
  outNs_ = std::max(record.ns, lastNs_);
  outState_ = record.value;
  wokenNs_ = kNoTime;
}

void ThreadOutput::in(EventOutput* output, int64_t ns) {
  flush(output, lastNs_);
  const int64_t lost = ns - std::max(outNs_, lastNs_);
  uint64_t runnable = kRunnableUnknown;
  if (outState_ == kPreempted) {
    runnable = static_cast<uint64_t>(std::max<int64_t>(0, lost));
  } else if (wokenNs_ != kNoTime) {
    runnable = static_cast<uint64_t>(std::clamp<int64_t>(ns - wokenNs_, 0, std::max<int64_t>(0, lost)));
  }
  lose(output, ns, lost, runnable);
  isOut_ = false;
}

std::string ThreadOutput::write(const std::string& path, uint32_t number, uint64_t creatorPlusOne, const ClockLine& clock,
                                int64_t baseNs) {
  clock_ = clock;
  baseNs_ = baseNs;
  EventOutput output(path, number, clock);
  output.setLost(static_cast<uint64_t>(beginNs_ - baseNs_));
  output.event(Kind::kThreadBegin, 0, ticks(beginNs_), {creatorPlusOne});
  lastNs_ = beginNs_;
  size_t lastSample = thread_.records.size();
  while (lastSample > 0 && (thread_.records[lastSample - 1].type != Type::kSample ||
                            thread_.records[lastSample - 1].event != timing_.event)) {
    lastSample--;
  }
  if (thread_.hasSwitches && thread_.records.front().type == Type::kIn && thread_.beginNs != kNoTime) {
    isOut_ = true;  // created, and not run yet
    outNs_ = beginNs_;
    outState_ = kPreempted;
  }
  for (size_t i = 0; i < thread_.records.size(); i++) {
    const Record& record = thread_.records[i];
    switch (record.type) {
      case Type::kSample:
        if (record.event == timing_.event) {
          sample(&output, record, i + 1 == lastSample);
        } else {
          waiting_.push_back(record);
        }
        break;
      case Type::kCreate: waiting_.push_back(record); break;
      case Type::kOut: out(&output, record); break;
      case Type::kIn:
        if (isOut_) in(&output, record.ns);
        break;
      case Type::kWoken:
        if (isOut_ && wokenNs_ == kNoTime) wokenNs_ = record.ns;
        break;
      case Type::kEnd: break;
    }
    // A thread without such samples cannot keep all others.
    if (waiting_.size() > 100'000) flush(&output, lastNs_);
  }
  if (isOut_) {
    in(&output, endNs_);
  } else if (!thread_.hasSwitches) {
    flush(&output, endNs_);  // nothing tells that it had a processor
  } else {
    flush(&output, lastNs_);
  }
  output.event(Kind::kThreadEnd, 0, ticks(endNs_));
  output.close();
  const auto wall = static_cast<uint64_t>(endNs_ - beginNs_);
  sums_.wallNs += wall;
  if (thread_.hasSwitches) sums_.switchedNs += wall - lostNs_;
  if (debtNs_ > 0) sums_.unplacedNs += static_cast<uint64_t>(debtNs_);
  std::vector<Record>().swap(thread_.records);
  return output.error();
}

}  // namespace parallax::perf
