#include "tools/tune/inherited_signals.h"

#include <signal.h>

#include <map>

namespace parallax::tuning {
namespace {

std::map<int, struct sigaction> inherited;
sigset_t blocked;

}  // namespace

void ignoreSignals(std::initializer_list<int> signals) {
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  for (const int signal : signals) {
    struct sigaction ignore {}, before {};
    ignore.sa_handler = SIG_IGN;
    sigaction(signal, &ignore, &before);
    inherited.emplace(signal, before);
  }
}

void restoreSignals() {
  if (inherited.empty()) return;
  for (const auto& [signal, action] : inherited) sigaction(signal, &action, nullptr);
  sigprocmask(SIG_SETMASK, &blocked, nullptr);
}

}  // namespace parallax::tuning
