// The MPI libraries, and the runs of `mpi_variables` with each of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/study_records.h"
#include "bench/variables_effect.h"
#include "bench/variables_probe.h"

namespace parallax::bench {

struct Library {
  std::string name;  // the ending of its programs
  std::string mpirun, program;

  bool isOpenMpi() const;
  bool isThere() const;
};

// Debian's Open MPI and MPICH, and those of today that are fetched.
std::vector<Library> mpiLibraries();

struct VariablesSettings {
  std::vector<std::string> libraries;  // names; all that are there if it is empty
  std::vector<std::string> parts;      // of the names of variables that are measured, in lower case; empty for all
  std::vector<std::string> names;      // of all variables; empty for all that there are
  int processes = 2, repetitions = 12, microseconds = 1000;

  // Those whose effects are known, to test that all works.
  void makeQuick();
  bool isChosen(const Variable& variable) const;
  // All on which the figures depend.
  std::string comparable() const;
};

// In an order that is the same each time. Its failure says why it has none.
Probe runProbe(const Library& library, const VariablesSettings& settings, const std::string& folder);

JobResult runEffect(const Library& library, const VariablesSettings& settings, const std::vector<std::string>& calls,
                    const JobRequest& request, const std::string& folder);

// The measurements of variables, of which FOLDER keeps those that are complete.
class VariableResults {
 public:
  VariableResults(const std::string& folder, const VariablesSettings& settings, std::string* message);

  const std::string& path() const { return file_.path(); }
  // Null if it is not measured.
  const std::vector<Measurement>* find(const std::string& library, const std::string& version, const std::string& variable) const;
  // Returns false if they cannot be written.
  bool add(const std::string& library, const std::string& version, const std::string& variable,
           const std::vector<Measurement>& measurements);

 private:
  using Key = std::vector<std::string>;

  RecordFile file_;
  std::map<Key, std::vector<Measurement>> all_;
};

}  // namespace parallax::bench
