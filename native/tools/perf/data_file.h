// The head of perf.data: its events, and what it tells of the machine.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "tools/perf/address_space.h"
#include "tools/perf/data_fields.h"
#include "tools/perf/recording.h"

namespace parallax::perf {

// An event as it was asked for.
struct Attr {
  uint32_t type = 0;
  uint64_t config = 0, period = 0, sampleType = 0, readFormat = 0, flags = 0, branchType = 0, userRegisters = 0;
  uint32_t event = kNone;  // in the recording
  std::string name;

  bool isFrequency() const { return (flags >> 10 & 1) != 0; }
  bool hasSampleIds() const { return (flags >> 18 & 1) != 0; }
};

// Of a build id.
std::string hex(std::string_view bytes);

class DataHead {
 public:
  DataHead(std::string_view file, Recording* recording, AddressSpaces* spaces)
      : file_(file), recording_(*recording), spaces_(*spaces) {}

  // Returns an empty string, or what is wrong.
  std::string read();
  bool isSwapped() const { return isSwapped_; }
  bool isCompressed() const { return isCompressed_; }
  const std::string& arch() const { return arch_; }
  uint64_t dataOffset() const { return dataOffset_; }
  uint64_t dataEnd() const { return dataEnd_; }
  const std::vector<Attr>& attrs() const { return attrs_; }
  // The event of an id, null if it is not known.
  const Attr* find(uint64_t id) const;

  // What comes as records if perf wrote to a pipe.
  void addAttr(std::string_view body);
  void addFeature(uint32_t feature, std::string_view body);
  void addBuildId(std::string_view body, uint16_t misc);
  void addUpdate(std::string_view body);

 private:
  std::string_view section(uint64_t offset, uint64_t bytes) const;
  Attr attr(std::string_view bytes) const;
  void add(Attr attr, std::string_view ids);
  void name(Attr* attr, std::string_view name);
  void readFeatures(const uint64_t* bits);
  std::string_view text(std::string_view body) const;

  std::string_view file_;
  Recording& recording_;
  AddressSpaces& spaces_;
  bool isSwapped_ = false, isCompressed_ = false;
  uint64_t dataOffset_ = 0, dataEnd_ = 0;
  std::string arch_;
  std::vector<Attr> attrs_;
  std::unordered_map<uint64_t, uint32_t> ids_;
};

}  // namespace parallax::perf
