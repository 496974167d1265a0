// Processes that this one has created and waits for.
#pragma once

#include "agent/agent.h"

namespace parallax {

// The call has created a process and returned; `call` may be false. Remembers how.
void childCreated(Call& call, int pid, format::Creation how);
// How a child was created; fork when that was not seen.
format::Creation howCreated(int pid);

// The call has waited for a process and returned; writes nothing unless it has ended.
void childWaited(Call& call, int pid, int status);

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
