#include "sampler/cfi.h"

#include <algorithm>
#include <cstring>

#include "sampler/cfi_cursor.h"
#include "sampler/cfi_expression.h"

namespace parallax {

namespace {

// The range of a length-prefixed entry after its length; an empty one is the terminator.
struct Entry {
  const uint8_t* start = nullptr;  // the field after the length: CIE id or CIE pointer
  const uint8_t* end = nullptr;
};

bool readEntry(Cursor& cursor, Entry* entry) {
  uint64_t length = cursor.fixed<uint32_t>();
  if (length == 0xffffffff) length = cursor.fixed<uint64_t>();
  entry->start = cursor.at();
  if (!cursor.take(length)) return false;
  entry->end = cursor.at();
  return true;
}

// Pointer encodings.
constexpr uint8_t kOmitted = 0xff, kIndirect = 0x80;
constexpr uint8_t kUdata4 = 0x03, kDataRelativeSdata4 = 0x3b;

struct Cie {
  const uint8_t* at = nullptr;
  uint64_t codeAlign = 1;
  int64_t dataAlign = 1;
  uint64_t returnRegister = kRegRip;
  uint8_t pointerEncoding = 0;
  uint8_t handlersEncoding = kOmitted;
  bool augmented = false;  // entries have augmentation data to skip
  bool signalFrame = false;
  FrameBytes instructions;
};

// Reads the CIE at `at`, unless `cie` is that one already.
bool readCie(const uint8_t* at, const FrameMemory& memory, Cie* cie) {
  if (cie->at == at) return true;
  *cie = Cie{};
  const FrameBytes bytes = memory.cie(at);
  Cursor outer(bytes.begin, bytes.end);
  Entry entry;
  if (!readEntry(outer, &entry)) return false;
  Cursor c(entry.start, entry.end, bytes.shift);
  if (c.fixed<uint32_t>() != 0) return false;  // not a CIE
  const uint8_t version = c.byte();
  if (version != 1 && version != 3) return false;
  char augmentation[8] = {};
  for (size_t i = 0;; ++i) {
    const char letter = static_cast<char>(c.byte());
    if (letter == 0) break;
    if (i + 1 >= sizeof augmentation) return false;
    augmentation[i] = letter;
  }
  if (strcmp(augmentation, "eh") == 0) return false;  // gcc 2
  cie->codeAlign = c.uleb();
  cie->dataAlign = c.sleb();
  cie->returnRegister = version == 1 ? c.byte() : c.uleb();
  if (augmentation[0] == 'z') {
    const uint64_t size = c.uleb();
    Cursor a(c.at(), entry.end);
    if (!c.take(size)) return false;
    cie->augmented = true;
    for (const char* letter = augmentation + 1; *letter != 0; ++letter) {
      if (*letter == 'R') {
        cie->pointerEncoding = a.byte();
      } else if (*letter == 'P') {
        const uint8_t encoding = a.byte();
        a.pointer(static_cast<uint8_t>(encoding & 0x0f), 0);
      } else if (*letter == 'L') {
        cie->handlersEncoding = a.byte();
      } else if (*letter == 'S') {
        cie->signalFrame = true;
      } else if (*letter != 'B') {
        break;
      }
    }
    if (!a.ok()) return false;
  } else if (augmentation[0] != 0) {
    return false;
  }
  cie->instructions = {c.at(), entry.end, bytes.shift};
  if (!c.ok() || cie->returnRegister != kRegRip) return false;
  cie->at = at;
  return true;
}

// Reads the head of the FDE at `at`: its CIE, its range of code, and where its instructions
// begin. `cie` may come with that of the entry before, which is usually the same. Pointers
// relative to the data base are not among those that producers put there.
bool readFde(const uint8_t* at, const FrameMemory& memory, Cie* cie, FdeRange* range,
             FrameBytes* instructions, const uint8_t** handlers = nullptr) {
  const FrameBytes bytes = memory.fde(at);
  Cursor outer(bytes.begin, bytes.end);
  Entry entry;
  if (!readEntry(outer, &entry)) return false;
  Cursor c(entry.start, entry.end, bytes.shift);
  const uint32_t distance = c.fixed<uint32_t>();
  const uint8_t* const place = entry.start + bytes.shift;
  if (distance == 0 || distance > static_cast<uint64_t>(place - memory.readable().begin)) {
    return false;
  }
  if (!readCie(place - distance, memory, cie)) return false;
  range->fde = at;
  range->start = c.pointer(cie->pointerEncoding, 0);
  range->end = range->start + c.pointer(static_cast<uint8_t>(cie->pointerEncoding & 0x0f), 0);
  if (cie->augmented) {
    const uint64_t size = c.uleb();
    Cursor a(c.at(), entry.end, bytes.shift);
    if (handlers != nullptr && cie->handlersEncoding != kOmitted && size != 0) {
      Cursor value = a;  // 0 is none, whatever it is relative to
      if (value.pointer(static_cast<uint8_t>(cie->handlersEncoding & 0x0f), 0) != 0) {
        *handlers = reinterpret_cast<const uint8_t*>(a.pointer(cie->handlersEncoding, 0));
      }
      if (!a.ok() || (cie->handlersEncoding & kIndirect) != 0) return false;
    }
    c.take(size);
  }
  *instructions = {c.at(), entry.end, bytes.shift};
  return c.ok() && range->end > range->start;
}

// ---------------------------------------------------------------- interpreter

// Runs call frame instructions. Keeps only the registers that the unwinder follows.
class Interpreter {
 public:
  Interpreter(const Cie& cie, uint64_t pc, ExtendedRule* remembered)
      : cie_(cie), pc_(pc), stack_(remembered) {
    state_.rip = {Location::kSame, 0, 0};
  }

