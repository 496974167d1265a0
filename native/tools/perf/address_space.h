// Which files of code processes have at their addresses.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/perf/recording.h"

namespace parallax::perf {

class AddressSpaces {
 public:
  explicit AddressSpaces(Recording* recording) : recording_(*recording) {}

  void setBuildId(std::string_view path, std::string_view buildId) { buildIds_[std::string(path)] = buildId; }
  void map(int64_t pid, bool isKernel, uint64_t start, uint64_t bytes, uint64_t fileOffset, std::string_view path,
           std::string_view buildId);
  void fork(int64_t pid, int64_t parent);
  void exec(int64_t pid) { spaces_.erase(pid); version_++; }
  // The frame of an address, kNone if there are too many files.
  uint32_t frame(int64_t pid, bool isKernel, uint64_t address);

 private:
  struct Mapping {
    uint64_t end, fileOffset;
    uint32_t module;
    bool isFile;
  };
  using Space = std::map<uint64_t, Mapping>;  // by start
  struct Segment {
    uint64_t offset, bytes, address;
  };
  struct Cached {
    uint64_t address = 0, version = 0;
    int64_t pid = -1;
    uint32_t frame = 0;
  };

  uint32_t find(const Space& space, uint64_t address);
  uint64_t addressIn(uint32_t module, uint64_t fileOffset);
  const std::vector<Segment>& segmentsOf(uint32_t module);
  uint32_t outside(const char* name, uint64_t address);

  Recording& recording_;
  std::unordered_map<int64_t, Space> spaces_;
  Space kernel_;
  std::unordered_map<std::string, std::string> buildIds_;
  std::unordered_map<uint32_t, std::vector<Segment>> segments_;
  uint64_t version_ = 1;
  size_t mappings_ = 0;
  std::vector<Cached> cache_ = std::vector<Cached>(1 << 14);
};

}  // namespace parallax::perf
