// Points at all or thousands of functions of real programs, which must go on as if nothing were.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "tools/points/points_image.h"
#include "tools/points/points_words.h"
#include "tools/points/tests/run_points.h"

namespace parallax::points {
namespace {

struct Real {
  std::vector<std::string> command;
  std::string module;  // empty: the program
  std::string input;
  size_t functions;    // at most
  uint64_t seed;
};

// Entries and exits of `real.functions` functions of a module, by the frames that it describes: names
// are not needed.
void expectUnchanged(const Real& real) {
  const std::string path = real.module.empty() ? real.command[0] : real.module;
  std::string reason;
  const auto image = Image::open(path, &reason);
  ASSERT_NE(image, nullptr) << path << ": " << reason;
  std::vector<uint64_t> starts;
  for (const CodeRange& range : image->frames().ranges) {
    const Section* section = image->sectionAt(range.begin);
    if (section != nullptr && section->isCode && !section->isStubs) starts.push_back(range.begin);
  }
  std::mt19937_64 random(real.seed);
  std::shuffle(starts.begin(), starts.end(), random);
  starts.resize(std::min(starts.size(), real.functions));
  std::vector<std::string> options, places;
  std::string prefix;
  if (!real.module.empty()) {
    options = {"--library", real.module};
    prefix = std::filesystem::path(real.module).filename().string() + "!";
  }
  for (const uint64_t start : starts) {
    places.push_back("entry:" + prefix + hexText(start));
    places.push_back("exit:" + prefix + hexText(start));
  }
  const Output plain = run(real.command, real.input, {});
  ASSERT_EQ(plain.status, 0) << plain.text;
  Perturbed perturbed = runWithPoints(real.command, options, places, real.input);
  EXPECT_EQ(perturbed.output.status, 0);
  EXPECT_EQ(perturbed.output.text, plain.text) << "seed " << real.seed;
  size_t reached = 0, different = 0, all = 0;
  for (size_t i = 0; i < places.size(); i += 2) {
    reached += perturbed.counts[i] > 0 ? 1 : 0;
    if (perturbed.counts[i] == perturbed.counts[i + 1]) continue;
    different++;
    printf("  %s %llu times, %s %llu times\n", places[i].c_str(),
           static_cast<unsigned long long>(perturbed.counts[i]), places[i + 1].c_str(),
           static_cast<unsigned long long>(perturbed.counts[i + 1]));
  }
  size_t neverReturn = 0;
  for (const std::string& problem : perturbed.problems) {
    const bool isThat = problem.find("never returns") != std::string::npos;
    neverReturn += isThat ? 1 : 0;
    if (!isThat) printf("  %s\n", problem.c_str());
  }
  for (const auto& [method, count] : perturbed.methods) all += count;
  printf("%s: %zu functions, %zu points:", path.c_str(), starts.size(), all);
  for (const auto& [method, count] : perturbed.methods) {
    printf(" %s %.1f %%", method.c_str(), 100.0 * static_cast<double>(count) / static_cast<double>(all));
  }
  printf("; %zu entered, %zu with other exits than entries, %zu never return, %zu problems\n", reached,
         different, neverReturn, perturbed.problems.size() - neverReturn);
  EXPECT_GT(reached, starts.size() / 20);
  EXPECT_EQ(perturbed.problems.size(), neverReturn);
  // Builds of these programs may have a function that is left by exit() or a conditional jump.
  EXPECT_LE(different, 1u);
}

TEST(RealPrograms, SqliteAndAllOfItsLibrary) {
  const std::string library = "/usr/lib/x86_64-linux-gnu/libsqlite3.so.0";
  if (!std::filesystem::exists("/usr/bin/sqlite3") || !std::filesystem::exists(library)) {
    GTEST_SKIP() << "sqlite3 is not installed";
  }
  const std::string script =
      "create table t(a integer primary key, b text);\n"
      "with recursive c(x) as (values(1) union all select x+1 from c where x<2000)\n"
      "insert into t select x, hex(x*7919) from c;\n"
      "select count(*), sum(length(b)), max(b) from t;\n"
      "select substr(b,1,2), count(*) from t group by 1 order by 2 desc limit 5;\n"
      "select printf('%08.3f|%s', a*1.5, b) from t where a%97=3;\n"
      "create index i on t(b); pragma integrity_check;\n"
      "select json_extract('{\"a\":[1,2,{\"b\":3}]}','$.a[2].b'), count(*) over () from t limit 1;\n";
  expectUnchanged({{"/usr/bin/sqlite3", ":memory:"},
                   std::filesystem::canonical(library).string(), script, SIZE_MAX, 1});
}

TEST(RealPrograms, Python) {
  if (!std::filesystem::exists("/usr/bin/python3")) GTEST_SKIP() << "python3 is not installed";
  const std::string script =
      "import json, re, hashlib\n"
      "d = {str(i): [i * 1.5, 'x' * (i % 7)] for i in range(2000)}\n"
      "s = json.dumps(d, sort_keys=True)\n"
      "print(hashlib.md5(s.encode()).hexdigest(), len(re.findall('x+', s)))\n"
      "try:\n"
      "  1 / 0\n"
      "except Exception as e:\n"
      "  print(e)\n"
      "print(3 ** 300, '%r' % (1.1 * 2.2), sorted(set(map(str, range(50))))[:9])\n";
  expectUnchanged({{std::filesystem::canonical("/usr/bin/python3").string(), "-c", script},
                   "", "", 3000, 2});
}

TEST(RealPrograms, CompilerItself) {
  const Output found = run({"/usr/bin/gcc", "-print-prog-name=cc1"}, "", {});
  const std::string compiler = found.text.substr(0, found.text.find('\n'));
  if (found.status != 0 || !std::filesystem::exists(compiler)) GTEST_SKIP() << "no cc1";
  expectUnchanged({{compiler, "-quiet", "-O2", "-o", "-", "-"},
                   "",
                   "int f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] * i;\n"
                   "switch (s) { case 1: return 5; case 2: return 7; case 3: return 11; } return s; }\n",
                   3000, 3});
}

}  // namespace
}  // namespace parallax::points
