// parallax-disassembly FILE OFFSET...: the instructions of functions.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/points/points_listing.h"

namespace {

using namespace parallax::points;

constexpr char kUsage[] =
    "usage: parallax-disassembly [--syntax intel|att] [--build-id ID] [--debug-directory DIR]...\n"
    "                            FILE OFFSET...\n"
    "Prints the instructions of the functions at the offsets (hex, from the load bias) of a program or\n"
    "library, all parts of each function, with the source line and the inlined functions of each\n"
    "instruction. Lines have fields separated by tabs:\n"
    "  B build-id                                  of the file\n"
    "  X offset                                    no function is known at this offset\n"
    "  P entry name                                a function\n"
    "  R begin end                                 a part of it, the one with the entry first\n"
    "  I offset length target target-name text     an instruction\n"
    "  F function file line declared-line inlined  a frame of it, innermost first\n"
    "  S                                           it has the frames of the instruction before\n"
    "  --syntax SYNTAX        of the text: intel (default) or att\n"
    "  --build-id ID          the build id that the file must have\n"
    "  --debug-directory DIR  a directory with separate debug information (default: /usr/lib/debug)\n"
    "Exit status: 0, 1 if the file cannot be read or has another build id, 2 for wrong use.\n"
    "\n"
    "examples:\n"
    "  parallax-disassembly ./heat 1a40\n"
    "  parallax-disassembly --syntax att --build-id 5f2a... libsolver.so 2c10 2d80\n";

int wrongUse(const std::string& what) {
  fprintf(stderr, "parallax-disassembly: %s\n%s", what.c_str(), kUsage);
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  ListingRequest request;
  std::vector<std::string> debugDirectories;
  for (int i = 1; i < count; i++) {
    const char* argument = arguments[i];
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
      fputs(kUsage, stdout);
      return 0;
    }
    if (strcmp(argument, "--syntax") == 0 && i + 1 < count) {
      const std::string syntax = arguments[++i];
      if (syntax != "intel" && syntax != "att") return wrongUse("unknown syntax " + syntax);
      request.syntax = syntax == "att" ? Syntax::kAtt : Syntax::kIntel;
    } else if (strcmp(argument, "--build-id") == 0 && i + 1 < count) {
      request.buildId = arguments[++i];
    } else if (strcmp(argument, "--debug-directory") == 0 && i + 1 < count) {
      debugDirectories.push_back(arguments[++i]);
    } else if (argument[0] == '-') {
      return wrongUse(std::string("unexpected argument ") + argument);
    } else if (request.path.empty()) {
      request.path = argument;
    } else {
      char* end = nullptr;
      request.offsets.push_back(strtoull(argument, &end, 16));
      if (*argument == 0 || *end != 0) {
        return wrongUse(std::string("not a hexadecimal offset: ") + argument);
      }
    }
  }
  if (request.path.empty() || request.offsets.empty()) return wrongUse("name a file and an offset");
  if (!debugDirectories.empty()) request.debugDirectories = std::move(debugDirectories);
  Listing listing;
  const std::string reason = listFunctions(request, &listing);
  if (!reason.empty()) {
    fprintf(stderr, "parallax-disassembly: %s: %s\n", request.path.c_str(), reason.c_str());
    return 1;
  }
  fputs(toText(listing).c_str(), stdout);
  return fflush(stdout) == 0 ? 0 : 1;
}
