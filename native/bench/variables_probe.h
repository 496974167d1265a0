// What the control variables of an MPI library say, and what reading and writing each of them did in a child process.
#pragma once

#include <string>
#include <vector>

namespace parallax::bench {

// Words of the columns `readable`, `writable` and `read_back`, besides those that the program prints.
struct Access {
  static constexpr char kYes[] = "yes", kNo[] = "no", kCrash[] = "crash", kHang[] = "hang", kUntried[] = "untried";
};

struct Item {
  long long number;
  std::string name;
};

struct Variable {
  std::string name, type, scope, bind, value;
  std::string readable = Access::kUntried, writable = Access::kUntried, readBack;
  std::string end;          // of the child, if it did not end well
  std::vector<Item> items;  // of its enumeration, else those that its description lists

  bool isEarlyOnly = false;  // it is there only if MPI_T is initialized before MPI_Init

  bool isCrash() const;  // or a hang, of any access
  bool isWritable() const { return writable == Access::kYes; }
};

struct Probe {
  std::string version;
  std::vector<Variable> variables;
  std::string failure;  // why it is not complete
};

// Of the output of `mpi_variables probe`.
Probe parseProbe(const std::string& text);

// Adds what differs if MPI_T is initialized before MPI_Init: more variables, and crashes.
void addEarly(const Probe& early, Probe* probe);

// "4.1.4" of "Open MPI v4.1.4, package: ..."; empty without a number.
std::string versionOf(const std::string& library);

// MPICH gives its enumerations no items, but lists their names in the description, numbered from 0.
std::vector<Item> itemsOfDescription(const std::string& description);

}  // namespace parallax::bench
