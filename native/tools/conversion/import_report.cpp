#include "tools/conversion/import_report.h"

#include <stdio.h>

namespace parallax::conversion {

ImportReport::ImportReport(const std::string& format, const std::string& original)
    : text_("parallax-imported\t1\nformat\t" + oneLine(format) + "\nfrom\t" + oneLine(original) + "\n") {}

void ImportReport::count(const char* what, const std::string& name, uint64_t read, uint64_t left) {
  text_ += std::string(what) + "\t" + oneLine(name) + "\t" + std::to_string(read) + "\t" + std::to_string(left) + "\n";
}

void ImportReport::definition(const std::string& kind, uint64_t left) {
  text_ += "definition\t" + oneLine(kind) + "\t" + std::to_string(left) + "\n";
}

void ImportReport::warning(const std::string& sentence) { text_ += "warning\t" + oneLine(sentence) + "\n"; }

std::string oneLine(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  return text;
}

std::string runNumber(uint64_t first, uint64_t second) {
  char text[33];
  snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(first), static_cast<unsigned long long>(second));
  return text;
}

}  // namespace parallax::conversion
