#include "tools/tune/pvm/hoster.h"

#include <errno.h>
#include <fcntl.h>
#include <pvm3.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include <pvmproto.h>

#include "tools/record.h"
#include "tools/tune/inherited_signals.h"

namespace parallax::tuning::pvm {
namespace {

constexpr uint64_t kSecondNs = 1000000000, kPatienceNs = 60 * kSecondNs;
constexpr size_t kMostPrinted = 1 << 16;
constexpr char kAnswer[] = "ddpro";           // how the line of a new daemon begins
constexpr char kCannotStart[] = "PvmCantStart";  // names of PVM's errors

uint64_t nowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kSecondNs + static_cast<uint64_t>(now.tv_nsec);
}

void closeOne(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

}  // namespace

std::string Hoster::begin() {
  const int code = pvm_reg_hoster();
  if (code >= 0 || code == PvmHostrNMstr) return "";
  return code == PvmAlready ? "another program adds hosts" : "PVM's daemon does not let it add hosts (error " + std::to_string(code) + ")";
}

void Hoster::start(const Message& message) {
  pvmminfo info{};
  pvm_getminfo(pvm_getrbuf(), &info);
  Request request{message.sender, info.wid, {}};
  for (int count = unpackNumber(); count > 0; count--) {
    Host host;
    host.id = unpackNumber();
    const std::string options = unpackText(message.bytes), login = unpackText(message.bytes), command = unpackText(message.bytes);
    unpackText(message.bytes);  // the command for a Windows host
    const std::string machine = unpackText(message.bytes);
    if (options == "pw" || options == "ms") {  // by a password or by hand: there is nobody to ask
      host.result = kCannotStart;
    } else {
      startOn(login, command, machine, &host);
      if (host.shell > 0) shells_.push_back(host.shell);
    }
    request.hosts.push_back(std::move(host));
  }
  requests_.push_back(std::move(request));
}

// By the remote shell that PVM would take. The new daemon reads the name of the virtual machine.
void Hoster::startOn(const std::string& login, const std::string& command, const std::string& machine, Host* host) {
  const size_t at = login.find('@');
  std::vector<std::string> words{pvmgetrsh(), at == std::string::npos ? login : login.substr(at + 1)};
  if (at != std::string::npos) words.insert(words.end(), {"-l", login.substr(0, at)});
  words.push_back(command);
  int input[2] = {-1, -1}, output[2] = {-1, -1}, errors[2] = {-1, -1};
  if (pipe2(input, O_CLOEXEC) == 0 && pipe2(output, O_CLOEXEC) == 0 && pipe2(errors, O_CLOEXEC) == 0) host->shell = fork();
  if (host->shell == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    dup2(errors[1], STDERR_FILENO);
    close_range(STDERR_FILENO + 1, ~0U, 0);
    restoreSignals();
    const std::vector<char*> pointers = record::pointersTo(words);
    execvp(pointers[0], pointers.data());
    _exit(1);
  }
  for (int* fd : {&input[0], &output[1], &errors[1]}) closeOne(fd);
  host->input = input[1];
  host->output = output[0];
  host->errors = errors[0];
  host->untilNs = nowNs() + kPatienceNs;
  if (host->shell < 0) return finish(host, kCannotStart);
  const std::string name = machine.empty() ? "" : "PVM_VMID=" + machine + "\n";
  if (write(host->input, name.data(), name.size()) != static_cast<ssize_t>(name.size())) finish(host, kCannotStart);
}

void Hoster::addTo(std::vector<pollfd>* set) const {
  for (const Request& request : requests_) {
    for (const Host& host : request.hosts) {
      if (host.output >= 0) set->push_back({host.output, POLLIN, 0});
      if (host.errors >= 0) set->push_back({host.errors, POLLIN, 0});
    }
  }
}

void Hoster::look() {
  for (auto request = requests_.begin(); request != requests_.end();) {
    for (Host& host : request->hosts) lookAt(&host);
    const bool isReady = std::none_of(request->hosts.begin(), request->hosts.end(), [](const Host& host) { return host.result.empty(); });
    if (isReady) answer(*request);
    request = isReady ? requests_.erase(request) : std::next(request);
  }
  const auto hasEnded = [](pid_t shell) { return waitpid(shell, nullptr, WNOHANG) != 0; };
  shells_.erase(std::remove_if(shells_.begin(), shells_.end(), hasEnded), shells_.end());
}

void Hoster::lookAt(Host* host) {
  if (!host->result.empty()) return;
  const auto read = [](int* fd, std::string* into) {
    pollfd ready{*fd, POLLIN, 0};
    if (*fd < 0 || poll(&ready, 1, 0) <= 0) return;
    char text[1 << 12];
    const ssize_t got = ::read(*fd, text, sizeof text);
    if (got > 0 && into->size() < kMostPrinted) into->append(text, static_cast<size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) closeOne(fd);
  };
  std::string errors;
  read(&host->errors, &errors);
  read(&host->output, &host->printed);
  for (size_t begin = 0, end; (end = host->printed.find('\n', begin)) != std::string::npos; begin = end + 1) {
    if (host->printed.compare(begin, sizeof kAnswer - 1, kAnswer) == 0) return finish(host, host->printed.substr(begin, end - begin));
  }
  if (host->output < 0 || nowNs() > host->untilNs) finish(host, kCannotStart);
}

void Hoster::finish(Host* host, const std::string& result) {
  host->result = result;
  for (int* fd : {&host->input, &host->output, &host->errors}) closeOne(fd);
}

void Hoster::answer(const Request& request) {
  pvm_initsend(PvmDataDefault);
  int count = static_cast<int>(request.hosts.size());
  pvm_pkint(&count, 1, 1);
  for (const Host& host : request.hosts) {
    int id = host.id;
    pvm_pkint(&id, 1, 1);
    pvm_pkstr(const_cast<char*>(host.result.c_str()));
  }
  pvmminfo info{};
  pvm_getminfo(pvm_getsbuf(), &info);
  info.wid = request.wait;
  pvm_setminfo(pvm_getsbuf(), &info);
  pvm_send(request.sender, SM_STHOSTACK);
}

}  // namespace parallax::tuning::pvm
