// The table of control variables, for people and as CSV.
#pragma once

#include <string>
#include <vector>

#include "bench/variables_effect.h"

namespace parallax::bench {

struct VariableRow {
  std::string library, version;
  Variable variable;
  Effect effect;
  bool isShown = false;  // in the table for people
};

// One line for each: library, version, name, type, scope, bind, readable, writable, read_back, effect, needs, evidence.
std::string variablesCsv(const std::vector<VariableRow>& rows);

// The same after the lines that `before`, a table of an earlier run, has of other libraries.
std::string variablesCsv(const std::vector<VariableRow>& rows, const std::string& before);

// How many there are of each kind in a library, and the rows that are shown.
std::string variablesTable(const std::vector<VariableRow>& rows);

}  // namespace parallax::bench
