#include "tools/perf/data_file.h"

#include <algorithm>

namespace parallax::perf {

namespace {

constexpr size_t kMostIds = 1 << 22;
constexpr const char* kHardware[] = {"cycles", "instructions", "cache-references", "cache-misses", "branches",
                                     "branch-misses", "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
constexpr const char* kSoftware[] = {"cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations",
                                     "minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy", "bpf-output"};

std::string nameOf(const Attr& attr) {
  if (attr.type == 0 && attr.config < std::size(kHardware)) return kHardware[attr.config];
  if (attr.type == 1 && attr.config < std::size(kSoftware)) return kSoftware[attr.config];
  return "event " + std::to_string(attr.type) + ":" + std::to_string(attr.config);
}

}  // namespace

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto value = static_cast<unsigned char>(c);
    text += "0123456789abcdef"[value >> 4];
    text += "0123456789abcdef"[value & 15];
  }
  return text;
}

std::string_view DataHead::section(uint64_t offset, uint64_t bytes) const {
  if (offset >= file_.size()) return {};
  return file_.substr(offset, std::min<uint64_t>(bytes, file_.size() - offset));
}

std::string DataHead::read() {
  isSwapped_ = file_.substr(0, 8) == "2ELIFREP";
  Fields fields(file_, isSwapped_);
  fields.skip(8);
  const uint64_t size = fields.u64();
  dataEnd_ = file_.size();
  if (size == 16) {  // from a pipe
    dataOffset_ = 16;
    return "";
  }
  const uint64_t attrSize = fields.u64(), attrs = fields.u64(), attrBytes = fields.u64(), data = fields.u64(), dataBytes = fields.u64();
  fields.skip(16);
  uint64_t bits[4];
  for (uint64_t& word : bits) word = fields.u64();
  if (fields.isCut() || attrSize < 64 + 16 || attrSize > 4096) return "the header is damaged";
  const std::string_view all = section(attrs, attrBytes);
  for (size_t at = 0; at + attrSize <= all.size(); at += attrSize) {
    Fields ids(all.substr(at + attrSize - 16, 16), isSwapped_);
    const uint64_t offset = ids.u64(), bytes = ids.u64();
    add(attr(all.substr(at, attrSize - 16)), section(offset, bytes));
  }
  if (attrs_.empty()) return "the header has no events";
  dataOffset_ = data;
  // A recording that was killed has no size.
  dataEnd_ = dataBytes == 0 || data > file_.size() || dataBytes > file_.size() - data ? file_.size() : data + dataBytes;
  if (dataBytes == 0) {
    recording_.warn("the end of the recording is missing: perf did not end in order");
  } else if (dataEnd_ == data + dataBytes) {
    readFeatures(bits);
  }
  return "";
}

Attr DataHead::attr(std::string_view bytes) const {
  Fields fields(bytes, isSwapped_);
  Attr attr;
  attr.type = fields.u32();
  fields.u32();
  attr.config = fields.u64();
  attr.period = fields.u64();
  attr.sampleType = fields.u64();
  attr.readFormat = fields.u64();
  // Bits have the order of the machine, in each byte.
  const std::string_view flags = fields.bytes(8);
  for (size_t i = 0; i < flags.size(); i++) {
    uint64_t byte = static_cast<unsigned char>(flags[i]);
    if (isSwapped_) {
      uint64_t turned = 0;
      for (int bit = 0; bit < 8; bit++) turned |= (byte >> bit & 1) << (7 - bit);
      byte = turned;
    }
    attr.flags |= byte << (8 * i);
  }
  fields.skip(8 + 8 + 8);
  attr.branchType = fields.u64();
  attr.userRegisters = fields.u64();
  return attr;
}

void DataHead::add(Attr attr, std::string_view ids) {
  if (attrs_.size() >= 1000) return;
  attr.name = nameOf(attr);
  Fields fields(ids, isSwapped_);
  while (fields.left() >= 8 && ids_.size() < kMostIds) ids_[fields.u64()] = static_cast<uint32_t>(attrs_.size());
  attrs_.push_back(std::move(attr));
  name(&attrs_.back(), attrs_.back().name);
}

