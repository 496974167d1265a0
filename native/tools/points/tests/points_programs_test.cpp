// Points in programs that count their own calls, built by two compilers in many ways.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/points/tests/run_points.h"

namespace parallax::points {
namespace {

// "= PLACE COUNT" for each.
std::map<std::string, uint64_t> countsIn(const std::string& output) {
  std::map<std::string, uint64_t> counts;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const size_t space = line.rfind(' ');
    if (line.compare(0, 2, "= ") == 0) {
      counts[line.substr(2, space - 2)] = std::stoull(line.substr(space + 1));
    }
  }
  return counts;
}

// "control.c:120" of the line marked by "// line 0".
std::string markedLine(const std::string& source, const std::string& mark) {
  std::ifstream file(std::string(PARALLAX_POINTS_SOURCES) + "/" + source);
  size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    number++;
    if (line.find("// " + mark) != std::string::npos) return source + ":" + std::to_string(number);
  }
  return mark;
}

size_t linesOf(const std::string& source) {
  std::ifstream file(std::string(PARALLAX_POINTS_SOURCES) + "/" + source);
  size_t number = 0;
  for (std::string line; std::getline(file, line);) number++;
  return number;
}

// Those of a build, such as "control.c-gcc-O2-pie".
class Programs : public testing::TestWithParam<std::string> {
 protected:
  std::string path() const { return std::string(PARALLAX_POINTS_SAMPLES) + "/" + GetParam(); }
  std::string source() const { return GetParam().substr(0, GetParam().find('-')); }
};

TEST_P(Programs, PointsCountWhatTheProgramCounts) {
  const Output plain = run({path()}, "", {});
  ASSERT_EQ(plain.status, 0);
  const std::map<std::string, uint64_t> expected = countsIn(plain.text);
  ASSERT_GT(expected.size(), 15u);
  std::vector<std::string> places, names;
  for (const auto& [name, count] : expected) {
    names.push_back(name);
    places.push_back(name.compare(0, 5, "line ") == 0 ? markedLine(source(), name) : name);
  }
  const Perturbed perturbed = runWithPoints({path()}, {}, places, "");
  EXPECT_EQ(perturbed.output.status, 0);
  EXPECT_EQ(perturbed.output.text, plain.text);
  for (const std::string& problem : perturbed.problems) ADD_FAILURE() << problem;
  for (size_t i = 0; i < places.size(); i++) {
    EXPECT_EQ(perturbed.counts[i], expected.at(names[i])) << names[i];
  }
}

TEST_P(Programs, EveryLineCanBeAPlace) {
  const Output plain = run({path()}, "", {});
  std::vector<std::string> places;
  for (size_t line = 1; line <= linesOf(source()); line++) {
    places.push_back(source() + ":" + std::to_string(line));
  }
  const Perturbed perturbed = runWithPoints({path()}, {}, places, "");
  EXPECT_EQ(perturbed.output.text, plain.text);
  EXPECT_EQ(perturbed.output.status, 0);
  size_t reached = 0;
  for (const uint64_t count : perturbed.counts) reached += count > 0 ? 1 : 0;
  EXPECT_GT(reached, 40u);
  for (const std::string& problem : perturbed.problems) {
    EXPECT_NE(problem.find("has no code"), std::string::npos) << problem;
  }
}

std::vector<std::string> samples() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(PARALLAX_POINTS_SAMPLES)) {
    names.push_back(file.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Built, Programs, testing::ValuesIn(samples()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) c = isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

}  // namespace
}  // namespace parallax::points
