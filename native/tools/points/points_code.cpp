#include "tools/points/points_code.h"

#include <dwarf.h>
#include <string.h>

#include <algorithm>

namespace parallax::points {
namespace {

constexpr char kColdPart[] = ".cold";
// Nothing longer stands between a load of a pointer and the jump to it.
constexpr int kMostInstructionsBack = 16;

// "f" of "f.cold" and "f.cold.3", or an empty string.
std::string ownerOf(const std::string& name) {
  const size_t at = name.rfind(kColdPart);
  return at == std::string::npos || at == 0 ? std::string() : name.substr(0, at);
}

}  // namespace

bool Function::contains(uint64_t address) const {
  for (const CodeRange& range : ranges) {
    if (address >= range.begin && address < range.end) return true;
  }
  return false;
}

size_t Function::at(uint64_t address) const {
  const auto found =
      std::lower_bound(instructions.begin(), instructions.end(), address,
                       [](const Instruction& i, uint64_t a) { return i.address < a; });
  if (found == instructions.end() || found->address != address) return instructions.size();
  return static_cast<size_t>(found - instructions.begin());
}

Code::Code(const Image& image)
    : image_(image), targets_(image), cfi_(dwarf_getcfi_elf(image.file().elf())) {
  std::vector<CodeRange> all = image.frames().ranges;
  for (const Symbol& symbol : image.symbols()) all.push_back({symbol.begin, symbol.end});
  std::sort(all.begin(), all.end(), [](const CodeRange& a, const CodeRange& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  for (const CodeRange& range : all) {
    const Section* section = image.sectionAt(range.begin);
    if (section == nullptr || !section->isCode || section->isStubs) continue;
    if (ranges_.empty() || ranges_.back().begin != range.begin) ranges_.push_back(range);
  }
  for (size_t i = 0; i < ranges_.size(); i++) {
    // Without a size: up to the next one.
    const uint64_t sectionEnd = image.sectionAt(ranges_[i].begin)->end;
    const uint64_t next = i + 1 < ranges_.size() ? ranges_[i + 1].begin : sectionEnd;
    if (ranges_[i].end == ranges_[i].begin) ranges_[i].end = next;
    ranges_[i].end = std::min(ranges_[i].end, sectionEnd);
  }
}

CodeRange Code::rangeAt(uint64_t address) const {
  auto next = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                               [](uint64_t a, const CodeRange& r) { return a < r.begin; });
  if (next == ranges_.begin()) return {0, 0};
  --next;
  return address < next->end ? *next : CodeRange{0, 0};
}

std::pair<const CodeRange*, const CodeRange*> Code::rangesNear(uint64_t low,
                                                               uint64_t high) const {
  const auto isBehind = [](uint64_t a, const CodeRange& r) { return a < r.begin; };
  auto first = std::upper_bound(ranges_.begin(), ranges_.end(), low, isBehind);
  if (first != ranges_.begin()) --first;
  const auto last = std::upper_bound(first, ranges_.end(), high, isBehind);
  return {ranges_.data() + (first - ranges_.begin()), ranges_.data() + (last - ranges_.begin())};
}

void Code::decode(const CodeRange& range, std::vector<Instruction>* instructions) const {
  for (uint64_t at = range.begin; at < range.end;) {
    const uint8_t* bytes = image_.bytes(at, range.end - at);
    if (bytes == nullptr) return;
    instructions->push_back(decoder_.decode(at, bytes, range.end - at));
    at = instructions->back().end();
  }
}

const Function* Code::functionAt(uint64_t address) {
  const CodeRange range = rangeAt(address);
  if (range.end == 0) return nullptr;
  const uint64_t entry = headOf(range.begin);
  std::unique_ptr<Function>& function = functions_[entry];
  if (function == nullptr) function = analyse(rangeAt(entry));
  return function.get();
}

// The function of a part that the compiler put elsewhere: the one that branches into it.
uint64_t Code::headOf(uint64_t part) const {
  const auto& symbols = image_.symbols();
  const auto firstAt = [&symbols](uint64_t address) {
    return std::lower_bound(symbols.begin(), symbols.end(), address,
                            [](const Symbol& s, uint64_t a) { return s.begin < a; });
  };
  const CodeRange range = rangeAt(part);
  const auto [first, last] = targets_.into(range.begin, range.end);
  const auto symbol = firstAt(part);
  if (symbol == symbols.end() || symbol->begin != part) return headOfUnnamed(range);
  const std::string owner = ownerOf(symbol->name);
  for (const Transfer* t = first; t != last && !owner.empty(); ++t) {
    const CodeRange from = rangeAt(t->from);
    for (auto s = firstAt(from.begin); s != symbols.end() && s->begin == from.begin; ++s) {
      if (s->name == owner) return from.begin;
    }
  }
  return part;
}

// Without names: a part begins in the middle of a frame, or is branched to but neither called nor
// known to data.
uint64_t Code::headOfUnnamed(const CodeRange& range) const {
  const bool beginsInFrame = isInFrame(range.begin);
  uint64_t head = range.begin;
  const auto [first, last] = targets_.into(range.begin, range.end);
  for (const Transfer* t = first; t != last; ++t) {
    const bool isToBegin = t->to == range.begin;
    if (!beginsInFrame && !isToBegin) break;
    if (!beginsInFrame && t->from == Targets::kIndirect) return range.begin;
    const CodeRange from = rangeAt(t->from);
    if (from.end == 0 || from.begin == range.begin) continue;
    const Instruction i = decoder_.decode(t->from, image_.bytes(t->from, from.end - t->from),
                                          from.end - t->from);
    if (!beginsInFrame && i.isCall()) return range.begin;
    const bool leadsIn = i.kind == Kind::kBranch || (i.kind == Kind::kJump && isInFrame(t->from));
    if (leadsIn && head == range.begin && !isInFrame(from.begin)) head = from.begin;
  }
  return head;
}

// Whether the caller's frame is further away than a return address: no function can be left
// there by a jump.
bool Code::isInFrame(uint64_t address) const {
  Dwarf_Frame* frame = nullptr;
  if (cfi_ == nullptr || dwarf_cfi_addrframe(cfi_, address, &frame) != 0) return false;
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  bool isInFrame = false;
  if (dwarf_frame_cfa(frame, &operations, &count) == 0 && count > 0) {
    constexpr Dwarf_Word kStackPointer = 7, kReturnAddressBytes = 8;
    Dwarf_Word registerNumber = operations[0].number, offset = operations[0].number2;
    if (operations[0].atom >= DW_OP_breg0 && operations[0].atom <= DW_OP_breg31) {
      offset = registerNumber;
      registerNumber = operations[0].atom - DW_OP_breg0;
    }
    isInFrame = count != 1 || registerNumber != kStackPointer || offset != kReturnAddressBytes;
  }
  free(frame);
  return isInFrame;
}

// Whether a jump that leaves all known parts of the function leads to one more.
bool Code::isPart(const Function& function, const Instruction& jump) const {
  const CodeRange range = rangeAt(jump.target);
  if (range.end == 0) return false;
  return headOf(range.begin) == function.entry;
}

std::unique_ptr<Function> Code::analyse(const CodeRange& first) {
  auto function = std::make_unique<Function>();
  function->entry = first.begin;
  function->ranges.push_back(first);
  for (size_t at = 0; at < function->ranges.size(); at++) {
    std::vector<Instruction> part;
    decode(function->ranges[at], &part);
    for (const Instruction& i : part) {
      const bool leaves = (i.kind == Kind::kJump || i.kind == Kind::kBranch) &&
                          !function->contains(i.target);
      if (leaves && isPart(*function, i)) function->ranges.push_back(rangeAt(i.target));
    }
    function->instructions.insert(function->instructions.end(), part.begin(), part.end());
  }
  std::sort(function->instructions.begin(), function->instructions.end(),
            [](const Instruction& a, const Instruction& b) { return a.address < b.address; });
  function->body = function->entry;
  const size_t entryAt = function->at(function->entry);
  if (entryAt + 1 < function->instructions.size() && function->instructions[entryAt].isEntryMark) {
    function->body = function->instructions[entryAt].end();
  }
  for (size_t at = 0; at < function->instructions.size(); at++) {
    const Instruction& i = function->instructions[at];
    const bool leaves = (i.kind == Kind::kJump || i.kind == Kind::kBranch) &&
                        !function->contains(i.target);
    if (i.kind == Kind::kReturn || (leaves && i.kind == Kind::kJump)) {
      function->exits.push_back(i.address);
    } else if (leaves) {
      function->branchesOut.push_back(i.address);
    } else if (i.kind == Kind::kIndirectJump) {
      classifyIndirect(function.get(), at);
    }
  }
  findEntryLoop(function.get());
  std::sort(function->exits.begin(), function->exits.end());
  return function;
}

// Instructions that may go back to the first one, however they do it. If one of them runs in a frame
// then what goes back has removed it: the function calls itself as its last act, which is leaving and
// entering.
void Code::findEntryLoop(Function* function) const {
  const std::vector<Instruction>& all = function->instructions;
  const auto isStart = [&](uint64_t address) {
    return address >= function->entry && address <= function->body;
  };
  bool tableRepeats = false;
  for (const CodeRange& range : function->ranges) {
    tableRepeats |= targets_.hasTable(range, {function->entry, function->body + 1});
  }
  std::vector<bool> repeats(all.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t at = all.size(); at-- > 0;) {
      if (repeats[at]) continue;
      const Instruction& i = all[at];
      bool is = i.kind == Kind::kIndirectJump && tableRepeats;
      if (i.kind == Kind::kBranch || i.kind == Kind::kJump) {
        const size_t to = function->at(i.target);
        is |= isStart(i.target) || (to < all.size() && repeats[to]);
      }
      is |= i.goesOn() && at + 1 < all.size() && all[at + 1].address == i.end() && repeats[at + 1];
      if (!is) continue;
      repeats[at] = changed = true;
    }
  }
  std::vector<const Instruction*> loop;
  bool hasFrame = false;
  for (size_t at = 0; at < all.size(); at++) {
    if (!repeats[at] || all[at].address < function->body) continue;
    hasFrame |= isInFrame(all[at].address);
    loop.push_back(&all[at]);
  }
  if (!hasFrame) {
    function->entryLoop = std::move(loop);
    return;
  }
  for (const Instruction& i : all) {
    if (!isStart(i.target)) continue;
    if (i.kind == Kind::kJump) function->exits.push_back(i.address);
    if (i.kind == Kind::kBranch) function->branchesOut.push_back(i.address);
  }
}

// An indirect jump is a tail call or goes through a table. Pointers that are loaded lead to
// addresses that data or instructions hold, all of which are targets; only addresses that are
// computed need a table that is known.
void Code::classifyIndirect(Function* function, size_t at) const {
  const Instruction& jump = function->instructions[at];
  using Origin = Decoder::Origin;
  Origin origin = jump.sibAt == 0 ? Origin::kLoaded : Origin::kIndexed;
  const auto bytesOf = [this](const Instruction& i) { return image_.bytes(i.address, i.length); };
  const ZydisRegister wanted = decoder_.jumpRegister(bytesOf(jump), jump.length);
  if (wanted != ZYDIS_REGISTER_NONE) {
    origin = Origin::kNone;
    for (int back = 1; back <= kMostInstructionsBack && origin == Origin::kNone; back++) {
      if (static_cast<size_t>(back) > at) break;
      const Instruction& i = function->instructions[at - static_cast<size_t>(back)];
      if (i.kind != Kind::kPlain && i.kind != Kind::kPadding && i.kind != Kind::kBranch) break;
      origin = decoder_.originOf(wanted, bytesOf(i), i.length);
    }
  } else if (jump.memoryAt != 0) {
    function->exits.push_back(jump.address);  // through the global offset table
    return;
  }
  bool hasTable = false, hasLabels = false, takesLabels = false, staysPossible = false;
  for (const CodeRange& to : function->ranges) {
    for (const CodeRange& code : function->ranges) {
      hasTable |= targets_.hasTable(code, to);
      takesLabels |= targets_.takes(code, {to.begin + 1, to.end});
    }
    const auto [first, last] = targets_.into(to.begin + 1, to.end);
    for (const Transfer* t = first; t != last; ++t) {
      const bool isTable = t->from == Targets::kTable;
      hasLabels |= t->from == Targets::kIndirect;
      if (isTable || t->from == Targets::kIndirect) staysPossible |= !isInFrame(t->to);
    }
  }
  // `jmp *8(%rax)` is a call of a virtual function, `jmp *(%rdx,%rax,8)` goes through a table.
  // And without a frame no jump leads to where there is one.
  bool isTailCall = !isInFrame(jump.address);
  if (isTailCall && !staysPossible && origin != Origin::kAdded) hasTable = hasLabels = false;
  if (origin == Origin::kIndexed) isTailCall &= !hasLabels;
  if (origin == Origin::kAdded) isTailCall = false;
  if (origin == Origin::kNone || origin == Origin::kOther) isTailCall &= !hasTable && !hasLabels;
  if (isTailCall) {
    function->exits.push_back(jump.address);
  } else if (origin == Origin::kAdded || origin == Origin::kOther || origin == Origin::kNone) {
    // A distance between labels, added to one of them, leads nobody knows where.
    const bool isKnown = hasTable ? origin != Origin::kAdded || !takesLabels
                                  : hasLabels && origin != Origin::kAdded;
    if (!isKnown) function->isKnown = false;
  }
}

}  // namespace parallax::points
