// Writes traces of Perfetto, for tests.
#pragma once

#include <cstring>
#include <initializer_list>
#include <string>

namespace parallax::perfetto {

class ProtoTestMessage {
 public:
  ProtoTestMessage& number(uint32_t field, uint64_t value) {
    varint(uint64_t{field} << 3);
    varint(value);
    return *this;
  }
  ProtoTestMessage& fixed(uint32_t field, uint64_t value) {
    varint(uint64_t{field} << 3 | 1);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  ProtoTestMessage& text(uint32_t field, const std::string& value) {
    varint(uint64_t{field} << 3 | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  ProtoTestMessage& message(uint32_t field, const ProtoTestMessage& value) { return text(field, value.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

class ProtoTestTrace {
 public:
  using Flows = std::initializer_list<uint64_t>;

  ProtoTestTrace& process(uint64_t uuid, uint64_t pid, const std::string& name) {
    return describe(ProtoTestMessage().number(1, uuid).message(3, ProtoTestMessage().number(1, pid).text(6, name)));
  }
  ProtoTestTrace& thread(uint64_t uuid, uint64_t parent, uint64_t pid, uint64_t tid, const std::string& name) {
    return describe(ProtoTestMessage().number(1, uuid).number(5, parent).message(
        4, ProtoTestMessage().number(1, pid).number(2, tid).text(5, name)));
  }
  ProtoTestTrace& track(uint64_t uuid, uint64_t parent, const std::string& name) {
    return describe(ProtoTestMessage().number(1, uuid).number(5, parent).text(2, name));
  }
  ProtoTestTrace& counter(uint64_t uuid, uint64_t parent, const std::string& name, const std::string& unit) {
    return describe(ProtoTestMessage().number(1, uuid).number(5, parent).text(2, name).message(
        8, ProtoTestMessage().text(6, unit)));
  }
  ProtoTestTrace& begin(uint64_t track, uint64_t ns, const std::string& name, Flows flows = {}) {
    ProtoTestMessage event = eventOf(1, track).text(23, name);
    for (const uint64_t flow : flows) event.fixed(47, flow);
    return add(ns, event);
  }
  ProtoTestTrace& end(uint64_t track, uint64_t ns) { return add(ns, eventOf(2, track)); }
  ProtoTestTrace& instant(uint64_t track, uint64_t ns, const std::string& name) {
    return add(ns, eventOf(3, track).text(23, name));
  }
  ProtoTestTrace& value(uint64_t track, uint64_t ns, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return add(ns, eventOf(4, track).fixed(44, bits));
  }
  // A name that the sequence gives now, or has given if it is empty.
  ProtoTestTrace& beginInterned(uint64_t track, uint64_t ns, uint64_t sequence, uint64_t id, const std::string& name,
                                bool isCleared) {
    ProtoTestMessage packet;
    packet.number(8, ns).number(10, sequence).number(13, isCleared ? 3 : 2);
    if (!name.empty()) {
      packet.message(12, ProtoTestMessage().message(2, ProtoTestMessage().number(1, id).text(2, name)));
    }
    packet.message(11, eventOf(1, track).number(10, id));
    return packetOf(packet);
  }
  ProtoTestTrace& packetOf(const ProtoTestMessage& packet) {
    bytes_ += ProtoTestMessage().message(1, packet).bytes();
    return *this;
  }
  static ProtoTestMessage eventOf(uint64_t type, uint64_t track) {
    return ProtoTestMessage().number(9, type).number(11, track);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  ProtoTestTrace& add(uint64_t ns, const ProtoTestMessage& event) {
    return packetOf(ProtoTestMessage().number(8, ns).number(10, 9).message(11, event));
  }
  ProtoTestTrace& describe(const ProtoTestMessage& track) {
    return packetOf(ProtoTestMessage().number(10, 9).message(60, track));
  }
  std::string bytes_;
};

}  // namespace parallax::perfetto
