// How the effect of a control variable can be measured: which calls it should change, and by which values.
#pragma once

#include <string>
#include <vector>

#include "bench/variables_probe.h"

namespace parallax::bench {

// The call that gives the limit of eager messages in bytes, where others give a time.
inline constexpr char kEagerLimit[] = "eager_limit";

struct Plan {
  std::vector<std::string> calls;   // such as "allreduce:64", for the program mpi_variables
  std::vector<std::string> values;  // besides that of the start
  std::vector<std::string> starts;  // settings at the start with which it is measured: "", or "NAME=VALUE NAME=VALUE"
  std::string reason;               // why there is none

  bool isEmpty() const { return calls.empty(); }
};

// By its name, type and value.
Plan planOf(const Variable& variable);

// The collective call that a variable is named after, such as "iallreduce"; empty for none.
std::string collectiveOf(const std::string& variable);

// What a value is called in the environment: by its item, if there is one.
std::string nameOfValue(const Variable& variable, const std::string& value);

}  // namespace parallax::bench
