// One line of what `perf script` prints.
#pragma once

#include <cstdint>
#include <string_view>

#include "tools/perf/recording.h"

namespace parallax::perf {

// The line with which a sample or another record begins.
struct HeadLine {
  std::string_view name;  // of the thread
  int64_t pid = -1, tid = -1;
  int32_t cpu = -1;
  int64_t ns = kNoTime;
  uint64_t period = 0;
  bool hasPeriod = false;
  std::string_view event;  // without the colon; empty if the line has none
  std::string_view rest;   // after the event
};

// Returns false if the line is none.
bool parseHead(std::string_view line, HeadLine* head);

// A frame of a call path.
struct FrameLine {
  uint64_t address = 0;
  std::string_view function;  // without the offset; empty if it is not known
  std::string_view file;
  bool isInlined = false;
};
bool parseFrame(std::string_view line, FrameLine* frame);

// The next word, and what follows.
std::string_view nextWord(std::string_view* text);
// A decimal number, possibly negative. Returns false if the word is none.
bool parseNumber(std::string_view word, int64_t* number);
// The number after `key` in a text such as "prev_pid=12 prev_state=S"; the word, empty if there is none.
std::string_view valueOf(std::string_view text, std::string_view key);

}  // namespace parallax::perf
