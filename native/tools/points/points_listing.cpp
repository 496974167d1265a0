#include "tools/points/points_listing.h"

#include <Zydis/Formatter.h>
#include <inttypes.h>
#include <stdio.h>

#include <algorithm>
#include <set>

#include "tools/points/points_code.h"
#include "tools/points/points_image.h"
#include "tools/symbols_names.h"
#include "tools/symbols_resolve.h"

namespace parallax::points {
namespace {

constexpr char kNoInstruction[] = "(no instruction)";

// Texts of instructions in one syntax.
class Formatter {
 public:
  explicit Formatter(Syntax syntax) {
    ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisFormatterInit(&formatter_, syntax == Syntax::kAtt ? ZYDIS_FORMATTER_STYLE_ATT
                                                           : ZYDIS_FORMATTER_STYLE_INTEL);
    ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
    for (const auto padding : {ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
                               ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE,
                               ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_FORMATTER_PROP_IMM_PADDING}) {
      ZydisFormatterSetProperty(&formatter_, padding, ZYDIS_PADDING_DISABLED);
    }
  }

  std::string text(const Instruction& instruction, const uint8_t* bytes) const {
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    char text[256];
    if (bytes == nullptr || instruction.kind == Kind::kNothing ||
        !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, bytes, instruction.length, &decoded,
                                             operands)) ||
        !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(
            &formatter_, &decoded, operands, decoded.operand_count_visible, text, sizeof text,
            instruction.address, nullptr))) {
      return kNoInstruction;
    }
    return text;
  }

 private:
  ZydisDecoder decoder_;
  ZydisFormatter formatter_;
};

// The function that begins at an address, or the routine of another module that a stub or a slot
// there leads to; empty when it has no name.
std::string nameAt(const Image& image, uint64_t address) {
  const std::string& imported = image.importAt(address);
  if (!imported.empty()) return imported;
  const auto& symbols = image.symbols();
  const auto found = std::lower_bound(symbols.begin(), symbols.end(), address,
                                      [](const Symbol& s, uint64_t a) { return s.begin < a; });
  if (found == symbols.end() || found->begin != address) return {};
  const std::string readable = symbols::demangled(found->name.c_str());
  return readable.empty() ? found->name : readable;
}

ListedInstruction listed(const Image& image, const Function& function, const Formatter& formatter,
                         const Instruction& i) {
  ListedInstruction result;
  result.offset = i.address;
  result.length = i.length;
  result.text = formatter.text(i, image.bytes(i.address, i.length));
  result.hasTarget = i.kind == Kind::kBranch || i.kind == Kind::kJump || i.kind == Kind::kCall;
  if (result.hasTarget) {
    result.target = i.target;
    if (i.target == function.entry || !function.contains(i.target)) {
      result.targetName = nameAt(image, i.target);
    }
  } else if (i.kind == Kind::kIndirectCall || i.kind == Kind::kIndirectJump) {
    result.targetName = image.importAt(i.memory);
  }
  return result;
}

// The names and lines of all instructions, as a trace's symbols have them.
void addFrames(const ListingRequest& request, Listing* listing) {
  symbols::ModuleAddresses addresses{request.buildId, request.path, {}};
  for (const ListedFunction& function : listing->functions) {
    for (const ListedInstruction& i : function.instructions) addresses.offsets.insert(i.offset);
  }
  symbols::ResolveOptions options;
  options.debugDirectories = request.debugDirectories;
  std::vector<symbols::ModuleStatistics> statistics;
  const auto modules = symbols::resolveModules({addresses}, options, &statistics);
  const auto& resolved = modules[0].addresses;  // sorted by offset
  for (ListedFunction& function : listing->functions) {
    for (ListedInstruction& i : function.instructions) {
      const auto found = std::lower_bound(
          resolved.begin(), resolved.end(), i.offset,
          [](const format::SymbolAddress& a, uint64_t offset) { return a.offset < offset; });
      if (found == resolved.end() || found->offset != i.offset) continue;
      i.frames = found->frames;
      if (i.offset == function.entry && !i.frames.empty()) function.name = i.frames.back().function;
    }
  }
}

bool operator==(const format::SymbolFrame& a, const format::SymbolFrame& b) {
  return a.function == b.function && a.file == b.file && a.line == b.line &&
         a.declaredLine == b.declaredLine && a.inlined == b.inlined;
}

bool isSame(const std::vector<format::SymbolFrame>& a, const std::vector<format::SymbolFrame>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x == y; });
}

std::string hex(uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIx64, value);
  return text;
}

// A field may contain neither tabs nor the ends of lines.
std::string field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

std::string listFunctions(const ListingRequest& request, Listing* listing) {
  *listing = Listing{};
  std::string reason;
  const auto image = Image::open(request.path, &reason, request.buildId);
  if (image == nullptr) return reason;
  listing->buildId = image->buildId();
  Code code(*image);
  const Formatter formatter(request.syntax);
  std::set<uint64_t> entries;
  for (const uint64_t offset : request.offsets) {
    const Function* function = code.functionAt(offset);
    if (function == nullptr || !function->contains(offset)) {
      listing->unknown.push_back(offset);
      continue;
    }
    if (!entries.insert(function->entry).second) continue;
    ListedFunction result;
    result.entry = function->entry;
    result.parts = function->ranges;
    for (const Instruction& i : function->instructions) {
      result.instructions.push_back(listed(*image, *function, formatter, i));
    }
    listing->functions.push_back(std::move(result));
  }
  std::sort(listing->functions.begin(), listing->functions.end(),
            [](const ListedFunction& a, const ListedFunction& b) { return a.entry < b.entry; });
  addFrames(request, listing);
  return {};
}

std::string toText(const Listing& listing) {
  std::string text = "parallax-disassembly\t1\nB\t" + listing.buildId + "\n";
  for (const uint64_t offset : listing.unknown) text += "X\t" + hex(offset) + "\n";
  for (const ListedFunction& function : listing.functions) {
    text += "P\t" + hex(function.entry) + "\t" + field(function.name) + "\n";
    for (const CodeRange& part : function.parts) {
      text += "R\t" + hex(part.begin) + "\t" + hex(part.end) + "\n";
    }
    const std::vector<format::SymbolFrame>* last = nullptr;
    for (const ListedInstruction& i : function.instructions) {
      text += "I\t" + hex(i.offset) + "\t" + std::to_string(i.length) + "\t" +
              (i.hasTarget ? hex(i.target) : "") + "\t" + field(i.targetName) + "\t" +
              field(i.text) + "\n";
      if (last != nullptr && isSame(*last, i.frames)) {
        text += "S\n";
      } else {
        for (const format::SymbolFrame& frame : i.frames) {
          text += "F\t" + field(frame.function) + "\t" + field(frame.file) + "\t" +
                  std::to_string(frame.line) + "\t" + std::to_string(frame.declaredLine) + "\t" +
                  (frame.inlined ? "1" : "0") + "\n";
        }
      }
      last = &i.frames;
    }
  }
  return text;
}

}  // namespace parallax::points