void DataHead::name(Attr* attr, std::string_view name) {
  if (name.empty()) return;
  attr->name = name;
  attr->event = recording_.event(attr->name);
}

const Attr* DataHead::find(uint64_t id) const {
  if (attrs_.size() == 1) return &attrs_[0];
  const auto found = ids_.find(id);
  return found == ids_.end() ? nullptr : &attrs_[found->second];
}

void DataHead::readFeatures(const uint64_t* bits) {
  uint64_t at = dataEnd_;
  for (uint32_t feature = 0; feature < 256; feature++) {
    if ((bits[feature / 64] >> (feature % 64) & 1) == 0) continue;
    Fields place(section(at, 16), isSwapped_);
    at += 16;
    const uint64_t offset = place.u64(), bytes = place.u64();
    if (place.isCut()) {
      recording_.warn("the file ends in the descriptions after the samples");
      return;
    }
    const std::string_view body = section(offset, bytes);
    if (feature == kBuildIds) {
      Fields records(body, isSwapped_);
      while (records.left() >= 8) {
        records.u32();
        const uint16_t misc = records.u16(), size = records.u16();
        if (size < 8) break;
        addBuildId(records.bytes(size - 8), misc);
      }
    } else {
      addFeature(feature, body);
    }
  }
}

std::string_view DataHead::text(std::string_view body) const {
  Fields fields(body, isSwapped_);
  const std::string_view bytes = fields.bytes(fields.u32());
  return bytes.substr(0, std::min(bytes.find('\0'), bytes.size()));
}

void DataHead::addFeature(uint32_t feature, std::string_view body) {
  if (feature == kHostname) recording_.host = text(body);
  if (feature == kArch) arch_ = text(body);
  if (feature == kCompressedFeature) isCompressed_ = true;
  if (feature != kEventDesc) return;
  Fields fields(body, isSwapped_);
  const uint32_t count = fields.u32(), size = fields.u32();
  for (uint32_t i = 0; i < count && !fields.isCut(); i++) {
    const Attr described = attr(fields.bytes(size));
    const uint32_t ids = fields.u32();
    const std::string_view raw = fields.bytes(fields.u32());
    const std::string_view name = raw.substr(0, std::min(raw.find('\0'), raw.size()));
    const std::string_view numbers = fields.bytes(size_t{ids} * 8);
    if (fields.isCut()) break;
    Fields first(numbers, isSwapped_);
    const auto known = ids > 0 ? ids_.find(first.u64()) : ids_.end();
    if (known != ids_.end()) {
      this->name(&attrs_[known->second], name);
    } else if (i < attrs_.size() && attrs_[i].type == described.type && attrs_[i].config == described.config) {
      this->name(&attrs_[i], name);
    }
  }
}

void DataHead::addBuildId(std::string_view body, uint16_t misc) {
  Fields fields(body, isSwapped_);
  fields.u32();
  const std::string_view id = fields.bytes(24);
  if (fields.isCut()) return;
  const size_t size = (misc & kMiscBuildIdSize) != 0 ? std::min<size_t>(static_cast<unsigned char>(id[20]), 20) : 20;
  std::string_view path = fields.text();
  if (path.substr(0, 8) == "[kernel.") path = "[kernel.kallsyms]";
  spaces_.setBuildId(path, hex(id.substr(0, size)));
}

void DataHead::addAttr(std::string_view body) {
  Fields fields(body, isSwapped_);
  fields.u32();
  const uint32_t size = fields.u32();
  if (size < 64 || size > body.size()) return;
  add(attr(body.substr(0, size)), body.substr(size));
}

// PERF_RECORD_EVENT_UPDATE: type 2 is the name of the event of an id.
void DataHead::addUpdate(std::string_view body) {
  Fields fields(body, isSwapped_);
  const uint64_t type = fields.u64(), id = fields.u64();
  const auto known = ids_.find(id);
  if (type == 2 && known != ids_.end()) name(&attrs_[known->second], fields.text());
}

}  // namespace parallax::perf
