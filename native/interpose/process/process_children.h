// Processes that this one has created and waits for.
#pragma once

#include "base/sandbox.h"
#include "core/agent.h"
#include "core/thread.h"

namespace parallax {

// The call has created a process and returned; `call` may be false. Remembers how.
void childCreated(Call& call, int pid, format::Creation how);
// How a child was created; fork when that was not seen.
format::Creation howCreated(int pid);

// The call has waited for a process and returned; writes nothing unless it has ended.
void childWaited(Call& call, int pid, int status);

// Writes to the outcomes that a signal ended the process. The waiting process does so, recorded or
// not.
void tellIfKilled(int pid, int status);

// Exists while a child runs in the memory of this thread, which waits for it. The calls of the
// child are not recorded as calls of the thread, even if the creation itself is not recorded.
class SharedWithChild {
 public:
  void begin() {
    rules_ = sandbox::held();
    former_ = local.place;
    if (former_.isGone() || local.thread == nullptr || !local.thread->live()) return;
    local.place.enterAgent();
  }
  void end() {
    local.place.resume(former_);
    sandbox::restore(rules_);  // the child may have restricted itself
  }

 private:
  Place former_;
  sandbox::Held rules_;
};

// fork and what is like it: `create` is the real call, 0 in the child and negative when it failed.
template <class Create>
int createChild(Region& region, format::Creation how, Create create) {
  Call call(region);
  const int pid = create();
  if (pid == 0) {
    call.abandon();
    return 0;
  }
  call.returned();
  if (pid > 0) childCreated(call, pid, how);
  return pid;
}

}  // namespace parallax
