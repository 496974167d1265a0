// Turns places into points.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/points/points_module.h"
#include "tools/points/points_place.h"

namespace parallax::points {

struct Point {
  uint32_t id;
  uint32_t module;
  const Patch* patch;
  uint64_t address;  // the place itself; the patch may be near it
  std::string function, file;
  uint32_t line = 0;
  size_t asked = 0;  // the number of its patch
};

struct Range {
  uint32_t module;
  uint64_t begin, end;
};

struct Request {
  std::string place;
  bool withRanges;  // also the code of the function or line
};

struct Resolved {
  Place place;
  std::vector<Point> points;
  std::vector<Range> ranges;  // of the function or line, only when asked for
  std::string problem;        // one message, or empty
  std::vector<std::string> notes;
};

class Resolver {
 public:
  // The program first.
  explicit Resolver(std::vector<std::unique_ptr<Module>> modules) : modules_(std::move(modules)) {}

  // All places of an experiment, whose points must not be in each other's way.
  std::vector<Resolved> resolve(const std::vector<Request>& requests);
  const std::vector<std::unique_ptr<Module>>& modules() const { return modules_; }

  // The functions of a module that a place means, each once; only by their whole names, or also without scopes.
  static std::vector<const NamedFunction*> functionsNamed(const Place& place, Module* module, bool wholeOnly);
  // Why there is none, or none that can be changed.
  static std::string unknownFunction(const Place& place, const std::vector<Module*>& modules);
  static std::string indirectFunction(const Place& place, Module* module, const NamedFunction& indirect);

 private:
  Resolved resolve(const std::string& text, bool withRanges);
  std::vector<Module*> modulesFor(const Place& place, std::string* problem);

  void resolveFunction(Resolved* result, bool withRanges);
  void addFunctions(Resolved* result, Module* module,
                    const std::vector<const NamedFunction*>& functions, bool withRanges);
  void addEntryOrExits(Resolved* result, Module* module, const Function& function);
  void tellOfInlinedCalls(Resolved* result, Module* module, bool withRanges);

  void resolveLine(Resolved* result, bool withRanges);
  std::string unknownLine(const Place& place, const std::vector<Module*>& modules);

  void resolveCalls(Resolved* result);
  bool isWanted(const Place& place, Module* module, const Function& function, uint64_t call);

  void resolveMacro(Resolved* result);

  void addPoint(Resolved* result, Module* module, const Function& function, const Anchor& anchor);
  void takePatches(Resolved* result);

  std::vector<std::unique_ptr<Module>> modules_;
  uint32_t nextId_ = 0;
};

}  // namespace parallax::points
