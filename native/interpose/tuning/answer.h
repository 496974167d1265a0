// The answer of the process to an action.
#pragma once

#include <cstdint>

#include "base/text.h"
#include "live/live_page.h"

namespace parallax::tuning {

class Answer {
 public:
  explicit Answer(live::Action& action) : action_(action) {}

  // Adds to the text; what does not fit is left out.
  Answer& say(const char* text) {
    at_ = appendText(action_.answer, at_, kCapacity, text);
    action_.answer[at_] = '\0';
    return *this;
  }
  Answer& say(int64_t number) {
    at_ = appendNumber(action_.answer, at_, kCapacity, number);
    action_.answer[at_] = '\0';
    return *this;
  }
  // Refuses, with what was said as the reason.
  bool refuse() const { return false; }

  void setOld(uint64_t old) { action_.old = old; }
  void setResult(uint64_t result) { action_.result = result; }

 private:
  static constexpr size_t kCapacity = sizeof(live::Action::answer) - 1;
  live::Action& action_;
  size_t at_ = 0;
};

}  // namespace parallax::tuning
