#include "tools/symbols_names.h"

#include <cxxabi.h>
#include <stdlib.h>
#include <string.h>

namespace parallax::symbols {
namespace {

// gfortran: __MODULE_MOD_PROCEDURE
std::string fortranName(const char* name) {
  if (strncmp(name, "__", 2) != 0) return {};
  const char* separator = strstr(name, "_MOD_");
  if (separator == nullptr || separator == name + 2 || separator[5] == 0) return {};
  return std::string(name + 2, separator) + "::" + (separator + 5);
}

}  // namespace

std::string demangled(const char* name) {
  // "_GLOBAL__sub_I_" and the like are no mangled names although the demangler takes them.
  if (strncmp(name, "_Z", 2) != 0) return fortranName(name);
  // The demangler refuses the suffixes of some compilers, so try without them as well.
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  if (text == nullptr) {
    const char* suffix = strchr(name, '.');
    if (suffix == nullptr) return {};
    text = abi::__cxa_demangle(std::string(name, suffix).c_str(), nullptr, nullptr, &status);
    if (text == nullptr) return {};
  }
  std::string result = text;
  free(text);
  return result;
}

}  // namespace parallax::symbols
