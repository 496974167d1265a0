// Places as lines of the agent's plan (plan.h), with what people should know of them.
#pragma once

#include <string>
#include <vector>

#include "tools/points/points_resolve.h"
#include "tools/points/points_variable.h"

namespace parallax::points {

// What was asked for: a place, or the program's variable of a treatment.
struct Answer {
  bool isVariable = false;
  Resolved place;
  Variable variable;

  const std::string& problem() const { return isVariable ? variable.problem : place.problem; }
};

// Lines with tabs between their fields; the factor of each is the position of the answer:
//   module point macro range                  as in the plan
//   where     ID FUNCTION FILE LINE           of a point; empty or 0 when unknown
//   variable  FACTOR MODULE OFFSET
//   problem   FACTOR TEXT
//   note      FACTOR TEXT
std::string toPlan(const std::vector<std::unique_ptr<Module>>& modules,
                   const std::vector<Answer>& answers);

}  // namespace parallax::points
