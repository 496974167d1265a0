#include "bench/collectives_turns.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include "bench/agent_bench.h"

namespace parallax::bench {
namespace {

constexpr double kTurnNs = 150e6;
constexpr double kSwitchNs = 50e6;  // after which the processes have taken a switch
constexpr double kLeastCalls = 10;  // of a turn that counts
constexpr int kLookUs = 2000;

// By straight lines between the marks; NaN outside of them.
double callsAt(const std::vector<CallMark>& marks, double ns) {
  const auto after = std::lower_bound(marks.begin(), marks.end(), ns, [](const CallMark& mark, double time) { return mark.ns < time; });
  if (after == marks.begin() || after == marks.end()) return std::nan("");
  const CallMark& before = *(after - 1);
  return before.calls + (after->calls - before.calls) * (ns - before.ns) / (after->ns - before.ns);
}

// NaN if there are too few calls.
double callNsOf(const TunerTurn& turn, const std::vector<CallMark>& marks) {
  const double begin = turn.beginNs + kSwitchNs, ns = turn.endNs - begin;
  const double calls = callsAt(marks, turn.endNs) - callsAt(marks, begin);
  return ns > 0 && calls >= kLeastCalls ? ns / calls : std::nan("");
}

double medianOf(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

}  // namespace

std::vector<CallMark> readCallMarks(const std::string& path) {
  std::ifstream file(path);
  std::vector<CallMark> marks;
  for (CallMark mark{}; file >> mark.ns >> mark.calls;) marks.push_back(mark);
  return marks;
}

TurnsRatio ratioOf(const std::vector<TunerTurn>& turns, const std::vector<CallMark>& marks) {
  std::vector<double> logs, averages, paused;
  for (size_t i = 0; i + 1 < turns.size(); i += 2) {
    const double first = callNsOf(turns[i], marks), second = callNsOf(turns[i + 1], marks);
    if (turns[i].isOn == turns[i + 1].isOn || !std::isfinite(first + second)) continue;
    paused.push_back(turns[i].isOn ? second : first);
    logs.push_back(turns[i].isOn ? std::log(first / second) : std::log(second / first));
  }
  for (size_t i = 0; i < logs.size(); i++) {
    for (size_t k = i; k < logs.size(); k++) averages.push_back((logs[i] + logs[k]) / 2);
  }
  if (averages.empty()) return {};
  return {std::exp(medianOf(averages)), logs.size(), medianOf(paused)};
}

TunerTurns::TunerTurns(const std::string& control, const std::string& marks) : control_(control), marks_(marks), thread_([this] { run(); }) {}

TunerTurns::~TunerTurns() { end(); }

const std::vector<TunerTurn>& TunerTurns::end() {
  isEnded_ = true;
  if (thread_.joinable()) thread_.join();
  return turns_;
}

// The order changes from pair to pair, so that a drift meets both alike: on off, off on, on off, ...
void TunerTurns::run() {
  while (!isEnded_ && access(marks_.c_str(), F_OK) != 0) usleep(kLookUs);
  bool isOn = true;
  for (size_t i = 0; !isEnded_; i++) {
    const bool next = i % 4 == 0 || i % 4 == 3;
    if (next != isOn && !tell(next ? "resume" : "pause")) return;
    isOn = next;
    const double begin = nowNs();
    while (!isEnded_ && nowNs() < begin + kTurnNs) usleep(kLookUs);
    if (!isEnded_) turns_.push_back({begin, nowNs(), isOn});
  }
}

bool TunerTurns::tell(const char* command) const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (control_.size() >= sizeof address.sun_path) return false;
  memcpy(address.sun_path, control_.c_str(), control_.size() + 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  const timeval patience{2, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const std::string line = std::string(command) + "\n";
  std::string answer(512, '\0');
  bool isDone = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                send(fd, line.data(), line.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(line.size());
  const ssize_t got = isDone ? read(fd, answer.data(), answer.size()) : -1;
  isDone = got > 0 && answer.find("\"ok\":true") != std::string::npos;
  close(fd);
  return isDone;
}

}  // namespace parallax::bench
