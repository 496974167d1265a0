#include "tools/points/points_frames.h"

#include <dwarf.h>
#include <string.h>

#include <algorithm>
#include <map>

namespace parallax::points {
namespace {

// Bytes of a section; reading beyond the end gives zeros and fails for good.
class Cursor {
 public:
  Cursor(const uint8_t* bytes, size_t size, uint64_t address)
      : bytes_(bytes), size_(size), address_(address) {}

  bool failed() const { return failed_; }
  size_t at() const { return at_; }
  void seek(size_t at) {
    if (at > size_) failed_ = true;
    at_ = std::min(at, size_);
  }
  uint64_t fixed(unsigned size) {
    uint64_t value = 0;
    if (size > size_ - at_) {
      failed_ = true;
      at_ = size_;
      return 0;
    }
    memcpy(&value, bytes_ + at_, size);
    at_ += size;
    return value;
  }
  int64_t fixedSigned(unsigned size) {
    const unsigned unused = 64 - 8 * size;
    return static_cast<int64_t>(fixed(size) << unused) >> unused;
  }
  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint64_t byte = fixed(1);
      value |= (byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    failed_ = true;
    return 0;
  }
  int64_t sleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint64_t byte = fixed(1);
      value |= (byte & 0x7F) << shift;
      if ((byte & 0x80) != 0) continue;
      const bool isNegative = (byte & 0x40) != 0 && shift + 7 < 64;
      return static_cast<int64_t>(isNegative ? value | (~uint64_t{0} << (shift + 7)) : value);
    }
    failed_ = true;
    return 0;
  }
  std::string text() {
    std::string result;
    while (const uint64_t c = fixed(1)) result += static_cast<char>(c);
    return result;
  }
  // A value as DW_EH_PE_* say, indirection left out.
  uint64_t encoded(uint8_t encoding) {
    if (encoding == DW_EH_PE_omit) return 0;
    const uint64_t place = address_ + at_;
    uint64_t value = 0;
    switch (encoding & 0x0F) {
      case DW_EH_PE_absptr: value = fixed(8); break;
      case DW_EH_PE_uleb128: value = uleb(); break;
      case DW_EH_PE_udata2: value = fixed(2); break;
      case DW_EH_PE_udata4: value = fixed(4); break;
      case DW_EH_PE_udata8: value = fixed(8); break;
      case DW_EH_PE_sleb128: value = static_cast<uint64_t>(sleb()); break;
      case DW_EH_PE_sdata2: value = static_cast<uint64_t>(fixedSigned(2)); break;
      case DW_EH_PE_sdata4: value = static_cast<uint64_t>(fixedSigned(4)); break;
      case DW_EH_PE_sdata8: value = fixed(8); break;
      default: failed_ = true; return 0;
    }
    if (value != 0 && (encoding & 0x70) == DW_EH_PE_pcrel) value += place;
    return value;
  }

 private:
  const uint8_t* bytes_;
  size_t size_;
  uint64_t address_;
  size_t at_ = 0;
  bool failed_ = false;
};

struct Common {  // of a CIE
  uint8_t codeEncoding = DW_EH_PE_absptr;
  uint8_t lsdaEncoding = DW_EH_PE_omit;
  bool hasAugmentation = false;
};

Common readCommon(Cursor cursor) {  // behind its zero
  Common common;
  const uint64_t version = cursor.fixed(1);
  const std::string augmentation = cursor.text();
  cursor.uleb();
  cursor.sleb();
  version == 1 ? cursor.fixed(1) : cursor.uleb();
  if (augmentation.empty() || augmentation[0] != 'z') return common;
  common.hasAugmentation = true;
  cursor.uleb();
  for (const char c : augmentation.substr(1)) {
    if (c == 'L') common.lsdaEncoding = static_cast<uint8_t>(cursor.fixed(1));
    if (c == 'R') common.codeEncoding = static_cast<uint8_t>(cursor.fixed(1));
    if (c == 'P') cursor.encoded(static_cast<uint8_t>(cursor.fixed(1)));
  }
  return common;
}

Cursor sectionCursor(const symbols::ElfFile& file, const char* name, uint64_t* address,
                     size_t* size) {
  GElf_Shdr header;
  Elf_Scn* section = file.section(name, &header);
  Elf_Data* data = section == nullptr || header.sh_type == SHT_NOBITS
                       ? nullptr
                       : elf_rawdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) {
    *address = *size = 0;
    return {nullptr, 0, 0};
  }
  *address = header.sh_addr;
  *size = data->d_size;
  return {static_cast<const uint8_t*>(data->d_buf), data->d_size, header.sh_addr};
}

// The call sites of a function's table of exceptions (LSDA), as the personality routines of GCC and
// LLVM read it.
void readLandingPads(Cursor cursor, uint64_t functionBegin, std::vector<uint64_t>* pads) {
  const auto startEncoding = static_cast<uint8_t>(cursor.fixed(1));
  const uint64_t start =
      startEncoding == DW_EH_PE_omit ? functionBegin : cursor.encoded(startEncoding);
  if (static_cast<uint8_t>(cursor.fixed(1)) != DW_EH_PE_omit) cursor.uleb();
  const auto encoding = static_cast<uint8_t>(cursor.fixed(1));
  const uint64_t length = cursor.uleb();
  const size_t end = cursor.at() + length;
  while (!cursor.failed() && cursor.at() < end) {
    cursor.encoded(encoding);
    cursor.encoded(encoding);
    const uint64_t pad = cursor.encoded(encoding);
    cursor.uleb();
    if (pad != 0 && !cursor.failed()) pads->push_back(start + pad);
  }
}

}  // namespace

Frames readFrames(const symbols::ElfFile& file) {
  Frames frames;
  uint64_t address = 0, tableAddress = 0;
  size_t size = 0, tableSize = 0;
  Cursor cursor = sectionCursor(file, ".eh_frame", &address, &size);
  const Cursor tables = sectionCursor(file, ".gcc_except_table", &tableAddress, &tableSize);
  std::map<size_t, Common> commons;
  while (!cursor.failed() && cursor.at() + 4 <= size) {
    const size_t record = cursor.at();
    uint64_t length = cursor.fixed(4);
    if (length == 0) continue;  // between what several objects brought
    if (length == 0xFFFFFFFF) length = cursor.fixed(8);
    const size_t start = cursor.at();
    if (length < 4 || length > size - start) break;
    const uint64_t id = cursor.fixed(4);
    if (id == 0) {
      commons[record] = readCommon(cursor);
    } else if (const auto common = commons.find(start - id); common != commons.end()) {
      const uint64_t begin = cursor.encoded(common->second.codeEncoding);
      const uint64_t bytes = cursor.encoded(common->second.codeEncoding & 0x0F);
      if (begin != 0 && bytes != 0) frames.ranges.push_back({begin, begin + bytes});
      if (common->second.hasAugmentation && cursor.uleb() != 0) {
        const uint64_t lsda = cursor.encoded(common->second.lsdaEncoding);
        if (lsda >= tableAddress && lsda < tableAddress + tableSize) {
          Cursor table = tables;
          table.seek(lsda - tableAddress);
          readLandingPads(table, begin, &frames.landingPads);
        }
      }
    }
    cursor.seek(start + length);
  }
  std::sort(frames.ranges.begin(), frames.ranges.end(),
            [](const CodeRange& a, const CodeRange& b) { return a.begin < b.begin; });
  return frames;
}

}  // namespace parallax::points
