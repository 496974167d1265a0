// parallax-tune-pvm: what parallax-tune has in a virtual machine of PVM. It is started by that, not by people.
//
//   parallax-tune-pvm link HOST DIRECTORY         by the monitor of the first host: knows the hosts, and starts the following
//   parallax-tune-pvm host MASTER HOST DIRECTORY  by PVM, on each host: starts tasks and hosts; the directory is - on others than the first
//
// PARALLAX_TUNE_SECRET is the secret of the session.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tools/tune/pvm/host_service.h"
#include "tools/tune/pvm/link.h"

int main(int count, char** arguments) {
  using namespace parallax::tuning::pvm;
  const char* secret = getenv("PARALLAX_TUNE_SECRET");
  if (secret != nullptr && count == 4 && strcmp(arguments[1], "link") == 0) {
    setenv("PVM_EXPORT", "PARALLAX_TUNE_SECRET", 1);  // to ours on other hosts
    return Link(secret, arguments[2], arguments[3]).run();
  }
  if (secret != nullptr && count == 5 && strcmp(arguments[1], "host") == 0) {
    const std::string directory = strcmp(arguments[4], "-") == 0 ? "" : arguments[4], kept = secret;
    unsetenv("PARALLAX_TUNE_SECRET");  // not for tasks
    unsetenv("PVM_EXPORT");
    return HostService(kept, atoi(arguments[2]), arguments[3], directory).run();
  }
  fputs("parallax-tune-pvm is started by parallax-tune; run: parallax tune -- COMMAND\n", stderr);
  return 2;
}
