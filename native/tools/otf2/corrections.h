// How the times of threads' events are corrected, from a file as the file `clocks` of a trace (format/FORMAT.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace parallax::otf2 {

// Piecewise linear between knots; before the first and after the last one, times move by as much as these do. The same
// rounding as that of the Java reader (TimeMap).
class TimeMap {
 public:
  void add(int64_t fromNs, int64_t toNs) { knots_.emplace_back(fromNs, toNs); }
  bool isEmpty() const { return knots_.empty(); }
  // Of ascending times, constant time each.
  int64_t at(int64_t ns);

 private:
  std::vector<std::pair<int64_t, int64_t>> knots_;
  size_t after_ = 0;  // the first knot after the last time
};

class Corrections {
 public:
  // Returns an empty string, or why the file cannot be used.
  std::string read(const std::string& path);
  // Null if the times of the thread are not corrected.
  TimeMap* find(const std::string& process, uint32_t thread);

 private:
  std::map<std::pair<std::string, uint32_t>, TimeMap> threads_;
};

}  // namespace parallax::otf2
