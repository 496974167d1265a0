#include "tools/perf/sample_fields.h"

#include <algorithm>

namespace parallax::perf {

namespace {

constexpr uint64_t kTotalEnabled = 1, kTotalRunning = 2, kReadId = 4, kReadGroup = 8, kReadLost = 16;
constexpr uint64_t kBranchHwIndex = 1 << 17;
constexpr int kX86Ip = 8;  // of the registers

void skipRead(Fields* fields, uint64_t format) {
  const size_t perEvent = 8 + ((format & kReadId) != 0 ? 8 : 0) + ((format & kReadLost) != 0 ? 8 : 0);
  const size_t times = ((format & kTotalEnabled) != 0 ? 8 : 0) + ((format & kTotalRunning) != 0 ? 8 : 0);
  if ((format & kReadGroup) == 0) {
    fields->skip(perEvent + times);
    return;
  }
  const uint64_t count = fields->u64();
  fields->skip(times);
  fields->skip(count > fields->left() / perEvent ? fields->left() + 1 : count * perEvent);
}

}  // namespace

uint64_t idOf(std::string_view body, bool isSwapped, const Attr& any) {
  Fields fields(body, isSwapped);
  if ((any.sampleType & kSampleIdentifier) != 0) return fields.u64();
  if ((any.sampleType & kSampleId) == 0) return 0;
  for (const uint64_t bit : {kSampleIp, kSampleTid, kSampleTime, kSampleAddr}) {
    if ((any.sampleType & bit) != 0) fields.skip(8);
  }
  return fields.u64();
}

SampleFields sampleOf(std::string_view body, bool isSwapped, const Attr& attr, bool isX86) {
  SampleFields sample;
  Fields fields(body, isSwapped);
  const uint64_t type = attr.sampleType;
  const auto has = [&](uint64_t bit) { return (type & bit) != 0; };
  if (has(kSampleIdentifier)) sample.id = fields.u64();
  if (has(kSampleIp)) sample.ip = fields.u64();
  if (has(kSampleTid)) {
    sample.pid = fields.i32();
    sample.tid = fields.i32();
  }
  if (has(kSampleTime)) {
    sample.time = fields.u64();
    sample.hasTime = true;
  }
  if (has(kSampleAddr)) fields.u64();
  if (has(kSampleId)) sample.id = fields.u64();
  if (has(kSampleStreamId)) fields.u64();
  if (has(kSampleCpu)) {
    sample.cpu = fields.i32();
    fields.u32();
  }
  sample.period = attr.isFrequency() ? 1 : attr.period;
  if (has(kSamplePeriod)) sample.period = fields.u64();
  if (has(kSampleRead)) skipRead(&fields, attr.readFormat);
  if (has(kSampleCallchain)) {
    const uint64_t count = fields.u64();
    if (count > fields.left() / 8) {
      sample.isCut = true;
      return sample;
    }
    sample.chain = fields.bytes(count * 8);
  }
  if (has(kSampleRaw)) sample.raw = fields.bytes(fields.u32());
  if (has(kSampleBranchStack)) {
    const uint64_t count = fields.u64();
    if ((attr.branchType & kBranchHwIndex) != 0) fields.u64();
    fields.skip(count > fields.left() / 24 ? fields.left() + 1 : count * 24);
  }
  if (has(kSampleRegsUser)) {
    const uint64_t abi = fields.u64();
    if (abi != 0) {
      for (int i = 0; i < 64; i++) {
        if ((attr.userRegisters >> i & 1) == 0) continue;
        const uint64_t value = fields.u64();
        if (isX86 && i == kX86Ip) sample.userIp = value;
      }
    }
  }
  if (has(kSampleStackUser)) sample.hasUserStack = fields.u64() > 0;
  sample.isCut = fields.isCut();
  return sample;
}

SampleFields trailerOf(std::string_view body, bool isSwapped, const Attr& attr) {
  SampleFields sample;
  if (!attr.hasSampleIds()) return sample;
  size_t bytes = 0;
  for (const uint64_t bit : {kSampleTid, kSampleTime, kSampleId, kSampleStreamId, kSampleCpu, kSampleIdentifier}) {
    bytes += (attr.sampleType & bit) != 0 ? 8 : 0;
  }
  if (bytes > body.size()) {
    sample.isCut = true;
    return sample;
  }
  Fields fields(body.substr(body.size() - bytes), isSwapped);
  if ((attr.sampleType & kSampleTid) != 0) {
    sample.pid = fields.i32();
    sample.tid = fields.i32();
  }
  if ((attr.sampleType & kSampleTime) != 0) {
    sample.time = fields.u64();
    sample.hasTime = true;
  }
  if ((attr.sampleType & kSampleId) != 0) fields.u64();
  if ((attr.sampleType & kSampleStreamId) != 0) fields.u64();
  if ((attr.sampleType & kSampleCpu) != 0) sample.cpu = fields.i32();
  return sample;
}

}  // namespace parallax::perf