  // `sink` may be null: the CIE's instructions give no rows.
  bool run(const FrameBytes& code, RowSink* sink) {
    Cursor c(code.begin, code.end, code.shift);
    while (!c.atEnd()) {
      if (!step(c, sink)) return false;
    }
    return c.ok();
  }

  void rememberInitial() { initial_ = state_; }
  bool flush(RowSink& sink) { return sink.row(pc_, state_, cie_.signalFrame); }

 private:
  Location* locationOf(uint64_t reg, ExtendedRule& state) {
    switch (reg) {
      case kRegRip: return &state.rip;
      case kRegRsp: return &state.rsp;
      case kRegRbp: return &state.rbp;
      case kRegRbx: return &state.rbx;
      default: return nullptr;
    }
  }

  void set(uint64_t reg, Location::Form form, int64_t offset, uint8_t inRegister = 0) {
    if (Location* l = locationOf(reg, state_)) {
      *l = {fitsInt32(offset) ? form : Location::kUnsupported, inRegister,
            static_cast<int32_t>(offset)};
    }
  }

  void restore(uint64_t reg) {
    if (Location* l = locationOf(reg, state_)) *l = *locationOf(reg, initial_);
  }

  void setCfa(uint64_t reg, int64_t offset) {
    state_.cfa = {};
    if (reg < kRegRip && fitsInt32(offset)) {
      state_.cfa.form = CfaRule::kRegister;
      state_.cfa.reg = static_cast<uint8_t>(reg);
      state_.cfa.offset = static_cast<int32_t>(offset);
    }
  }

  bool advance(uint64_t delta, RowSink* sink) {
    if (sink == nullptr) return false;
    if (delta != 0 && !flush(*sink)) return false;
    pc_ += delta;
    return true;
  }

  static ByteRange block(Cursor& c) {
    const uint64_t size = c.uleb();
    const uint8_t* start = c.at();
    return c.take(size) ? ByteRange{start, start + size} : ByteRange{start, start};
  }

