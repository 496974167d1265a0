// What a machine's /proc tells of its load, processors, memory, paging, disks and network.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "include/parallax/parallax.h"

namespace parallax::monitor {

// Files stay open: reading all again takes some 0.2 ms, most of it in the kernel.
class Machine {
 public:
  struct Metric {
    const char* name;
    parallax_metric_kind kind;
    const char* unit;
  };

  // `root` stands before /proc and /sys.
  explicit Machine(const std::string& root = "");
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  static const std::vector<Metric>& metrics();
  // A value for each metric, NaN for those of which the machine does not tell. What is a counter
  // never goes back, as some of the kernel's do for a moment.
  const std::vector<double>& read();

 private:
  enum File { kLoad, kStat, kMemory, kPaging, kDisks, kNetwork, kFiles };

  std::string_view text(File file);
  void set(const char* name, double value);
  void readProcessors(std::string_view text);
  void readNumbers(std::string_view text);
  void readDisks(std::string_view text);
  void readNetwork(std::string_view text);
  bool isWholeDisk(const std::string& name);
  bool isOwnInterface(const std::string& name);

  const std::string root_;
  std::array<int, kFiles> files_;
  std::vector<char> buffer_;
  std::vector<double> values_;
  // By name: whether its numbers are not in those of another one anyway.
  std::map<std::string, bool> disks_, interfaces_;
};

}  // namespace parallax::monitor
