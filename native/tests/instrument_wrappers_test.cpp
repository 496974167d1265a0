// parallax-cc and its like: compilers with hooks.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/instrument_run.h"

namespace parallax::tests {
namespace {

using format::Kind;

struct Wrapper {
  const char* name;
  const char* compiler;
  const char* ending;
  const char* source;
};

constexpr char kPlain[] =
    "#include <stdio.h>\n#include <parallax/parallax.h>\n"
    "int tiny(int i) { return i + 1; }\n"
    "int twice(int i) { return tiny(i) + tiny(i); }\n"
    "int main(int count, char** words) { puts(TEXT); return twice(count) + (words == 0); }\n";
constexpr char kMpi[] =
    "#include <mpi.h>\n#include <stdio.h>\n"
    "int tiny(int i) { return i + 1; }\n"
    "int twice(int i) { return tiny(i) + tiny(i); }\n"
    "int main(int count, char** words) {\n"
    "  MPI_Init(&count, &words);\n  puts(TEXT);\n  MPI_Finalize();\n  return twice(1);\n}\n";
constexpr char kFortran[] =
    "integer function tiny(i)\n  integer :: i\n  tiny = i + 1\nend function\n"
    "integer function twice(i)\n  integer :: i\n  integer, external :: tiny\n"
    "  twice = tiny(i) + tiny(i)\nend function\n"
    "program main\n  integer, external :: twice\n  print '(a)', TEXT\n"
    "  call exit(twice(1))\nend program\n";

class InstrumentWrappers : public testing::TestWithParam<Wrapper> {
 protected:
  void SetUp() override {
    directory_ = scratch_ / "a folder, with spaces";
    mkdir(directory_.c_str(), 0777);
  }
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(directory_ + "/" + name) << text;
    return directory_ + "/" + name;
  }
  std::string source() { return file("a program" + std::string(GetParam().ending), GetParam().source); }
  std::string at(const std::string& name) const { return directory_ + "/" + name; }
  Outcome wrap(const Words& arguments, const Words& environment = {}) const {
    Words command{"env"};
    command.insert(command.end(), environment.begin(), environment.end());
    command.push_back(std::string(PARALLAX_BIN "/") + GetParam().name);
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command);
  }
  static bool hasCompiler() {
    return run({"sh", "-c", std::string("command -v ") + GetParam().compiler}).status == 0;
  }
  static bool isMpi() { return std::string(GetParam().compiler).rfind("mpi", 0) == 0; }
  // How often a function was entered in all of a run.
  static uint64_t calls(const RecordedRun& r, const std::string& function) {
    uint64_t sum = 0;
    for (const auto& [path, count] : r.calls()) {
      std::string name = path.substr(path.rfind(' ') + 1);
      if (!name.empty() && name.back() == '_') name.pop_back();  // of Fortran
      if (name == function) sum += count;
    }
    return sum;
  }

  TemporaryDirectory scratch_;
  std::string directory_;
  int traces_ = 0;
};

#define SKIP_WITHOUT_COMPILER() \
  if (!hasCompiler()) GTEST_SKIP() << GetParam().compiler << " is not installed"

const char* const kText = "-DTEXT=\"two words, and a comma\"";

TEST_P(InstrumentWrappers, CompileAndLink) {
  SKIP_WITHOUT_COMPILER();
  const Outcome compiled =
      wrap({"-c", kText, "-O1", "-fno-inline", "-fno-pie", source(), "-o", at("an object.o")});
  ASSERT_EQ(0, compiled.status) << compiled.errors;
  EXPECT_EQ("", compiled.errors);
  const Outcome linked = wrap({"-no-pie", at("an object.o"), "-o", at("the program")});
  ASSERT_EQ(0, linked.status) << linked.errors;
  EXPECT_EQ("", linked.errors);

  const Outcome plain = run({at("the program")});
  EXPECT_EQ(4, plain.status);
  EXPECT_EQ("two words, and a comma\n", plain.output);
  const RecordedRun r = recordFunctions(scratch_ / "trace", {at("the program")},
                                        {"--sample-hz", "0"});
  EXPECT_EQ(4, r.outcome.status);
  EXPECT_EQ(plain.output, r.outcome.output);
  EXPECT_EQ(1u, calls(r, "twice"));
  EXPECT_EQ(2u, calls(r, "tiny"));
}

// In one step; the compiler excludes what it is told to.
TEST_P(InstrumentWrappers, Filters) {
  SKIP_WITHOUT_COMPILER();
  const std::string program = at("program");
  const std::vector<std::pair<std::string, uint64_t>> tinies = {
      {"exclude function *tin*\n", 0},
      {"exclude function *tin*\r\n", 0},
      {"# exclude function *tin*\n\nexclude function *,no*\n", 2},
      {"exclude function *tin*\ninclude function tiny\n", 2},
      {"include function *\nexclude function *iny*", 0},
      {"exclude function t?ny*\n", 2},  // is for the run
  };
  for (const auto& [text, expected] : tinies) {
    const Outcome compiled = wrap({"--parallax-filter=" + file("a filter", text), kText, "-O1",
                                   "-fno-inline", "-no-pie", source(), "-o", program});
    ASSERT_EQ(0, compiled.status) << compiled.errors;
    const std::string trace = scratch_ / "trace" + std::to_string(traces_++);
    const RecordedRun r = recordFunctions(trace, {program}, {"--sample-hz", "0"});
    EXPECT_EQ(expected, calls(r, "tiny")) << text;
    EXPECT_EQ(1u, calls(r, "twice")) << text;
    if (isMpi()) return;  // the same compiler once more, and slow
  }
  const Outcome whole = wrap({kText, "-O1", "-fno-inline", "-no-pie", source(), "-o", program},
                             {"PARALLAX_FILTER=" + file("files", "exclude file *a progr*\n")});
  ASSERT_EQ(0, whole.status) << whole.errors;
  const RecordedRun r = recordFunctions(scratch_ / "whole", {program}, {"--sample-hz", "0"});
  EXPECT_EQ(0u, calls(r, "twice"));
  EXPECT_NE(0, wrap({"--parallax-filter=" + at("none"), "-c", source()}).status);
}

