// parallax-points PROGRAM PLACE...: where a running program can be perturbed.

#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <filesystem>

#include "tools/points/points_json.h"
#include "tools/points/points_plan.h"

namespace {

using namespace parallax::points;

constexpr char kUsage[] =
    "usage: parallax-points [--speedup] [--library PATH]... {--program PATH|PROGRAM} PLACE...\n"
    "Finds where in the code of a program the agent can insert delays without changing what the program\n"
    "does, and prints these places as JSON. PLACE is one of:\n"
    "  FUNCTION, entry:FUNCTION     each call of the function; C++ names with or without parameters\n"
    "  exit:FUNCTION                each return from the function\n"
    "  FILE:LINE                    each time the line begins\n"
    "  before:ROUTINE[@WHERE]       before each call of a routine such as MPI_Recv; WHERE selects the calls\n"
    "  after:ROUTINE[@WHERE]        in one FUNCTION or at one FILE:LINE\n"
    "  macro:NAME                   parallax_delay_point(\"NAME\") of <parallax/parallax.h>\n"
    "A place can begin with MODULE!, as in libsolver.so!solve. Without a module, it is searched in the\n"
    "program first, then in its libraries that are not part of the system.\n"
    "  --library PATH  a library that the program loads while it runs\n"
    "  --speedup       also print the ranges of code, for virtual speed-ups\n"
    "  --plan          print lines for the agent's plan instead of JSON; speedup:PLACE then stands for the\n"
    "                  ranges, and variable:NAME for the address of a mutex\n"
    "Exit status: 0, 1 if some places have problems, 2 for wrong use.\n"
    "\n"
    "examples:\n"
    "  parallax-points ./quicksort swap exit:pop\n"
    "  parallax-points ./ring before:MPI_Recv@exchange ring.c:120\n";

int wrongUse(const std::string& what) {
  fprintf(stderr, "parallax-points: %s\n%s", what.c_str(), kUsage);
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  std::string program;
  std::vector<std::string> libraries, places;
  bool speedup = false, asPlan = false, onlyPlaces = false;
  for (int i = 1; i < count; i++) {
    const std::string argument = arguments[i];
    const bool isOption = !onlyPlaces && argument.size() > 1 && argument[0] == '-';
    if (isOption && (argument == "--help" || argument == "-h")) {
      fputs(kUsage, stdout);
      return 0;
    }
    if (isOption && argument == "--") {
      onlyPlaces = true;
    } else if (isOption && argument == "--speedup") {
      speedup = true;
    } else if (isOption && argument == "--plan") {
      asPlan = true;
    } else if (isOption && argument == "--program" && i + 1 < count) {
      program = arguments[++i];
    } else if (isOption && argument == "--library" && i + 1 < count) {
      libraries.push_back(arguments[++i]);
    } else if (isOption) {
      return wrongUse("unexpected argument " + argument);
    } else {
      places.push_back(argument);
    }
  }
  if (program.empty() && !places.empty()) {
    program = places.front();
    places.erase(places.begin());
  }
  if (program.empty() || places.empty()) return wrongUse("name a program and a place");
  std::vector<std::unique_ptr<Module>> modules;
  const auto open = [&modules](const std::string& path) {
    std::error_code ignored;
    const std::string whole = std::filesystem::canonical(path, ignored).string();
    std::string reason;
    auto image = Image::open(whole.empty() ? path : whole, &reason);
    if (image == nullptr) {
      fprintf(stderr, "parallax-points: %s: %s\n", path.c_str(), reason.c_str());
      return false;
    }
    for (const auto& module : modules) {
      if (module->image().path() == image->path()) return true;
    }
    modules.push_back(
        std::make_unique<Module>(std::move(image), static_cast<uint32_t>(modules.size())));
    return true;
  };
  if (!open(program)) return 2;
  if (modules[0]->image().isStaticProgram()) {
    fprintf(stderr,
            "parallax-points: %s is statically linked, so the agent cannot be loaded into it; link it "
            "without -static and -static-pie\n", program.c_str());
    return 2;
  }
  for (const std::string& library : ownLibraries(modules[0]->image())) open(library);
  for (const std::string& library : libraries) {
    if (!open(library)) return 2;
  }
  Resolver resolver(std::move(modules));
  if (asPlan) {
    constexpr char kVariable[] = "variable:", kSpeedup[] = "speedup:";
    std::vector<Request> requests;
    std::vector<Answer> answers(places.size());
    for (size_t i = 0; i < places.size(); i++) {
      const std::string& place = places[i];
      answers[i].isVariable = place.rfind(kVariable, 0) == 0;
      if (answers[i].isVariable) continue;
      const bool faster = place.rfind(kSpeedup, 0) == 0;
      requests.push_back({faster ? place.substr(sizeof kSpeedup - 1) : place, faster});
    }
    std::vector<Resolved> resolved = resolver.resolve(requests);
    bool isWhole = true;
    for (size_t i = 0, next = 0; i < places.size(); i++) {
      Answer& answer = answers[i];
      if (answer.isVariable) {
        answer.variable =
            findVariable(resolver.modules(), places[i].substr(sizeof kVariable - 1));
      } else {
        answer.place = std::move(resolved[next++]);
      }
      isWhole = isWhole && answer.problem().empty();
    }
    fputs(toPlan(resolver.modules(), answers).c_str(), stdout);
    return isWhole ? 0 : 1;
  }
  std::vector<Request> requests;
  for (const std::string& place : places) requests.push_back({place, speedup});
  const std::vector<Resolved> resolved = resolver.resolve(requests);
  const bool hasProblems = std::any_of(resolved.begin(), resolved.end(),
                                       [](const Resolved& r) { return !r.problem.empty(); });
  fputs(toJson(resolver.modules(), resolved).c_str(), stdout);
  return hasProblems ? 1 : 0;
}
