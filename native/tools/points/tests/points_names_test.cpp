// What people type, what it means, and what they are told.

#include <gtest/gtest.h>

#include <filesystem>

#include "tools/points/points_names.h"
#include "tools/points/points_place.h"
#include "tools/points/points_resolve.h"
#include "tools/points/tests/run_points.h"

namespace parallax::points {
namespace {

const std::string kPrograms = PARALLAX_POINTS_NAMES;

Resolved resolveOne(const std::string& program, const std::string& place, bool withRanges = false) {
  std::string reason;
  auto image = Image::open(kPrograms + "/" + program, &reason);
  if (image == nullptr) {
    ADD_FAILURE() << program << ": " << reason;
    return {};
  }
  std::vector<std::unique_ptr<Module>> modules;
  modules.push_back(std::make_unique<Module>(std::move(image), 0));
  Resolver resolver(std::move(modules));
  Resolved resolved = resolver.resolve({{place, withRanges}})[0];
  for (Point& point : resolved.points) point.patch = nullptr;  // goes with the resolver
  return resolved;
}

std::string noteOf(const Resolved& resolved) {
  std::string all;
  for (const std::string& note : resolved.notes) all += note + "\n";
  return all;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Names, PartsOfReadableNames) {
  EXPECT_EQ(withoutParameters("f(int, char)"), "f");
  EXPECT_EQ(withoutParameters("void a::b<int>::c<x(int)>(long) const"), "a::b<int>::c<x(int)>");
  EXPECT_EQ(withoutParameters("a::operator()(int) const"), "a::operator()");
  EXPECT_EQ(withoutParameters("operator<<(std::ostream&, x)"), "operator<<");
  EXPECT_EQ(withoutParameters("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
  EXPECT_EQ(withoutParameters("main::{lambda(int)#1}::operator()(int) const"),
            "main::{lambda(int)#1}::operator()");
  EXPECT_EQ(withoutParameters("broken::(name"), "broken::");
  EXPECT_EQ(withoutTemplates("a<b<c> >::d<e>"), "a::d");
  EXPECT_EQ(withoutTemplates("a<int>::operator<"), "a::operator<");
}

TEST(Names, SymbolsOfCompilers) {
  const FunctionName clone = nameOf("_ZN7solving4Grid4stepEi.constprop.0");
  EXPECT_EQ(clone.full, "solving::Grid::step(int)");
  EXPECT_EQ(clone.plain, "solving::Grid::step");
  EXPECT_TRUE(clone.isClone);
  EXPECT_TRUE(nameOf("work.part.3").isPart);
  EXPECT_TRUE(nameOf("work.isra.0.cold").isPart);
  EXPECT_TRUE(isNamed(nameOf("solve_"), "SOLVE"));
  EXPECT_TRUE(isNamed(nameOf("mpi_recv_"), "MPI_Recv"));
  EXPECT_FALSE(isNamed(nameOf("solver"), "solve"));
  EXPECT_TRUE(isNamed(nameOf("__physics_MOD_advance"), "physics::Advance"));
}

TEST(Names, Places) {
  Place place = parsePlace("exit:libsolver.so!Grid::step(int, long)");
  EXPECT_EQ(place.kind, PlaceKind::kExit);
  EXPECT_EQ(place.module, "libsolver.so");
  EXPECT_EQ(place.name, "Grid::step(int, long)");
  place = parsePlace("libsolver.so!entry:step");
  EXPECT_EQ(place.module, "libsolver.so");
  EXPECT_EQ(place.name, "step");
  place = parsePlace("src/a.c:12");
  EXPECT_EQ(place.kind, PlaceKind::kLine);
  EXPECT_EQ(place.file, "src/a.c");
  EXPECT_EQ(place.line, 12u);
  place = parsePlace("a.c:same");
  EXPECT_EQ(place.kind, PlaceKind::kEntry);
  EXPECT_EQ(place.file, "a.c");
  EXPECT_EQ(place.name, "same");
  place = parsePlace("a::operator!");
  EXPECT_EQ(place.module, "");
  EXPECT_EQ(place.name, "a::operator!");
  place = parsePlace("before:MPI_Recv@ring.c:12");
  EXPECT_EQ(place.kind, PlaceKind::kBefore);
  EXPECT_EQ(place.inFile, "ring.c");
  EXPECT_EQ(place.inLine, 12u);
  EXPECT_EQ(parsePlace("after:puts@Grid::step").inFunction, "Grid::step");
  EXPECT_NE(parsePlace("line:abc").problem, "");
  EXPECT_NE(parsePlace("entry:").problem, "");
  EXPECT_NE(parsePlace("before:f@").problem, "");
}

TEST(Names, OverloadsAreAllMeantUnlessChosen) {
  const Resolved both = resolveOne("names-debug", "solving::Grid::step");
  EXPECT_EQ(both.points.size(), 2u);
  EXPECT_TRUE(has(noteOf(both), "means 2 functions")) << noteOf(both);
  EXPECT_EQ(resolveOne("names-debug", "step").points.size(), 2u);
  const Resolved one = resolveOne("names-debug", "Grid::step(double)");
  EXPECT_EQ(one.points.size(), 1u);
  EXPECT_EQ(noteOf(one), "");
  EXPECT_EQ(one.points[0].function, "solving::Grid::step");
  EXPECT_TRUE(has(one.points[0].file, "names.cpp"));
  EXPECT_EQ(resolveOne("names-debug", "_ZN7solving4Grid4stepEi").points.size(), 1u);
  EXPECT_EQ(resolveOne("names-debug", "Grid::operator()").points.size(), 1u);
}

TEST(Names, FilesChooseAmongStaticFunctions) {
  for (const char* program : {"names-debug", "names-plain"}) {
    const Resolved both = resolveOne(program, "same");
    EXPECT_EQ(both.points.size(), 2u) << program;
    EXPECT_NE(noteOf(both), "") << program;
    EXPECT_EQ(resolveOne(program, "names_help.c:same").points.size(), 1u) << program;
    EXPECT_TRUE(has(resolveOne(program, "other.c:same").problem, "no function same of other.c"));
  }
}

TEST(Names, InlinedFunctionsAreTold) {
  const Resolved gone = resolveOne("names-debug", "everywhere");
  EXPECT_TRUE(has(gone.problem, "inlined everywhere")) << gone.problem;
  EXPECT_TRUE(has(gone.problem, "names.cpp:33 and names.cpp:34")) << gone.problem;
  EXPECT_TRUE(has(gone.problem, "noinline")) << gone.problem;
  // Its code can be made faster all the same.
  const Resolved ranges = resolveOne("names-debug", "everywhere", true);
  EXPECT_EQ(ranges.problem, "");
  EXPECT_GE(ranges.ranges.size(), 2u);
  EXPECT_EQ(resolveOne("names-debug", "partly", true).ranges.size(), 1u);
}

TEST(Names, IndirectFunctionsAreTold) {
  EXPECT_EQ(resolveOne("names-debug", "halve").problem,
            "halve is an indirect function: its callers call another function, which choose_halve "
            "chooses when the program starts; name that function; did you mean halve_fast?");
  EXPECT_EQ(resolveOne("names-debug", "choose_halve").points.size(), 1u);
  EXPECT_EQ(resolveOne("names-debug", "halve_fast").points[0].function, "halve_fast");
}

TEST(Names, StaticProgramsAreKnown) {
  const auto isStatic = [](const std::string& path) {
    std::string reason;
    const auto image = Image::open(path, &reason);
    EXPECT_NE(image, nullptr) << reason;
    return image != nullptr && image->isStaticProgram();
  };
  EXPECT_TRUE(isStatic(kPrograms + "/names-static"));
  EXPECT_TRUE(isStatic(kPrograms + "/names-static-pie"));
  EXPECT_FALSE(isStatic(kPrograms + "/names-debug"));
  EXPECT_FALSE(isStatic(PARALLAX_AGENT)) << "a library";
  const std::string program = kPrograms + "/names-static-pie";
  EXPECT_EQ(run({PARALLAX_POINTS, "--plan", "--program", program, "--", "help"}, "", {}).status, 2);
}

TEST(Names, UnknownNamesAreAnsweredWithNearOnes) {
  EXPECT_TRUE(has(resolveOne("names-debug", "stepp").problem, "did you mean"));
  EXPECT_TRUE(has(resolveOne("names-debug", "partley").problem, "did you mean partly?"));
  EXPECT_TRUE(has(resolveOne("names-debug", "before:put").problem, "did you mean puts"));
  EXPECT_TRUE(has(resolveOne("names-debug", "name.cpp:3").problem, "did you mean names.cpp"));
  EXPECT_TRUE(has(resolveOne("names-debug", "macro:same of name").problem, "did you mean same of"));
  EXPECT_TRUE(has(resolveOne("names-debug", "names.cpp:7").problem, "has no code"));
  EXPECT_TRUE(has(resolveOne("names-debug", "libnone.so!f").problem, "no module libnone.so"));
  EXPECT_TRUE(has(resolveOne("names-debug", "before:puts@help").problem, "none of the"));
}

TEST(Names, WithoutDebugInformationFunctionsAndCallsHaveNames) {
  EXPECT_EQ(resolveOne("names-plain", "partly").points.size(), 1u);
  EXPECT_EQ(resolveOne("names-plain", "before:puts@partly").points.size(), 1u);
  EXPECT_TRUE(has(resolveOne("names-plain", "names.cpp:28").problem, "compile with -g"));
  EXPECT_TRUE(has(resolveOne("names-plain", "before:puts@names.cpp:28").problem, "compile with -g"));
  EXPECT_TRUE(has(resolveOne("names-stripped", "partly").problem, "is stripped"));
  EXPECT_GE(resolveOne("names-stripped", "before:puts").points.size(), 6u);
}

TEST(Names, CallsOfAllKinds) {
  const Resolved plain = resolveOne("names-debug", "before:puts");
  for (const char* program : {"names-noplt", "names-now"}) {
    EXPECT_EQ(resolveOne(program, "before:puts").points.size(), plain.points.size()) << program;
  }
  EXPECT_EQ(resolveOne("names-debug", "before:same@help").points.size(), 2u);
  EXPECT_EQ(resolveOne("names-debug", "before:puts@everywhere").points.size(), 2u);
  const Resolved tail = resolveOne("names-debug", "after:puts@last");
  EXPECT_TRUE(has(tail.problem, "tail call")) << tail.problem;
  EXPECT_EQ(resolveOne("names-debug", "before:puts@last").points.size(), 1u);
}

TEST(Names, FortranProcedures) {
  const std::string program = "procedures";
  if (!std::filesystem::exists(kPrograms + "/" + program)) GTEST_SKIP() << "gfortran is not installed";
  EXPECT_EQ(resolveOne(program, "OUTSIDE").points.size(), 1u);
  EXPECT_EQ(resolveOne(program, "Physics::Advance").points.size(), 1u);
}

}  // namespace
}  // namespace parallax::points
