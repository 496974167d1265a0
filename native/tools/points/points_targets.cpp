#include "tools/points/points_targets.h"

#include <string.h>

#include <algorithm>

#include "tools/points/points_decode.h"

namespace parallax::points {
namespace {

// Of a table that goes on for longer than any that a compiler makes.
constexpr uint64_t kMostEntries = 1 << 16;

}  // namespace

Targets::Targets(const Image& image) {
  std::vector<uint64_t> starts;
  for (const Symbol& symbol : image.symbols()) starts.push_back(symbol.begin);
  for (const CodeRange& range : image.frames().ranges) starts.push_back(range.begin);
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  for (const uint64_t start : starts) transfers_.push_back({start, kStart});
  for (const uint64_t pointer : image.codePointers()) transfers_.push_back({pointer, kIndirect});
  for (const uint64_t pad : image.frames().landingPads) transfers_.push_back({pad, kUnwinding});
  for (const Section& section : image.sections()) {
    if (section.isCode) sweep(image, section, starts);
  }
  readTables(image);
  std::sort(transfers_.begin(), transfers_.end(), [](const Transfer& a, const Transfer& b) {
    return a.to != b.to ? a.to < b.to : a.from < b.from;
  });
  transfers_.erase(std::unique(transfers_.begin(), transfers_.end(),
                               [](const Transfer& a, const Transfer& b) {
                                 return a.to == b.to && a.from == b.from;
                               }),
                   transfers_.end());
}

void Targets::sweep(const Image& image, const Section& section,
                    const std::vector<uint64_t>& starts) {
  const Decoder decoder;
  auto nextStart = std::upper_bound(starts.begin(), starts.end(), section.begin);
  for (uint64_t at = section.begin; at < section.end;) {
    while (nextStart != starts.end() && *nextStart <= at) ++nextStart;
    const Instruction i =
        decoder.decode(at, section.bytes + (at - section.begin), section.end - at);
    at = i.end();
    // What reaches into the next function was none.
    if (nextStart != starts.end() && at > *nextStart) at = *nextStart;
    const bool isIndirect = i.kind == Kind::kIndirectCall || i.kind == Kind::kIndirectJump;
    if (isIndirect && i.memoryAt != 0) throughSlots_.push_back({i.address, i.memory});
    if (i.target != 0) transfers_.push_back({i.target, i.address});
    for (const uint64_t address : {i.memory, i.constant}) {
      if (address == 0 || (address == i.memory && i.memoryAt != 0 && !i.isAddressOnly)) continue;
      const Section* meant = image.sectionAt(address);
      if (meant == nullptr) continue;
      if (meant->isCode) {
        transfers_.push_back({address, kIndirect});
        taken_.push_back({i.address, address});
      } else if (!meant->isWritable && meant->bytes != nullptr && i.isAddressOnly) {
        taken_.push_back({i.address, address});
      }
    }
  }
}

void Targets::readTables(const Image& image) {
  std::vector<uint64_t> tables;
  for (const Taken& taken : taken_) {
    if (!image.isCode(taken.address)) tables.push_back(taken.address);
  }
  std::sort(tables.begin(), tables.end());
  tables.erase(std::unique(tables.begin(), tables.end()), tables.end());
  for (size_t i = 0; i < tables.size(); i++) {
    const uint64_t table = tables[i];
    const Section* data = image.sectionAt(table);
    // What follows has an address of its own: no compiler takes one inside of such a table.
    const uint64_t end = i + 1 < tables.size() ? std::min(tables[i + 1], data->end) : data->end;
    uint64_t count = 0;
    for (uint64_t at = table; at + 4 <= end && count < kMostEntries; at += 4, count++) {
      int32_t distance;
      memcpy(&distance, data->bytes + (at - data->begin), sizeof distance);
      const uint64_t to = table + static_cast<uint64_t>(int64_t{distance});
      // What cannot be reached may have the address behind the last function.
      if (!image.isCode(to) && !image.isCode(to - 1)) break;
      entries_.push_back({to, table});
      transfers_.push_back({to, kTable});
    }
  }
}

std::pair<const Transfer*, const Transfer*> Targets::into(uint64_t begin, uint64_t end) const {
  const auto isBefore = [](const Transfer& t, uint64_t address) { return t.to < address; };
  const auto first = std::lower_bound(transfers_.begin(), transfers_.end(), begin, isBefore);
  const auto last = std::lower_bound(first, transfers_.end(), std::max(begin, end), isBefore);
  return {transfers_.data() + (first - transfers_.begin()),
          transfers_.data() + (last - transfers_.begin())};
}

bool Targets::any(uint64_t begin, uint64_t end) const {
  const auto [first, last] = into(begin, end);
  return first != last;
}

uint64_t Targets::next(uint64_t address) const {
  const auto found =
      std::lower_bound(transfers_.begin(), transfers_.end(), address,
                       [](const Transfer& t, uint64_t a) { return t.to < a; });
  return found == transfers_.end() ? UINT64_MAX : found->to;
}

bool Targets::hasTable(const CodeRange& code, const CodeRange& to) const {
  auto taken = std::lower_bound(taken_.begin(), taken_.end(), code.begin,
                                [](const Taken& t, uint64_t a) { return t.from < a; });
  for (; taken != taken_.end() && taken->from < code.end; ++taken) {
    auto entry = std::lower_bound(entries_.begin(), entries_.end(), taken->address,
                                  [](const Transfer& t, uint64_t a) { return t.from < a; });
    for (; entry != entries_.end() && entry->from == taken->address; ++entry) {
      if (entry->to >= to.begin && entry->to < to.end) return true;
    }
  }
  return false;
}

bool Targets::takes(const CodeRange& code, const CodeRange& to) const {
  auto taken = std::lower_bound(taken_.begin(), taken_.end(), code.begin,
                                [](const Taken& t, uint64_t a) { return t.from < a; });
  for (; taken != taken_.end() && taken->from < code.end; ++taken) {
    if (taken->address >= to.begin && taken->address < to.end) return true;
  }
  return false;
}

}  // namespace parallax::points
