#include "base/own_environment.h"
#include "base/settings.h"
#include "base/sys.h"
#include "core/outcomes.h"
#include "core/process.h"

namespace parallax {
namespace {

// The path may lead elsewhere by now (another root, another user); where the process is recorded it
// has the directory open.
int openOwn() {
  const char* directory = setting(Setting::kTrace).data();
  if (ownEnvironment().agent == nullptr || *directory == '\0') return -1;
  const int fd = process.openOfHost(".outcomes");
  return fd >= 0 ? fd : openOutcomes(directory);
}

}  // namespace

void tellEnd(int pid, int status) {
  const int fd = openOwn();
  if (fd < 0) return;
  appendEnd(fd, pid, status);
  sys::close(fd);
}

void tellUnrecorded(ProgramFit fit, const char* path) {
  const int fd = openOwn();
  if (fd < 0) return;
  appendUnrecorded(fd, fit, path);
  sys::close(fd);
}

}  // namespace parallax
