// The names of states, event types and values (.pcf), and those of nodes, applications, tasks and threads (.row).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace parallax::paraver {

// Told of what is damaged in a line, which counts from 1.
using LineWarning = std::function<void(uint64_t line, const std::string& what)>;

class Labels {
 public:
  using Values = std::unordered_map<uint64_t, std::string>;
  struct Type {
    std::string label;
    bool isCounter = false;  // a hardware counter, by its gradient
    std::shared_ptr<Values> values;  // null if it has none; types of one block share them
  };

  void read(std::string_view text, const LineWarning& warn);
  bool isRead() const { return isRead_; }

  // Null if it has no name.
  const Type* type(uint64_t number) const;
  // Empty if it has no name.
  const std::string& value(uint64_t type, uint64_t value) const;
  // The name in the file, else the usual one of Paraver.
  std::string state(uint64_t number) const;
  size_t types() const { return types_.size(); }

 private:
  void typeLine(std::string_view line, uint64_t number, const LineWarning& warn);

  std::unordered_map<uint64_t, Type> types_;
  std::unordered_map<uint64_t, std::string> states_;
  std::shared_ptr<Values> values_;  // of the block at hand
  bool isRead_ = false;
};

struct RowNames {
  std::vector<std::string> nodes, applications, tasks, threads;

  void read(std::string_view text, const LineWarning& warn);
};

// The name of a routine by its value in the event types of MPI; empty if there is none.
std::string mpiName(uint64_t value);

}  // namespace parallax::paraver
