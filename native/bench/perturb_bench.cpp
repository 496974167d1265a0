// What delay points cost at the level at which they only count, how well delays are met, and what a
// thousand points cost when a program starts.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

#include "tests/perturb/trial.h"

namespace parallax::tests {
namespace {

const std::string kGuest = guest("perturb");

using Times = std::map<std::string, double>;  // ns a call of each place

Times timesOf(const std::string& level, const std::string& calls) {
  Trial trial;
  trial.module(kGuest);
  trial.jump(0, 0);
  trial.shortJump(1, 0);
  trial.trap(2, 0);
  trial.macro(3, 0, "one");
  if (!level.empty()) trial.level(0, level);
  const Outcome outcome = level.empty() ? run({kGuest, "times", calls})
                                        : trial.run({kGuest, "times", calls});
  Times times;
  std::istringstream words(outcome.output);
  std::string name;
  for (double ns; words >> name >> ns;) times[name] = ns;
  return times;
}

void print(const char* title, const Times& times, const Times& base) {
  printf("%-22s", title);
  for (const char* place : {"jump", "short", "trap", "macro"}) {
    const auto own = times.find(place), plain = base.find(place);
    printf(" %12.1f", own != times.end() && plain != base.end() ? own->second - plain->second : -1);
  }
  printf("\n");
}

double startMs(int points, bool planned, int rounds) {
  double least = 1e18;
  Trial trial;
  trial.module(kGuest);
  for (int i = 0; i < points; i++) trial.jump(i, 0, "place_many", 0, 16 * static_cast<uint64_t>(i));
  for (int round = 0; round < rounds; round++) {
    const auto before = std::chrono::steady_clock::now();
    if (planned) {
      unlink(trial.resultPath().c_str());
      trial.run({kGuest, "many"});
    } else {
      run({kGuest, "many"}, [] { setenv("LD_PRELOAD", agent().c_str(), 1); });
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - before;
    least = std::min(least, took.count());
  }
  return least;
}

}  // namespace
}  // namespace parallax::tests

int main(int count, char** arguments) {
  using namespace parallax::tests;
  setenv("PARALLAX_TICK_HZ", "0", 0);
  const bool brief = count > 1 && std::string(arguments[1]) == "--short";
  const std::string many = brief ? "1000" : "100000", some = brief ? "100" : "2000";
  const Times plain = timesOf("", many);
  printf("%-22s %12s %12s %12s %12s\n", "ns more than without", "jump", "short", "trap", "macro");
  print("level none", timesOf("none", many), plain);
  print("100 ns by time", timesOf("delay\ttime\t100", some), plain);
  print("100 ns by work", timesOf("delay\twork\t100", some), plain);
  print("1 us by time", timesOf("delay\ttime\t1000", some), plain);
  print("1 us by work", timesOf("delay\twork\t1000", some), plain);
  print("10 us by time", timesOf("delay\ttime\t10000", some), plain);
  print("1 ms by time", timesOf("delay\ttime\t1000000", "2"), plain);
  print("1 ms by sleep", timesOf("delay\tsleep\t1000000", "2"), plain);
  print("buffer of 64 KiB", timesOf("buffer\t65536", some), plain);
  print("message of 64 bytes", timesOf("message\t64", some), plain);
  const int rounds = brief ? 2 : 30;
  const double agentOnly = startMs(0, false, rounds);
  printf("\nms of a whole run: %.2f with the agent alone, %.2f more with 1 point, %.2f with 1000\n",
         agentOnly, startMs(1, true, rounds) - agentOnly, startMs(1000, true, rounds) - agentOnly);
  return 0;
}
