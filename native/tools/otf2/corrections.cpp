#include "tools/otf2/corrections.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace parallax::otf2 {

int64_t TimeMap::at(int64_t ns) {
  if (knots_.empty()) return ns;
  if (after_ > 0 && knots_[after_ - 1].first > ns) after_ = 0;
  while (after_ < knots_.size() && knots_[after_].first <= ns) after_++;
  if (after_ == 0) return ns + (knots_[0].second - knots_[0].first);
  const auto& [from, to] = knots_[after_ - 1];
  const int64_t passed = ns - from;
  if (after_ == knots_.size()) return to + passed;
  const int64_t width = knots_[after_].first - from, growth = knots_[after_].second - to;
  if (growth == width) return to + passed;
  return to + std::min(growth, static_cast<int64_t>(static_cast<double>(passed) *
                                                    (static_cast<double>(growth) / static_cast<double>(width))));
}

std::string Corrections::read(const std::string& path) {
  const std::string damaged = path + " is damaged";
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != "parallax-clocks\t1") return path + " cannot be read";
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string word, process;
    uint32_t thread;
    uint64_t count;
    std::getline(fields, word, '\t');
    if (word == "clock") continue;
    if (word != "thread" || !std::getline(fields, process, '\t') || !(fields >> thread >> count)) return damaged;
    TimeMap& map = threads_[{process, thread}];
    for (int64_t from, to; count > 0; count--) {
      if (!(file >> from >> to)) return damaged;
      map.add(from, to);
    }
    std::getline(file, line);  // the end of the last line
  }
  return "";
}

TimeMap* Corrections::find(const std::string& process, uint32_t thread) {
  const auto found = threads_.find({process, thread});
  return found == threads_.end() || found->second.isEmpty() ? nullptr : &found->second;
}

}  // namespace parallax::otf2
