// The layout of perf.data, as perf's documentation and <linux/perf_event.h> have it.
//
//   "PERFILE2" | size | attr size | attrs | data | event types | 256 bits of features
//   attrs: attr and the section of its ids, for each event; data: records; then a section for each feature
//   from a pipe: "PERFILE2" | 16, and then records, also for attrs and features
#pragma once

#include <byteswap.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace parallax::perf {

enum RecordType : uint32_t {
  kRecordMmap = 1, kRecordLost, kRecordComm, kRecordExit, kRecordThrottle, kRecordUnthrottle, kRecordFork, kRecordRead,
  kRecordSample, kRecordMmap2, kRecordAux, kRecordItraceStart, kRecordLostSamples, kRecordSwitch, kRecordSwitchCpuWide,
  kRecordHeaderAttr = 64, kRecordTracingData = 66, kRecordBuildId = 67, kRecordFinishedRound = 68, kRecordAuxTrace = 71,
  kRecordEventUpdate = 78, kRecordFeature = 80, kRecordCompressed = 81, kRecordCompressed2 = 83,
};

enum SampleBit : uint64_t {
  kSampleIp = 1 << 0, kSampleTid = 1 << 1, kSampleTime = 1 << 2, kSampleAddr = 1 << 3, kSampleRead = 1 << 4,
  kSampleCallchain = 1 << 5, kSampleId = 1 << 6, kSampleCpu = 1 << 7, kSamplePeriod = 1 << 8, kSampleStreamId = 1 << 9,
  kSampleRaw = 1 << 10, kSampleBranchStack = 1 << 11, kSampleRegsUser = 1 << 12, kSampleStackUser = 1 << 13,
  kSampleIdentifier = 1 << 16,
};

enum Feature : uint32_t { kBuildIds = 2, kHostname = 3, kArch = 6, kEventDesc = 12, kCompressedFeature = 27 };

inline constexpr uint16_t kModeMask = 7, kModeKernel = 1, kModeUser = 2;
inline constexpr uint16_t kMiscOut = 1 << 13, kMiscExec = 1 << 13, kMiscPreempt = 1 << 14, kMiscBuildId = 1 << 14, kMiscBuildIdSize = 1 << 15;
inline constexpr uint64_t kContextFirst = static_cast<uint64_t>(-4095);  // markers in call chains
inline constexpr uint64_t kContextKernel = static_cast<uint64_t>(-128), kContextUser = static_cast<uint64_t>(-512);

// Fields one after the other. After the end, all are 0.
class Fields {
 public:
  Fields(std::string_view bytes, bool isSwapped) : bytes_(bytes), isSwapped_(isSwapped) {}

  uint64_t u64() {
    const auto value = take<uint64_t>();
    return isSwapped_ ? bswap_64(value) : value;
  }
  uint32_t u32() {
    const auto value = take<uint32_t>();
    return isSwapped_ ? bswap_32(value) : value;
  }
  uint16_t u16() {
    const auto value = take<uint16_t>();
    return isSwapped_ ? bswap_16(value) : value;
  }
  int32_t i32() { return static_cast<int32_t>(u32()); }
  std::string_view bytes(size_t count) {
    if (count > bytes_.size()) {
      isCut_ = true;
      count = bytes_.size();
    }
    const std::string_view part = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return part;
  }
  void skip(size_t count) { bytes(count); }
  // Up to the first NUL of all that is left.
  std::string_view text() { return bytes_.substr(0, std::min(bytes_.find('\0'), bytes_.size())); }
  size_t left() const { return bytes_.size(); }
  bool isCut() const { return isCut_; }
  bool isSwapped() const { return isSwapped_; }

 private:
  template <class T>
  T take() {
    T value = 0;
    if (bytes_.size() < sizeof value) {
      isCut_ = true;
      bytes_ = {};
      return 0;
    }
    memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }

  std::string_view bytes_;
  bool isSwapped_, isCut_ = false;
};

}  // namespace parallax::perf
