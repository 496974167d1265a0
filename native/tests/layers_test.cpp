// The agent's layers (layers.cmake): who includes and who calls whom.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/temporary_directory.h"

namespace parallax {
namespace {

namespace files = std::filesystem;

// From the lowest up.
const std::vector<std::string> kLayers = {"base", "format",  "transport", "live",
                                          "core", "sampler", "perturb",   "interpose"};

// What core/sampling.h declares, and the sampler implements.
const std::set<std::string> kBoundAbove = {
    "parallax::sampler::startProcess(unsigned int, unsigned long)",
    "parallax::sampler::startAgain(unsigned int)",
    "parallax::sampler::redefine()",
    "parallax::sampler::startThread(parallax::Thread*)",
    "parallax::sampler::stopThread(parallax::Thread*)",
    "parallax::sampler::pause(parallax::Thread*)",
    "parallax::sampler::resume(parallax::Thread*)",
    "parallax::sampler::callerPath(parallax::Thread*, unsigned long const*, parallax::Region&)",
    "parallax::sampler::keepSignal()",
};

// The place of a layer; -1: it is none.
int layerOf(const std::string& name) {
  const auto found = std::find(kLayers.begin(), kLayers.end(), name);
  return found == kLayers.end() ? -1 : static_cast<int>(found - kLayers.begin());
}

// "FILE includes HEADER" for each header of a higher layer, or of none, that the layers below `root` include.
std::vector<std::string> wrongIncludes(const files::path& root) {
  static const std::regex include("\\s*#\\s*include\\s*\"([^\"]+)\".*");
  std::vector<std::string> wrong;
  for (size_t layer = 0; layer < kLayers.size(); layer++) {
    if (!files::exists(root / kLayers[layer])) continue;
    for (const auto& entry : files::recursive_directory_iterator(root / kLayers[layer])) {
      const std::string file = entry.path().lexically_relative(root).string();
      const std::string ending = entry.path().extension().string();
      if ((ending != ".h" && ending != ".cpp") || file.rfind("format/tests/", 0) == 0) continue;
      std::ifstream text(entry.path());
      std::smatch match;
      for (std::string line; std::getline(text, line);) {
        if (!std::regex_match(line, match, include)) continue;
        const std::string header = match[1];
        const int included = layerOf(header.substr(0, header.find('/')));
        if (included < 0 || included > static_cast<int>(layer)) {
          wrong.push_back(file + " includes " + header);
        }
      }
    }
  }
  return wrong;
}

TEST(Layers, IncludePointsDown) {
  const std::vector<std::string> wrong = wrongIncludes(PARALLAX_SOURCE_DIRECTORY);
  for (const std::string& each : wrong) ADD_FAILURE() << each;
}

// Adapters of libraries do what interpose/tuning/library_actions.h declares, so that there is no cycle.
TEST(Layers, LiveTuningIncludesNoAdapter) {
  size_t found = 0;
  for (const auto& entry : files::directory_iterator(files::path(PARALLAX_SOURCE_DIRECTORY) / "interpose/tuning")) {
    std::ifstream text(entry.path());
    for (std::string line; std::getline(text, line);) {
      if (line.rfind("#include \"interpose/", 0) != 0) continue;
      found++;
      EXPECT_TRUE(line.find("/tuning/") != std::string::npos || line.find("/linker/") != std::string::npos)
          << entry.path().filename() << ": " << line;
    }
  }
  EXPECT_GT(found, 5u);
}

TEST(Layers, IncludeOfAHigherLayerIsFound) {
  const TemporaryDirectory root;
  const auto write = [&](const std::string& file, const std::string& header) {
    const files::path path(root / file);
    files::create_directories(path.parent_path());
    std::ofstream(path) << "#include <vector>\n#include \"" << header << "\"\n";
  };
  write("base/low.h", "base/other.h");
  write("core/right.cpp", "transport/file.h");
  write("core/deep/wrong.cpp", "sampler/sampler.h");
  write("sampler/wrong.h", "interpose/real.h");
  write("perturb/wrong.cpp", "tools/record.h");
  std::vector<std::string> wrong = wrongIncludes(root.path());
  std::sort(wrong.begin(), wrong.end());
  EXPECT_EQ(wrong, (std::vector<std::string>{"core/deep/wrong.cpp includes sampler/sampler.h",
                                             "perturb/wrong.cpp includes tools/record.h",
                                             "sampler/wrong.h includes interpose/real.h"}));
}

struct Symbols {
  std::map<std::string, int> lowest;  // layer that defines it
  std::map<std::string, std::set<int>> users;
};

// What the objects of a layer define and need, by `nm`.
void readSymbols(int layer, const std::string& object, Symbols* symbols) {
  FILE* output = popen(("nm -C '" + object + "'").c_str(), "r");
  ASSERT_NE(output, nullptr);
  char* line = nullptr;
  size_t capacity = 0;
  size_t lines = 0;
  while (getline(&line, &capacity, output) > 0) {
    std::string text = line;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    static const std::regex form("[0-9a-f ]{16} (\\w) (.*)");
    std::smatch match;
    if (!std::regex_match(text, match, form)) continue;
    lines++;
    const char kind = match[1].str()[0];
    if (kind == 'U' || kind == 'w' || kind == 'v') {
      symbols->users[match[2]].insert(layer);
    } else if (kind >= 'A' && kind <= 'Z') {
      const auto known = symbols->lowest.emplace(match[2], layer).first;
      known->second = std::min(known->second, layer);
    }
  }
  free(line);
  EXPECT_EQ(pclose(output), 0) << object;
  EXPECT_GT(lines, 0u) << object;
}

// Of libc, also where `interpose` has one in its place.
bool isOfLibc(const std::string& symbol) { return symbol.find("parallax") == std::string::npos; }

TEST(Layers, SymbolsPointDown) {
  std::ifstream list(PARALLAX_LAYER_OBJECTS);
  Symbols symbols;
  std::string name, object;
  size_t objects = 0;
  for (std::string line; std::getline(list, line);) {
    std::istringstream(line) >> name >> object;
    ASSERT_GE(layerOf(name), 0) << line;
    readSymbols(layerOf(name), object, &symbols);
    objects++;
  }
  EXPECT_GT(objects, 100u);
  std::set<std::string> bound;
  for (const auto& [symbol, layers] : symbols.users) {
    const auto defined = symbols.lowest.find(symbol);
    if (defined == symbols.lowest.end() || isOfLibc(symbol)) continue;
    for (const int layer : layers) {
      if (defined->second <= layer) continue;
      if (kBoundAbove.count(symbol) != 0) {
        bound.insert(symbol);
        continue;
      }
      ADD_FAILURE() << kLayers[static_cast<size_t>(layer)] << " needs " << symbol << " of "
                    << kLayers[static_cast<size_t>(defined->second)];
    }
  }
  EXPECT_EQ(bound, kBoundAbove);
}

}  // namespace
}  // namespace parallax
