// Writes perf.data for tests, after perf's documentation and without the reader's code: of machines of either byte order, into a
// file or a pipe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parallax::perf {

class TestData {
 public:
  explicit TestData(bool isBigEndian = false, bool isPipe = false) : isBig_(isBigEndian), isPipe_(isPipe) {}

  struct Event {
    uint32_t type;
    uint64_t config, sampleType, id;
    std::string name;
    uint64_t period = 0;
  };

  // All samples have ip, tid, time, call chain, id and period, and other records the trailer of those.
  static constexpr uint64_t kType = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 16;

  uint32_t event(uint32_t type, uint64_t config, uint64_t id, const std::string& name) {
    events_.push_back({type, config, kType, id, name});
    return static_cast<uint32_t>(events_.size() - 1);
  }

  std::string number(uint64_t value, int bytes) const {
    std::string text;
    for (int i = 0; i < bytes; i++) text += static_cast<char>(value >> 8 * (isBig_ ? bytes - 1 - i : i));
    return text;
  }
  std::string u64(uint64_t value) const { return number(value, 8); }
  std::string u32(uint64_t value) const { return number(value, 4); }

  static std::string padded(std::string text, size_t to = 8) {
    do text += '\0';
    while (text.size() % to != 0);
    return text;
  }

  TestData& record(uint32_t type, uint16_t misc, const std::string& body) {
    data_ += u32(type) + number(misc, 2) + number(body.size() + 8, 2) + body;
    return *this;
  }
  std::string trailer(int pid, int tid, uint64_t time, int cpu = 0) const {
    return u32(static_cast<uint64_t>(pid)) + u32(static_cast<uint64_t>(tid)) + u64(time) + u32(static_cast<uint64_t>(cpu)) + u32(0) + u64(events_[0].id);
  }
  TestData& comm(int pid, int tid, const std::string& name, uint64_t time, bool isExec = false) {
    return record(3, isExec ? 1 << 13 : 0, u32(static_cast<uint64_t>(pid)) + u32(static_cast<uint64_t>(tid)) + padded(name) + trailer(pid, tid, time));
  }
  TestData& map(int pid, uint64_t start, uint64_t bytes, uint64_t offset, const std::string& path, uint64_t time, bool isKernel = false) {
    return record(10, isKernel ? 1 : 2, u32(static_cast<uint64_t>(pid)) + u32(static_cast<uint64_t>(pid)) + u64(start) + u64(bytes) + u64(offset) +
                                            std::string(24, '\0') + u32(5) + u32(2) + padded(path) + trailer(pid, pid, time));
  }
  TestData& fork(int pid, int parent, int tid, int creator, uint64_t time) {
    return record(7, 0, u32(static_cast<uint64_t>(pid)) + u32(static_cast<uint64_t>(parent)) + u32(static_cast<uint64_t>(tid)) +
                            u32(static_cast<uint64_t>(creator)) + u64(time) + trailer(pid, tid, time));
  }
  TestData& change(int pid, int tid, bool isOut, bool isPreempted, uint64_t time) {
    return record(14, static_cast<uint16_t>((isOut ? 1 << 13 : 0) | (isPreempted ? 1 << 14 : 0)), trailer(pid, tid, time));
  }
  TestData& lost(uint64_t count, uint64_t time) { return record(2, 0, u64(events_[0].id) + u64(count) + trailer(1, 1, time)); }
  TestData& round() { return record(68, 0, ""); }
  TestData& sample(uint32_t event, int pid, int tid, uint64_t time, uint64_t period, const std::vector<uint64_t>& chain, bool isKernel = false) {
    std::string body = u64(events_[event].id) + u64(chain.empty() ? 0 : chain[0]) + u32(static_cast<uint64_t>(pid)) + u32(static_cast<uint64_t>(tid)) + u64(time) +
                       u32(0) + u32(0) + u64(period) + u64(chain.size());
    for (const uint64_t address : chain) body += u64(address);
    return record(9, isKernel ? 1 : 2, body);
  }

  std::string bytes() const {
    const std::string magic = isBig_ ? "2ELIFREP" : "PERFILE2";
    if (isPipe_) {
      TestData head(isBig_, true);
      for (const Event& event : events_) head.record(64, 0, attr(event) + u64(event.id));
      for (const Event& event : events_) head.record(78, 0, u64(2) + u64(event.id) + padded(event.name));
      head.record(80, 0, u64(3) + u32(8) + padded("node7"));
      return magic + u64(16) + head.data_ + data_;
    }
    // Header, ids, attrs, data, descriptions.
    constexpr uint64_t kHead = 104;
    std::string ids, attrs, names = u32(events_.size()) + u32(kAttr);
    for (const Event& event : events_) ids += u64(event.id);
    const uint64_t attrsAt = kHead + ids.size(), dataAt = attrsAt + events_.size() * (kAttr + 16);
    for (size_t i = 0; i < events_.size(); i++) {
      attrs += attr(events_[i]) + u64(kHead + 8 * i) + u64(8);
      const std::string name = padded(events_[i].name, 64);
      names += attr(events_[i]) + u32(1) + u32(name.size()) + name + u64(events_[i].id);
    }
    const std::string host = u32(8) + padded("node7");
    const uint64_t sectionsAt = dataAt + data_.size(), hostAt = sectionsAt + 32;
    return magic + u64(kHead) + u64(kAttr + 16) + u64(attrsAt) + u64(attrs.size()) + u64(dataAt) + u64(data_.size()) + u64(0) + u64(0) +
           u64(1 << 3 | 1 << 12) + u64(0) + u64(0) + u64(0) + ids + attrs + data_ + u64(hostAt) + u64(host.size()) +
           u64(hostAt + host.size()) + u64(names.size()) + host + names;
  }
  size_t dataBytes() const { return data_.size(); }

 private:
  static constexpr size_t kAttr = 128;

  std::string attr(const Event& event) const {
    // sample_id_all is bit 18. A machine of the other byte order begins a byte with its highest bit.
    const std::string flags = {0, 0, static_cast<char>(isBig_ ? 1 << 5 : 1 << 2), 0, 0, 0, 0, 0};
    std::string text = u32(event.type) + u32(kAttr) + u64(event.config) + u64(event.period) + u64(event.sampleType) + u64(0) + flags;
    text.resize(kAttr);
    return text;
  }

  bool isBig_, isPipe_;
  std::vector<Event> events_;
  std::string data_;
};

}  // namespace parallax::perf
