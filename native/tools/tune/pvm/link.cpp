#include "tools/tune/pvm/link.h"

#include <poll.h>
#include <pvm3.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "tools/record.h"

namespace parallax::tuning::pvm {
namespace {

constexpr int kIdleMs = 1000, kEndPatienceMs = 2000;

}  // namespace

Link::Link(std::string secret, std::string host, std::string directory)
    : session_(std::move(secret)), reports_(std::move(host)), directory_(std::move(directory)), in_(STDIN_FILENO), out_(STDOUT_FILENO) {}

int Link::run() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_IGN);  // it ends with the monitor
  const bool hasJoined = session_.join();
  if (hasJoined) {
    own_ = pvm_tidtohost(session_.task());
    pvm_notify(PvmHostAdd, kHostAddedTag, -1, nullptr);
    findHosts();
  }
  bool goesOn = hasJoined;  // else the monitor tells it
  while (goesOn && session_.receive([this](const Message& message) { handle(message); })) {
    out_.flush();
    pollfd set[] = {{session_.fd(), POLLIN, 0}, {in_.fd(), POLLIN, 0}, {out_.waiting() > 0 ? out_.fd() : -1, POLLOUT, 0}};
    poll(set, 3, kIdleMs);
    if (set[1].revents == 0) continue;
    std::vector<LineReader::Line> lines;
    goesOn = in_.read(&lines);
    for (const LineReader::Line& line : lines) handleRequest(line);
  }
  if (goesOn) tell(reports_.problem("the daemon of PVM has ended"));
  session_.leave();
  out_.finish(kEndPatienceMs);
  return 0;
}

// Those that are new.
void Link::findHosts() {
  int count = 0;
  pvmhostinfo* infos = nullptr;
  if (pvm_config(&count, nullptr, &infos) < 0) return;
  for (int i = 0; i < count; i++) {
    const int id = infos[i].hi_tid;
    if (hosts_.count(id) != 0) continue;
    const std::string pvmName = infos[i].hi_name, name = id == own_ ? reports_.host() : pvmName;
    tell(reports_.hostEvent(name, "added", infos[i].hi_arch));
    hosts_.emplace(id, Host{pvmName, 0, false, HostBook(name)});
  }
  // The library gives the table anew at each call: none of it is used any more.
  for (auto& [id, host] : hosts_) {
    if (host.service == 0 && !host.isReady) startService(id, &host);
  }
  tellReady();
}

void Link::startService(int id, Host* host) {
  int daemon = id;
  pvm_notify(PvmHostDelete, kHostDeletedTag, 1, &daemon);
  std::string program = record::ownDirectory() + "/parallax-tune-pvm", mode = "host", master = std::to_string(session_.task());
  std::string name = id == own_ ? reports_.host() : host->name, directory = id == own_ ? directory_ : "-";
  char* arguments[] = {mode.data(), master.data(), name.data(), directory.data(), nullptr};
  int task = 0;
  if (pvm_spawn(program.data(), arguments, PvmTaskHost, host->name.data(), 1, &task) == 1) {
    host->service = task;
    pvm_notify(PvmTaskExit, kTaskEndedTag, 1, &task);
    return;
  }
  host->isReady = true;  // nothing more comes
  tell(reports_.problem("the host " + name + " cannot be watched: PVM cannot start " + program + " there (error " + std::to_string(task) +
                       "); install Parallax there in the same directory"));
}

void Link::tellReady() {
  const bool areReady = std::all_of(hosts_.begin(), hosts_.end(), [](const auto& host) { return host.second.isReady; });
  if (!areReady || toldReady_) return;
  toldReady_ = true;
  tell(reports_.ready());
}

void Link::handle(const Message& message) {
  std::string line;
  if (message.tag == kHostAddedTag) {
    findHosts();
  } else if (message.tag == kHostDeletedTag) {
    removeHost(unpackNumber());
  } else if (message.tag == kTaskEndedTag) {
    removeService(unpackNumber());
  } else if (message.tag == kLineTag && session_.takeLine(message, &line)) {
    handleLine(message.sender, line);
  }
}

void Link::handleLine(int sender, const std::string& line) {
  const auto found = std::find_if(hosts_.begin(), hosts_.end(), [&](const auto& host) { return host.second.service == sender; });
  if (found == hosts_.end()) return;
  Host& host = found->second;
  if (line.size() > LineReader::kMostBytes) return tell(reports_.problem(tooLong("a line of the monitor of " + host.name, line.size())));
  Request request;
  if (parseRequest(line, &request).empty() && std::holds_alternative<Ready>(request)) {
    host.isReady = true;
    for (const std::string& standing : standing_) {
      if (found->first != own_) session_.sendLine(sender, standing);
    }
    return tellReady();
  }
  host.book.came(line);
  tell(line);
}

void Link::handleRequest(const LineReader::Line& line) {
  Request request;
  if (line.tooLong || !parseRequest(line.text, &request).empty()) return;  // the monitor has told it
  const auto* action = std::get_if<Action>(&request);
  if (action == nullptr && !std::holds_alternative<TakeBack>(request)) {
    // The last of each kind.
    const size_t kind = request.index();
    const auto isSame = [kind](const std::string& other) {
      Request read;
      return parseRequest(other, &read).empty() && read.index() == kind;
    };
    standing_.erase(std::remove_if(standing_.begin(), standing_.end(), isSame), standing_.end());
    standing_.push_back(line.text);
  }
  bool isSent = action == nullptr;
  for (auto& [id, host] : hosts_) {
    if (id == own_ || host.service == 0 || (action != nullptr && action->host != host.name)) continue;
    if (action != nullptr) host.book.sent(*action);
    if (host.isReady || action != nullptr) session_.sendLine(host.service, line.text);
    isSent = true;
  }
  if (isSent) return;
  tell(Reports(action->host).action(action->pid, {action->asked.id, "refused", "there is no host " + action->host + " that is watched", {}, {}}, 0));
}

void Link::removeHost(int id) {
  const auto found = hosts_.find(id);
  if (found == hosts_.end()) return;
  for (const std::string& line : found->second.book.close()) tell(line);
  tell(reports_.hostEvent(found->second.name, "left", ""));
  hosts_.erase(found);
  tellReady();
}

// Ended, with its host or alone.
void Link::removeService(int task) {
  for (auto& [id, host] : hosts_) {
    if (host.service != task) continue;
    host.service = 0;
    host.isReady = true;
    for (const std::string& line : host.book.close()) tell(line);
    tell(reports_.problem("what starts and watches the tasks on " + host.name + " has ended"));
  }
  tellReady();
}

}  // namespace parallax::tuning::pvm
