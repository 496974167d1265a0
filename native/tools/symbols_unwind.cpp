#include "tools/symbols_unwind.h"

#include <algorithm>

#include "sampler/cfi.h"

namespace parallax::symbols {

FunctionRanges::FunctionRanges(const ElfFile& file) {
  GElf_Shdr header;
  Elf_Scn* scn = file.section(".eh_frame", &header);
  Elf_Data* data = scn == nullptr ? nullptr : elf_getdata(scn, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return;
  const auto* begin = static_cast<const uint8_t*>(data->d_buf);
  // Entries tell of code by its distance from themselves.
  struct Collect final : FdeSink {
    bool fde(const FdeRange& range) override {
      if (range.end > range.start) ranges->push_back({range.start - bias, range.end - bias});
      return true;
    }
    std::vector<Range>* ranges;
    uint64_t bias;
  } collect;
  collect.ranges = &ranges_;
  collect.bias = reinterpret_cast<uint64_t>(begin) - header.sh_addr;
  forEachFde({begin, begin + data->d_size}, collect);
  std::sort(ranges_.begin(), ranges_.end(),
            [](const Range& a, const Range& b) { return a.start < b.start; });
}

uint64_t FunctionRanges::startAt(uint64_t address) const {
  const auto next = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                     [](uint64_t a, const Range& r) { return a < r.start; });
  if (next == ranges_.begin() || address >= (next - 1)->end) return 0;
  return (next - 1)->start;
}

}  // namespace parallax::symbols