  bool step(Cursor& c, RowSink* sink) {
    const uint8_t op = c.byte();
    const uint8_t low = op & 0x3f;
    switch (op & 0xc0) {
      case 0x40: return advance(low * cie_.codeAlign, sink);
      case 0x80:
        set(low, Location::kAtCfa, static_cast<int64_t>(c.uleb()) * cie_.dataAlign);
        return c.ok();
      case 0xc0: restore(low); return true;
      default: return extended(op, c, sink);
    }
  }

  bool extended(uint8_t op, Cursor& c, RowSink* sink) {
    uint64_t reg;
    switch (op) {
      case 0x00: return true;  // nop
      case 0x01: {             // set_loc
        const uint64_t pc = c.pointer(cie_.pointerEncoding, 0);
        return c.ok() && pc >= pc_ && advance(pc - pc_, sink);
      }
      case 0x02: return advance(c.byte() * cie_.codeAlign, sink);
      case 0x03: return advance(c.fixed<uint16_t>() * cie_.codeAlign, sink);
      case 0x04: return advance(c.fixed<uint32_t>() * cie_.codeAlign, sink);
      case 0x05:  // offset_extended
        reg = c.uleb();
        set(reg, Location::kAtCfa, static_cast<int64_t>(c.uleb()) * cie_.dataAlign);
        break;
      case 0x06: restore(c.uleb()); break;  // restore_extended
      case 0x07: set(c.uleb(), Location::kUndefined, 0); break;
      case 0x08: set(c.uleb(), Location::kSame, 0); break;
      case 0x09: {  // register
        reg = c.uleb();
        const uint64_t other = c.uleb();
        set(reg, other < kRegRip ? Location::kInRegister : Location::kUnsupported, 0,
            static_cast<uint8_t>(other));
        break;
      }
      case 0x0a:  // remember_state
        if (remembered_ == FrameScratch::kRemembered) return false;
        stack_[remembered_++] = state_;
        break;
      case 0x0b:  // restore_state
        if (remembered_ == 0) return false;
        state_ = stack_[--remembered_];
        break;
      case 0x0c:  // def_cfa
        reg = c.uleb();
        setCfa(reg, static_cast<int64_t>(c.uleb()));
        break;
      case 0x0d: setCfa(c.uleb(), state_.cfa.offset); break;  // def_cfa_register
      case 0x0e: setCfa(state_.cfa.reg, static_cast<int64_t>(c.uleb())); break;
      case 0x0f: state_.cfa = cfaOfExpression(block(c)); break;
      case 0x10:  // expression
        reg = c.uleb();
        setLocation(reg, locationOfExpression(block(c)));
        break;
      case 0x11:  // offset_extended_sf
        reg = c.uleb();
        set(reg, Location::kAtCfa, c.sleb() * cie_.dataAlign);
        break;
      case 0x12:  // def_cfa_sf
        reg = c.uleb();
        setCfa(reg, c.sleb() * cie_.dataAlign);
        break;
      case 0x13: setCfa(state_.cfa.reg, c.sleb() * cie_.dataAlign); break;
      case 0x14:  // val_offset
        reg = c.uleb();
        set(reg, Location::kCfaPlus, static_cast<int64_t>(c.uleb()) * cie_.dataAlign);
        break;
      case 0x15:  // val_offset_sf
        reg = c.uleb();
        set(reg, Location::kCfaPlus, c.sleb() * cie_.dataAlign);
        break;
      case 0x16:  // val_expression
        reg = c.uleb();
        block(c);
        set(reg, Location::kUnsupported, 0);
        break;
      case 0x2e: c.uleb(); break;  // GNU_args_size
      case 0x2f:                   // GNU_negative_offset_extended
        reg = c.uleb();
        set(reg, Location::kAtCfa, -static_cast<int64_t>(c.uleb()) * cie_.dataAlign);
        break;
      default: return false;
    }
    return c.ok();
  }

  void setLocation(uint64_t reg, const Location& location) {
    if (Location* l = locationOf(reg, state_)) *l = location;
  }

