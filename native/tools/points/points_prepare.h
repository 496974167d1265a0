// Prepares changes of a running program's code for processes that apply them (perturb/patch_actions.h): which
// bytes of a function are replaced, the displaced instructions, and where its returns are.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "perturb/prepared_patch.h"
#include "tools/points/points_module.h"

namespace parallax::points {

// A change as people and models say it. Modules are paths of programs or libraries.
struct ActionRequest {
  std::string kind;  // "argument", "insert_before", "insert_after", "replace"
  std::string module, function;
  // Of an argument: its number from 0 among integers and pointers, and on which condition on another one.
  uint32_t argument = 0;
  std::string type = "i64";    // "i32", "u32", "i64", "u64"
  std::string change = "set";  // "at_least", "at_most"
  int64_t value = 0;
  std::string comparison;      // "==", "!=", "<", "<=", ">", ">="; empty: always
  uint32_t conditionArgument = 0;
  std::string conditionType = "i64";
  int64_t conditionValue = 0;
  // What is called, or comes in place of the function.
  std::string otherModule, otherFunction;
  int64_t words[6] = {};
};

// Keeps what it has read of each file: the first function of a large library takes a second, further ones
// milliseconds.
class PatchPreparer {
 public:
  // `module` is the path of a program or library, `function` its name as in a place (`Solver::step`,
  // `solver.c:solve`), or its address in the file (`0x1139`). Returns what is wrong, or an empty string.
  std::string prepare(const std::string& module, const std::string& function, perturb::PreparedPatch* patch);
  // A whole action, for a file that perturb::applyActionFile() reads.
  std::string prepareAction(const ActionRequest& request, perturb::PreparedAction* action);
  // Only where the function is, for one that is called or comes in place of another.
  std::string find(const std::string& module, const std::string& function, perturb::PreparedFunction* found);

 private:
  struct Found {
    Module* module = nullptr;
    const Function* function = nullptr;
    std::string name, problem;
  };
  Found look(const std::string& path, const std::string& function);

  std::map<std::string, std::unique_ptr<Module>> modules_;
};

}  // namespace parallax::points
