// parallax-monitor: the machine's load, processors, memory, paging, disks and network over time, as a
// series (format/SERIES.md) on its standard output, until it is ended.

#include <getopt.h>
#include <signal.h>
#include <sys/utsname.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>

#include "include/parallax/series.h"
#include "tools/monitor_machine.h"

namespace parallax::monitor {
namespace {

constexpr double kDefaultHz = 10, kLeastHz = 0.001, kMostHz = 1000;
constexpr long long kSecondNs = 1000000000;

constexpr char kHelp[] =
    "usage: parallax-monitor [--hz N]\n"
    "\n"
    "Writes the load, processor time, memory, paging, disk and network traffic of this machine to standard\n"
    "output until it is interrupted (Ctrl-C). Parallax can show this series beside programs.\n"
    "\n"
    "  --hz N            readings per second, from 0.001 to 1000 (default: 10)\n"
    "  --help, --version\n"
    "\n"
    "examples:\n"
    "  parallax record --monitor -- ./solver            beside a program, in its trace\n"
    "  parallax-monitor --hz 1 > machine.series         by itself\n"
    "  parallax import run1 machine.series              into a trace of the same time\n";

long long nowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecondNs + now.tv_nsec;
}

int run(double hz) {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&ends, signal);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  // Each line leaves at once, whole.
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  Machine machine;
  utsname names{};
  uname(&names);
  parallax_series_begin(stdout);
  parallax_series_machine(stdout, names.nodename);
  for (const Machine::Metric& metric : Machine::metrics()) {
    parallax_series_metric(stdout, metric.name, metric.kind, metric.unit);
  }
  parallax_series_data(stdout);
  const auto step = static_cast<long long>(kSecondNs / hz);
  long long next = nowNs();
  for (bool ended = false;; next += step) {
    const std::vector<double>& values = machine.read();
    if (parallax_series_write(stdout, values.data(), static_cast<int>(values.size())) != 0) {
      perror("parallax-monitor: cannot write");
      return 1;
    }
    if (ended) return 0;  // that was how things were in the end
    const long long now = nowNs();
    if (next + step < now) next = now - step;  // too late already: no haste afterwards
    const long long wait = next + step - now;
    const timespec timeout{static_cast<time_t>(wait / kSecondNs), static_cast<long>(wait % kSecondNs)};
    ended = sigtimedwait(&ends, nullptr, &timeout) > 0;
  }
}

}  // namespace
}  // namespace parallax::monitor

int main(int count, char** arguments) {
  using namespace parallax::monitor;
  static const option known[] = {{"hz", required_argument, nullptr, 'z'},
                                 {"help", no_argument, nullptr, 'h'},
                                 {"version", no_argument, nullptr, 'v'},
                                 {nullptr, 0, nullptr, 0}};
  double hz = kDefaultHz;
  for (int found; (found = getopt_long(count, arguments, "h", known, nullptr)) != -1;) {
    if (found == 'h') return fputs(kHelp, stdout), 0;
    if (found == 'v') return puts("parallax monitor " PARALLAX_VERSION), 0;
    char* end = arguments[0];
    hz = found == 'z' ? strtod(optarg, &end) : -1;
    if (found == 'z' && *end != '\0') hz = -1;
    if (hz <= 0) break;
  }
  if (!(hz >= kLeastHz && hz <= kMostHz) || optind != count) {
    fprintf(stderr, "parallax-monitor: the only option is --hz with a number from 0.001 to 1000; "
        "see: parallax-monitor --help\n");
    return 2;
  }
  return run(hz);
}