  const Cie& cie_;
  uint64_t pc_;
  ExtendedRule state_;
  ExtendedRule initial_;
  ExtendedRule* const stack_;
  size_t remembered_ = 0;
};

}  // namespace

void forEachFde(ByteRange section, FdeSink& sink) {
  Cursor c(section.begin, section.end);
  const FrameMemory memory(section);
  Cie cie;
  while (!c.atEnd()) {
    const uint8_t* at = c.at();
    Entry entry;
    if (!readEntry(c, &entry) || entry.start == entry.end) return;
    FdeRange range;
    FrameBytes instructions;
    // A CIE, or an entry of an unknown form, is passed over.
    if (readFde(at, memory, &cie, &range, &instructions) && !sink.fde(range)) return;
  }
}

const uint8_t* ehFrameOfHeader(ByteRange header) {
  Cursor c(header.begin, header.end);
  if (c.byte() != 1) return nullptr;
  const uint8_t encoding = c.byte();
  c.take(2);
  const uint64_t frame = c.pointer(encoding, reinterpret_cast<uint64_t>(header.begin));
  return c.ok() && encoding != 0xff ? reinterpret_cast<const uint8_t*>(frame) : nullptr;
}

bool forEachFdeOfHeader(ByteRange header, ByteRange readable, FdeSink& sink) {
  const uint64_t dataBase = reinterpret_cast<uint64_t>(header.begin);
  Cursor c(header.begin, header.end);
  if (c.byte() != 1) return false;
  const uint8_t frameEncoding = c.byte();
  const uint8_t countEncoding = c.byte();
  const uint8_t tableEncoding = c.byte();
  c.pointer(frameEncoding, dataBase);
  if (countEncoding == 0xff || tableEncoding == 0xff) return false;
  const uint64_t count = c.pointer(countEncoding, dataBase);
  const FrameMemory memory(readable);
  Cie cie;
  for (uint64_t i = 0; i < count; ++i) {
    c.pointer(tableEncoding, dataBase);
    const uint64_t fde = c.pointer(tableEncoding, dataBase);
    if (!c.ok()) return i > 0;
    FdeRange range;
    FrameBytes instructions;
    if (readFde(reinterpret_cast<const uint8_t*>(fde), memory, &cie, &range, &instructions) &&
        !sink.fde(range)) {
      return true;
    }
  }
  return count > 0;
}

SearchTable searchTableOf(ByteRange header) {
  const uint64_t dataBase = reinterpret_cast<uint64_t>(header.begin);
  Cursor c(header.begin, header.end);
  if (c.byte() != 1) return {};
  const uint8_t frameEncoding = c.byte();
  const uint8_t countEncoding = c.byte();
  const uint8_t tableEncoding = c.byte();
  c.pointer(frameEncoding, dataBase);
  if (countEncoding != kUdata4 || tableEncoding != kDataRelativeSdata4) return {};
  const uint64_t count = c.fixed<uint32_t>();
  const auto* entries = reinterpret_cast<const SearchEntry*>(c.at());
  if (!c.take(count * sizeof(SearchEntry))) return {};
  return {entries, count, dataBase};
}

const uint8_t* searchFde(const SearchTable& table, uint64_t pc) {
  // Signal context.
  const auto isBefore = [&](int32_t start) {
    return table.base + static_cast<uint64_t>(int64_t{start}) <= pc;
  };
  const SearchEntry* first = table.entries;
  size_t count = table.count;
  SearchEntry copy[SearchTable::kStride];
  if (table.index != nullptr) {
    const size_t strides = (count + SearchTable::kStride - 1) / SearchTable::kStride;
    const int32_t* after = std::partition_point(table.index, table.index + strides, isBefore);
    if (after == table.index) return nullptr;
    const size_t low = static_cast<size_t>(after - 1 - table.index) * SearchTable::kStride;
    count = std::min(count - low, SearchTable::kStride);
    if (copyMapped(copy, first + low, count * sizeof *copy) != count * sizeof *copy) return nullptr;
    first = copy;
  }
  const SearchEntry* after = std::partition_point(
      first, first + count, [&](const SearchEntry& entry) { return isBefore(entry.start); });
  if (after == first) return nullptr;
  return reinterpret_cast<const uint8_t*>(table.base +
                                          static_cast<uint64_t>(int64_t{after[-1].fde}));
}

bool findFde(ByteRange header, ByteRange readable, uint64_t pc, FdeWithHandlers* found) {
  const uint8_t* fde = searchFde(searchTableOf(header), pc);
  Cie cie;
  FdeRange range;
  FrameBytes instructions;
  found->handlers = nullptr;
  if (fde == nullptr ||
      !readFde(fde, FrameMemory(readable), &cie, &range, &instructions, &found->handlers)) {
    return false;
  }
  found->start = range.start;
  found->end = range.end;
  return pc >= range.start && pc < range.end;
}

// The call-site table of a language-specific data area, as all languages have it that unwind by
// call frame information.
bool mayCatch(ByteRange header, ByteRange readable, uint64_t pc) {
  FdeWithHandlers fde;
  if (!findFde(header, readable, pc - 1, &fde)) return true;
  if (fde.handlers == nullptr) return false;
  if (!readable.contains(fde.handlers)) return true;
  Cursor c(fde.handlers, readable.end);
  const uint8_t startEncoding = c.byte();
  if (startEncoding != kOmitted) c.pointer(static_cast<uint8_t>(startEncoding & 0x0f), 0);
  if (c.byte() != kOmitted) c.uleb();  // types
  const uint8_t encoding = static_cast<uint8_t>(c.byte() & 0x0f);
  const uint64_t size = c.uleb();
  Cursor sites(c.at(), readable.end);
  if (!c.take(size)) return true;
  const uint64_t offset = pc - 1 - fde.start;
  while (sites.ok() && sites.at() < c.at()) {
    const uint64_t start = sites.pointer(encoding, 0);
    const uint64_t length = sites.pointer(encoding, 0);
    const uint64_t landingPad = sites.pointer(encoding, 0);
    const uint64_t action = sites.uleb();
    if (!sites.ok() || offset < start) return true;  // a call that must not throw
    if (offset < start + length) return landingPad != 0 && action != 0;
  }
  return true;
}

bool rowsOfFde(ByteRange readable, const uint8_t* fde, FrameScratch& scratch, RowSink& sink) {
  Cie cie;
  FdeRange range;
  FrameBytes instructions;
  if (!readFde(fde, FrameMemory(readable, scratch), &cie, &range, &instructions) ||
      !sink.begin(range)) {
    return false;
  }
  Interpreter interpreter(cie, range.start, scratch.remembered);
  if (!interpreter.run(cie.instructions, nullptr)) return false;
  interpreter.rememberInitial();
  const bool whole = interpreter.run(instructions, &sink);
  return interpreter.flush(sink) && whole;
}

namespace {

struct RowAt final : RowSink {
  explicit RowAt(uint64_t wanted) : pc(wanted) {}
  bool begin(const FdeRange& range) override { return pc >= range.start && pc < range.end; }
  bool row(uint64_t start, const ExtendedRule& given, bool inSignalFrame) override {
    beyond = start > pc;
    if (beyond) return false;
    known = true;
    rule = given;
    signalFrame = inSignalFrame;
    return true;
  }
  const uint64_t pc;
  bool known = false, beyond = false, signalFrame = false;
  ExtendedRule rule;
};

}  // namespace

Rule ruleOfFde(ByteRange readable, const uint8_t* fde, FrameScratch& scratch, uint64_t pc) {
  // Signal context.
  RowAt found(pc);
  const bool whole = rowsOfFde(readable, fde, scratch, found);
  // A damaged entry may be wrong about what it says of its code before the damage.
  if (!found.known || (!whole && !found.beyond)) return Rule{};
  return compactRule(found.rule, found.signalFrame);
}

}  // namespace parallax
