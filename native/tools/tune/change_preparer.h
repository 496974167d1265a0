// Prepares changes of code beside the loop that tells metrics: the first function of a library takes seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/points/points_prepare.h"

namespace parallax::tuning {

class ChangePreparer {
 public:
  // As prepareChange() of code_changes.h.
  using Prepare = std::function<std::string(int pid, points::ActionRequest request, const std::string& path)>;

  explicit ChangePreparer(Prepare prepare);
  // What is being prepared is not waited for, and its file is removed.
  ~ChangePreparer();
  ChangePreparer(const ChangePreparer&) = delete;
  ChangePreparer& operator=(const ChangePreparer&) = delete;

  // One after the other, in a thread that begins with the first one.
  void begin(uint32_t id, int pid, const points::ActionRequest& request, const std::string& path);

  // For poll(): ready when something is prepared.
  int fd() const;
  struct Prepared {
    uint32_t id = 0;
    std::string path, problem;  // what is wrong; empty when nothing is
  };
  // Those since the last call.
  std::vector<Prepared> take();

 private:
  struct Shared;
  static void work(const std::shared_ptr<Shared>& shared);

  const std::shared_ptr<Shared> shared_;
};

}  // namespace parallax::tuning
