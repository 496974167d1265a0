#include "format/symbols_file.h"

#include <algorithm>
#include <charconv>

namespace parallax::format {
namespace {

constexpr std::string_view kFirstLine = "parallax-symbols\t1";

void appendField(std::string* text, std::string_view field) {
  text->push_back('\t');
  for (const char c : field) text->push_back(c == '\t' || c == '\n' || c == '\r' ? ' ' : c);
}

void appendHex(std::string* text, uint64_t value) {
  char digits[16];
  const auto result = std::to_chars(digits, digits + sizeof digits, value, 16);
  appendField(text, std::string_view(digits, static_cast<size_t>(result.ptr - digits)));
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

template <class T>
bool parse(std::string_view field, T* value, int base = 10) {
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), *value, base);
  return error == std::errc() && end == field.data() + field.size();
}

SymbolModule* moduleOf(std::string_view field, std::vector<SymbolModule>* modules) {
  uint32_t number = 0;
  return parse(field, &number) && number < modules->size() ? &(*modules)[number] : nullptr;
}

// Takes one line after the first; `current` is the address that F lines belong to.
bool parseLine(const std::vector<std::string_view>& fields, std::vector<SymbolModule>* modules,
               SymbolAddress** current) {
  const std::string_view kind = fields[0];
  if (kind == "M" && fields.size() >= 4) {
    SymbolModule module;
    if (!parse(fields[1], &module.number) || module.number != modules->size()) return false;
    module.buildId = fields[2];
    module.path = fields[3];
    modules->push_back(std::move(module));
    *current = nullptr;
    return true;
  }
  if (kind == "A" && fields.size() >= 3) {
    SymbolModule* module = moduleOf(fields[1], modules);
    SymbolAddress address;
    if (module == nullptr || !parse(fields[2], &address.offset, 16)) return false;
    if (fields.size() >= 4 && !parse(fields[3], &address.functionStart, 16)) return false;
    module->addresses.push_back(std::move(address));
    *current = &module->addresses.back();
    return true;
  }
  if (kind == "F" && fields.size() >= 6) {
    SymbolFrame frame;
    if (*current == nullptr || !parse(fields[3], &frame.line) ||
        !parse(fields[4], &frame.declaredLine)) {
      return false;
    }
    frame.function = fields[1];
    frame.file = fields[2];
    frame.inlined = fields[5] == "1";
    (*current)->frames.push_back(std::move(frame));
    return true;
  }
  if (kind == "U" && fields.size() >= 3) {
    SymbolModule* module = moduleOf(fields[1], modules);
    if (module == nullptr) return false;
    module->reason = fields[2];
    return true;
  }
  // Lines that a later version adds are skipped; known ones that are too short are not.
  return kind != "M" && kind != "A" && kind != "F" && kind != "U";
}

}  // namespace

std::string formatSymbols(const std::vector<SymbolModule>& modules) {
  std::string text(kFirstLine);
  text += '\n';
  for (const SymbolModule& module : modules) {
    const std::string number = std::to_string(module.number);
    text += 'M';
    appendField(&text, number);
    appendField(&text, module.buildId);
    appendField(&text, module.path);
    text += '\n';
    for (const SymbolAddress& address : module.addresses) {
      text += 'A';
      appendField(&text, number);
      appendHex(&text, address.offset);
      if (address.frames.empty() && address.functionStart != 0) {
        appendHex(&text, address.functionStart);
      }
      text += '\n';
      for (const SymbolFrame& frame : address.frames) {
        text += 'F';
        appendField(&text, frame.function);
        appendField(&text, frame.file);
        appendField(&text, std::to_string(frame.line));
        appendField(&text, std::to_string(frame.declaredLine));
        appendField(&text, frame.inlined ? "1" : "0");
        text += '\n';
      }
    }
    if (!module.reason.empty()) {
      text += 'U';
      appendField(&text, number);
      appendField(&text, module.reason);
      text += '\n';
    }
  }
  return text;
}

std::string parseSymbols(std::string_view text, std::vector<SymbolModule>* modules) {
  modules->clear();
  SymbolAddress* current = nullptr;
  for (size_t lineNumber = 1; !text.empty(); lineNumber++) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool sound = lineNumber == 1 ? line == kFirstLine
                                       : parseLine(split(line), modules, &current);
    if (!sound) return "line " + std::to_string(lineNumber) + " is not a line of a symbols file";
  }
  return {};
}

}  // namespace parallax::format