TEST_P(InstrumentWrappers, FailuresAreTheCompilers) {
  SKIP_WITHOUT_COMPILER();
  const std::string wrong = file("wrong" + std::string(GetParam().ending), "this is no program\n");
  const Outcome expected = run({GetParam().compiler, "-c", wrong, "-o", at("wrong.o")});
  const Outcome actual = wrap({"-c", wrong, "-o", at("wrong.o")});
  EXPECT_NE(0, actual.status);
  EXPECT_EQ(expected.status, actual.status);
  EXPECT_EQ(expected.errors, actual.errors);
  EXPECT_NE(0, access(at("wrong.o").c_str(), F_OK));
  EXPECT_EQ(run({GetParam().compiler, at("nothing.o")}).status, wrap({at("nothing.o")}).status);
}

TEST_P(InstrumentWrappers, QuestionsGoToTheCompiler) {
  SKIP_WITHOUT_COMPILER();
  for (const char* question : {"--version", "-dumpmachine", "-print-libgcc-file-name"}) {
    EXPECT_EQ(run({GetParam().compiler, question}).output, wrap({question}).output);
  }
  EXPECT_EQ(run({GetParam().compiler}).status, wrap({}).status);
  const Outcome shown = wrap({"--parallax-show", "main.o", "-o", "main"});
  EXPECT_EQ(std::string(GetParam().compiler) + " main.o -o main \n", shown.output);
  EXPECT_NE(std::string::npos, wrap({"--help"}).output.find("usage: " + std::string(GetParam().name)));
}

INSTANTIATE_TEST_SUITE_P(
    Of, InstrumentWrappers,
    testing::Values(Wrapper{"parallax-cc", "cc", ".c", kPlain},
                    Wrapper{"parallax-c++", "c++", ".cpp", kPlain},
                    Wrapper{"parallax-mpicc", "mpicc", ".c", kMpi},
                    Wrapper{"parallax-mpicxx", "mpicxx", ".cpp", kMpi},
                    Wrapper{"parallax-gfortran", "gfortran", ".F90", kFortran},
                    Wrapper{"parallax-mpifort", "mpifort", ".F90", kFortran}),
    [](const auto& info) { return std::to_string(info.index) + std::string(info.param.compiler)
                               .substr(0, std::string(info.param.compiler).find('+')); });

TEST(InstrumentWrapper, AnotherCompiler) {
  TemporaryDirectory scratch;
  std::ofstream(scratch / "a.c") << "int main(void) { return 0; }\n";
  const std::string wrapper = PARALLAX_BIN "/parallax-cc", source = scratch / "a.c";
  EXPECT_EQ(0, run({"env", "PARALLAX_CC=env LC_ALL=C cc", wrapper, "-c", source, "-o",
                    scratch / "a.o"}).status);
  EXPECT_EQ(0, access((scratch / "a.o").c_str(), F_OK));
  const Outcome missing = run({"env", "PARALLAX_CC=no-such-cc", wrapper, "-c", source});
  EXPECT_EQ(1, missing.status);
  EXPECT_NE(std::string::npos, missing.errors.find("cannot find the compiler no-such-cc"));

  // By a link from elsewhere, and by a name that stands for none.
  ASSERT_EQ(0, symlink(wrapper.c_str(), (scratch / "parallax-c++").c_str()));
  EXPECT_EQ(0, run({scratch / "parallax-c++", "-c", source, "-o", scratch / "b.o"}).status);
  ASSERT_EQ(0, symlink(wrapper.c_str(), (scratch / "other").c_str()));
  EXPECT_EQ(1, run({scratch / "other", "-c", source}).status);
  if (run({"sh", "-c", "command -v clang"}).status != 0) GTEST_SKIP() << "clang is not installed";
  const Outcome clang =
      run({"env", "PARALLAX_CC=clang", wrapper, "-Werror", source, "-o", scratch / "c"});
  EXPECT_EQ(0, clang.status) << clang.errors;
  EXPECT_EQ(0, run({"env", "PARALLAX_CC=clang", wrapper, "-Werror", "-c", source, "-o",
                    scratch / "c.o"}).status);
  EXPECT_EQ(0, run({"env", "PARALLAX_CC=clang", wrapper, "-Werror", scratch / "c.o", "-o",
                    scratch / "d"}).status);
}

}  // namespace
}  // namespace parallax::tests
