#include "bench/variables_effect.h"

#include <algorithm>
#include <cmath>

#include "bench/study_text.h"

namespace parallax::bench {
namespace {

bool isOfSame(const Comparison& one, const Comparison& other) {
  return one.value == other.value && one.call == other.call && one.bytes == other.bytes;
}

const Measurement* findMeasurement(const std::vector<Measurement>& all, const std::string& start, const std::string& stage,
                                   const Comparison& like, bool isAgain) {
  for (const Measurement& m : all) {
    if (m.isAgain == isAgain && m.start == start && m.comparison.stage == stage && isOfSame(m.comparison, like)) return &m;
  }
  return nullptr;
}

bool isOfTimes(const Measurement& m) {
  return m.comparison.stage == Stage::kExisting || m.comparison.stage == Stage::kNew || m.comparison.stage == Stage::kStart;
}

std::string callText(const Comparison& c) {
  if (c.call == kEagerLimit) {
    return format("eager messages of up to %.0f bytes, with %s of up to %.0f bytes", c.baseNs, c.value.c_str(), c.ns);
  }
  std::string text = c.call + (c.bytes > 0 ? format(" of %d bytes", c.bytes) : std::string());
  return text + format(": %.1f us, with %s %.1f us", c.baseNs / 1e3, c.value.c_str(), c.ns / 1e3);
}

std::string ratioText(const Comparison& c) { return format("x%.2f [%.2f, %.2f]", c.ratio, c.low, c.high); }

class Judge {
 public:
  explicit Judge(const std::vector<Measurement>& measurements) : all_(measurements) {}

  const Measurement* repeated(const std::string& start, const std::string& stage) const {
    return repeatedDifference(all_, start, stage);
  }

  const Measurement* find(const std::string& start, const std::string& stage, const Comparison& like, bool isAgain) const {
    return findMeasurement(all_, start, stage, like, isAgain);
  }

  // Whether all that was measured after a write excludes half of the difference `other`.
  bool isAbsent(const std::string& start, const std::string& stage, const Comparison& other) const {
    const Measurement* m = find(start, stage, other, false);
    if (m == nullptr) return false;
    const double half = std::sqrt(other.ratio);
    return other.ratio > 1 ? m->comparison.high < half : m->comparison.low > half;
  }

  Effect acts(const char* word, const Measurement& m) const {
    const Measurement* again = find(m.start, m.comparison.stage, m.comparison, true);
    Effect effect{word, m.start, callText(m.comparison) + ", " + ratioText(m.comparison)};
    if (again != nullptr) effect.evidence += ", again " + ratioText(again->comparison);
    return effect;
  }

  std::string largest() const {
    const Measurement* found = nullptr;
    for (const Measurement& m : all_) {
      if (isOfTimes(m) && (found == nullptr || sizeOf(m.comparison) > sizeOf(found->comparison))) found = &m;
    }
    return found == nullptr ? "" : "largest difference: " + callText(found->comparison) + ", " + ratioText(found->comparison);
  }

  // Values with which each run failed, or a result was wrong.
  std::string notes() const {
    std::string failed, wrong;
    for (const Measurement& m : all_) {
      std::string& list = m.comparison.stage == Stage::kFailed ? failed : wrong;
      if (m.comparison.stage != Stage::kFailed && m.comparison.stage != Stage::kWrong) continue;
      if ((list + " ").find(" " + m.comparison.value + " ") == std::string::npos) list += " " + m.comparison.value;
    }
    return (failed.empty() ? "" : "; the program ends with the value" + failed) +
        (wrong.empty() ? "" : "; wrong results with the value" + wrong);
  }

 private:
  const std::vector<Measurement>& all_;
};

Effect measuredEffect(const Plan& plan, const std::vector<Measurement>& measurements) {
  const Judge judge(measurements);
  if (measurements.empty()) return {EffectWord::kNotMeasured, "", "not measured yet"};
  for (const std::string& start : plan.starts) {
    if (const Measurement* m = judge.repeated(start, Stage::kExisting)) return judge.acts(EffectWord::kAtOnce, *m);
    if (const Measurement* m = judge.repeated(start, Stage::kNew)) {
      return judge.acts(judge.isAbsent(start, Stage::kExisting, m->comparison) ? EffectWord::kNew : EffectWord::kUndecided, *m);
    }
  }
  if (hasNoTimes(measurements)) return {EffectWord::kEnds, "", "no other value leaves the program running"};
  const std::string& start = plan.starts.back();
  for (const Measurement& m : measurements) {
    if (m.comparison.stage != Stage::kStart || m.start != start || !isCertain(m.comparison)) continue;
    const bool isNever = judge.isAbsent(start, Stage::kExisting, m.comparison) && judge.isAbsent(start, Stage::kNew, m.comparison);
    return {isNever ? EffectWord::kNever : EffectWord::kUndecided, start,
            "set at the start, " + callText(m.comparison) + ", " + ratioText(m.comparison) +
                (isNever ? "; written later, no difference" : "; written later, noise hides it")};
  }
  return {EffectWord::kNotSeen, "", judge.largest()};
}

}  // namespace

const Measurement* repeatedDifference(const std::vector<Measurement>& all, const std::string& start, const std::string& stage) {
  const Measurement* found = nullptr;
  for (const Measurement& m : all) {
    if (m.isAgain || m.start != start || m.comparison.stage != stage || !isDifferent(m.comparison)) continue;
    const Measurement* again = findMeasurement(all, start, stage, m.comparison, true);
    if (again == nullptr || !isCertain(again->comparison) || !isSameDirection(m.comparison, again->comparison)) continue;
    if (found == nullptr || sizeOf(m.comparison) > sizeOf(found->comparison)) found = &m;
  }
  return found;
}

bool hasNoTimes(const std::vector<Measurement>& all) { return !all.empty() && std::none_of(all.begin(), all.end(), isOfTimes); }

Effect effectOf(const Variable& variable, const Plan& plan, const std::vector<Measurement>& measurements) {
  if (variable.readable != Access::kYes || variable.isCrash()) {
    return {EffectWord::kNotMeasured, "", "access: " + (variable.end.empty() ? variable.readable : variable.end)};
  }
  if (!variable.isWritable()) return {EffectWord::kNever, "", "writing it: " + variable.writable};
  if (variable.isEarlyOnly) return {EffectWord::kNotMeasured, "", "it is there only if MPI_T is initialized before MPI_Init"};
  if (plan.isEmpty()) return {EffectWord::kNotMeasured, "", plan.reason};
  Effect effect = measuredEffect(plan, measurements);
  effect.evidence += Judge(measurements).notes();
  return effect;
}

}  // namespace parallax::bench
