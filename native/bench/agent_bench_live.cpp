// What live tuning costs: a routine while nothing is asked, and while points are on.
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "bench/agent_bench.h"
#include "core/agent.h"
#include "core/clock.h"
#include "live/monitored_page.h"
#include "tests/temporary_directory.h"

namespace parallax::bench {
namespace {

Region measured("bench measured", format::Group::kAgent);

void printOne(const char* name, double ns) { printf("%-52s %8.1f\n", name, ns); }

// The page of a process, once it is there; false after some seconds.
bool openPage(const std::string& path, live::MonitoredPage* page) {
  for (int i = 0; i < 5000; i++) {
    if (page->open(path).empty()) return true;
    usleep(1000);
  }
  return false;
}

}  // namespace

void benchMeasured(uint64_t calls) {
  const TemporaryDirectory scratch;
  printOne("Enter and Leave, no live page", leastNs(calls, [] { Call call(measured); }));
  if (live::begin(scratch.path().c_str(), "bench", clockSettings.tickHz) != nullptr) return;
  live::MonitoredPage page;
  if (!openPage(scratch / (std::to_string(getpid()) + live::kEnding), &page)) return;
  printOne("  with a live page that asks for nothing", leastNs(calls, [] { Call call(measured); }));
  page.setPoints({{{"another"}, live::Key::kNone}});
  printOne("  with a point on another routine", leastNs(calls, [] { Call call(measured); }));
  page.setPoints({{{"bench measured"}, live::Key::kNone}});
  printOne("  with a point on it", leastNs(calls, [] { Call call(measured); }));
  page.setPoints({{{"bench measured"}, live::Key::kSize}});
  const uint64_t payload[2] = {uint64_t{3} << 32, 4096};
  const auto send = [&] {
    Call call(measured);
    if (call) call.emit(Kind::kSend, 1, payload);
  };
  printOne("Enter, Send and Leave, with a point by size", leastNs(calls, send));
  page.setPoints({{{"bench measured"}, live::Key::kPeer}});
  printOne("  with a point by peer", leastNs(calls, send));
  page.setPoints({});
  printOne("  with none", leastNs(calls, send));
}

int benchTuned(const std::string& scratch, const std::string& agent, const std::string& program, const char* size) {
  for (const bool isOn : {false, true}) {
    const std::string pages = scratch + "/pages", gate = scratch + "/gate";
    std::filesystem::create_directory(pages);
    std::filesystem::permissions(pages, std::filesystem::perms::owner_all);
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
      unsetenv("PARALLAX_TRACE");
      setenv("PARALLAX_TUNE", pages.c_str(), 1);
      setenv("LD_PRELOAD", agent.c_str(), 1);
      execl(program.c_str(), program.c_str(), "--tuned", isOn ? "tuned, with a point" : "tuned", size, gate.c_str(), nullptr);
      _exit(127);
    }
    live::MonitoredPage page;
    const bool found = openPage(pages + "/" + std::to_string(pid) + live::kEnding, &page);
    if (found && isOn) page.setPoints({{{"pthread_mutex_lock"}, live::Key::kNone}});
    if (found) fclose(fopen(gate.c_str(), "w"));
    if (!found) kill(pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    std::filesystem::remove_all(pages);
    std::filesystem::remove(gate);
    if (status != 0) return 1;
  }
  return 0;
}

}  // namespace parallax::bench
