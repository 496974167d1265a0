// The callers of a stopped thread, by the call frame information of what is loaded.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

struct Dwfl;  // of libdw

namespace parallax::attach {

// Sets `pcs` to the addresses in all frames, the innermost first; of a caller, one in its call instruction. False if they cannot all be found: a module has no such
// information, or libdw is not there. Takes some 10 ms at first.
class Callers {
 public:
  explicit Callers(pid_t process) : process_(process) {}
  ~Callers();
  Callers(const Callers&) = delete;
  Callers& operator=(const Callers&) = delete;
  bool of(pid_t thread, std::vector<uint64_t>* pcs);

 private:
  bool begin();

  const pid_t process_;
  Dwfl* dwfl_ = nullptr;
  bool hasFailed_ = false;
};

}  // namespace parallax::attach
