// A process that runs already, seen from outside: its memory, what is loaded into it, and symbols of that.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parallax::attach {

struct Range {
  uint64_t low = 0, high = 0;  // [low, high)
  bool contains(uint64_t address) const { return address - low < high - low; }
};

struct Symbol {
  uint64_t address = 0;  // 0: not defined
  uint64_t bytes = 0;
  Range range() const { return {address, address + bytes}; }
};

class Target;

// A file with an ELF header that is mapped into the process.
struct Module {
  std::string path;
  uint64_t base = 0;
  std::vector<Range> code;

  std::string name() const { return path.substr(path.rfind('/') + 1); }
  bool isLoader() const;
  bool isLibc() const;
  // What dlsym would find in this module alone. Read from the memory of the process: the file may have been replaced.
  Symbol find(const Target& target, const std::string& name) const;
  // All functions that it defines for others, of any version; in the order of its table, aliases as well.
  std::vector<Symbol> functions(const Target& target) const;
};

class Target {
 public:
  explicit Target(pid_t pid) : pid_(pid) {}
  pid_t pid() const { return pid_; }

  // False where not all bytes can be read or written.
  bool read(uint64_t address, void* into, size_t bytes) const;
  bool write(uint64_t address, const void* from, size_t bytes) const;
  template <class T>
  bool read(uint64_t address, T* into) const {
    return read(address, into, sizeof *into);
  }

  // Reads /proc/PID/maps. False if the process is gone, or may not be read.
  bool readMappings();
  const std::vector<Module>& modules() const { return modules_; }
  // The first module of a name that begins so; null if there is none.
  const Module* moduleOf(const std::string& beginning) const;
  // The module whose malloc and free the program uses: the program itself or a library of its own, else libc; null if
  // there is none.
  const Module* allocator() const;
  // The mapping that holds an address; empty if there is none.
  Range mappingOf(uint64_t address) const;
  // Threads, in the order of the kernel.
  std::vector<pid_t> threads() const;

 private:
  pid_t pid_;
  std::vector<Range> mappings_;
  std::vector<Module> modules_;
};

}  // namespace parallax::attach
