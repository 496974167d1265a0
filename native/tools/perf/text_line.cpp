#include "tools/perf/text_line.h"

namespace parallax::perf {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isBlank(char c) { return c == ' ' || c == '\t'; }

int hexDigit(char c) {
  if (isDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

bool parseHex(std::string_view word, uint64_t* number) {
  if (word.size() > 2 && word[0] == '0' && word[1] == 'x') word.remove_prefix(2);
  if (word.empty() || word.size() > 16) return false;
  uint64_t value = 0;
  for (const char c : word) {
    const int digit = hexDigit(c);
    if (digit < 0) return false;
    value = value << 4 | static_cast<uint64_t>(digit);
  }
  *number = value;
  return true;
}

// "12.345678:", with six or nine digits.
bool parseTime(std::string_view word, int64_t* ns) {
  if (word.size() < 3 || word.back() != ':') return false;
  word.remove_suffix(1);
  const size_t point = word.find('.');
  if (point == std::string_view::npos || point == 0 || point > 9) return false;
  int64_t seconds = 0;
  if (!parseNumber(word.substr(0, point), &seconds) || seconds < 0) return false;
  const std::string_view part = word.substr(point + 1);
  if (part.empty() || part.size() > 9) return false;
  int64_t fraction = 0;
  for (size_t i = 0; i < 9; i++) {
    if (i < part.size() && !isDigit(part[i])) return false;
    fraction = fraction * 10 + (i < part.size() ? part[i] - '0' : 0);
  }
  *ns = seconds * 1'000'000'000 + fraction;
  return true;
}

// "795" or "795/812".
bool parseIds(std::string_view word, HeadLine* head) {
  const size_t slash = word.find('/');
  head->pid = -1;
  if (slash == std::string_view::npos) return parseNumber(word, &head->tid);
  return parseNumber(word.substr(0, slash), &head->pid) && parseNumber(word.substr(slash + 1), &head->tid);
}

bool parseCpu(std::string_view word, int32_t* cpu) {
  int64_t number = 0;
  if (word.size() < 3 || word[0] != '[' || word.back() != ']') return false;
  if (!parseNumber(word.substr(1, word.size() - 2), &number) || number < 0 || number > 1'000'000) return false;
  *cpu = static_cast<int32_t>(number);
  return true;
}

// "cycles:", "sched:sched_switch:", "cpu/event=1/pp:"
bool isEventName(std::string_view word) { return word.size() > 1 && word.back() == ':' && !isDigit(word[0]) && word[0] != '('; }

// What follows the time: a period, an event and more.
bool parseEvent(std::string_view text, HeadLine* head) {
  std::string_view rest = text;
  std::string_view word = nextWord(&rest);
  int64_t period = 0;
  if (parseNumber(word, &period) && period >= 0) {
    std::string_view after = rest;
    const std::string_view event = nextWord(&after);
    if (isEventName(event)) {
      head->period = static_cast<uint64_t>(period);
      head->hasPeriod = true;
      head->event = event.substr(0, event.size() - 1);
      head->rest = after;
      return true;
    }
  }
  if (isEventName(word)) {
    head->event = word.substr(0, word.size() - 1);
    head->rest = rest;
    return true;
  }
  if (word.rfind("PERF_RECORD_", 0) == 0) {
    head->event = word.substr(0, word.find_first_of(":("));
    head->rest = text.substr(static_cast<size_t>(word.data() - text.data()) + head->event.size());
    return true;
  }
  head->rest = text;
  return false;
}

}  // namespace

std::string_view nextWord(std::string_view* text) {
  size_t begin = 0;
  while (begin < text->size() && isBlank((*text)[begin])) begin++;
  size_t end = begin;
  while (end < text->size() && !isBlank((*text)[end])) end++;
  const std::string_view word = text->substr(begin, end - begin);
  text->remove_prefix(end);
  return word;
}

bool parseNumber(std::string_view word, int64_t* number) {
  const bool isNegative = !word.empty() && word[0] == '-';
  if (isNegative) word.remove_prefix(1);
  if (word.empty() || word.size() > 18) return false;
  int64_t value = 0;
  for (const char c : word) {
    if (!isDigit(c)) return false;
    value = value * 10 + (c - '0');
  }
  *number = isNegative ? -value : value;
  return true;
}

std::string_view valueOf(std::string_view text, std::string_view key) {
  for (size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    if (at > 0 && !isBlank(text[at - 1])) continue;
    std::string_view rest = text.substr(at + key.size());
    return nextWord(&rest);
  }
  return {};
}

// The name of a thread can have blanks and digits. Its number is the first one with a time behind, else the first one
// with a processor or an event behind.
bool parseHead(std::string_view line, HeadLine* head) {
  const size_t nameAt = line.find_first_not_of(" \t");
  if (nameAt == std::string_view::npos) return false;
  for (const bool withTime : {true, false}) {
    std::string_view text = line;
    while (!text.empty()) {
      const std::string_view word = nextWord(&text);
      if (word.empty()) break;
      if (!isDigit(word.back()) || !parseIds(word, head)) continue;
      std::string_view rest = text;
      std::string_view next = nextWord(&rest);
      head->cpu = -1;
      const bool hasCpu = parseCpu(next, &head->cpu);
      std::string_view afterCpu = hasCpu ? rest : text;
      std::string_view afterTime = afterCpu;
      const std::string_view time = nextWord(&afterTime);
      head->ns = kNoTime;
      const bool hasTime = parseTime(time, &head->ns);
      if (hasTime != withTime) continue;
      head->event = {};
      head->hasPeriod = false;
      head->period = 0;
      if (!parseEvent(hasTime ? afterTime : afterCpu, head) && !hasTime && !hasCpu) continue;
      size_t end = static_cast<size_t>(word.data() - line.data());
      while (end > nameAt && isBlank(line[end - 1])) end--;
      head->name = line.substr(nameAt, end > nameAt ? end - nameAt : 0);
      return true;
    }
  }
  return false;
}

bool parseFrame(std::string_view line, FrameLine* frame) {
  if (!parseHex(nextWord(&line), &frame->address)) return false;
  while (!line.empty() && isBlank(line.front())) line.remove_prefix(1);
  while (!line.empty() && (isBlank(line.back()) || line.back() == '\r')) line.remove_suffix(1);
  frame->function = frame->file = {};
  frame->isInlined = false;
  // The file in parentheses, which can have parentheses itself.
  if (!line.empty() && line.back() == ')') {
    size_t depth = 0, at = line.size();
    while (at > 0) {
      at--;
      depth += line[at] == ')' ? 1 : 0;
      if (line[at] == '(' && --depth == 0) break;
    }
    if (depth == 0 && (at == 0 || isBlank(line[at - 1]))) {
      frame->file = line.substr(at + 1, line.size() - at - 2);
      line = line.substr(0, at);
      while (!line.empty() && isBlank(line.back())) line.remove_suffix(1);
    }
  }
  frame->isInlined = frame->file == "inlined";
  if (frame->isInlined) frame->file = {};
  const size_t plus = line.rfind("+0x");
  uint64_t offset = 0;
  if (plus != std::string_view::npos && plus > 0 && parseHex(line.substr(plus + 1), &offset)) line = line.substr(0, plus);
  frame->function = line;
  return true;
}

}  // namespace parallax::perf
