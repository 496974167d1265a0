#include "tools/tune/pvm/session.h"

#include <fcntl.h>
#include <pvm3.h>
#include <unistd.h>

#include <cstdio>

namespace parallax::tuning::pvm {

bool Session::join() {
  // The library tells of a missing daemon on the standard error, which is the program's.
  const int errors = dup(STDERR_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDERR_FILENO);
  task_ = pvm_mytid();
  fflush(stderr);
  dup2(errors, STDERR_FILENO);
  close(errors);
  close(nowhere);
  if (task_ < 0) return false;
  pvm_setopt(PvmAutoErr, 0);
  pvm_setopt(PvmResvTids, 1);          // messages to and from the daemon
  pvm_setopt(PvmRoute, PvmDontRoute);  // one descriptor to wait for
  pvm_setopt(PvmNoReset, 1);           // a reset of the virtual machine ends the program's tasks, and not ours
  return true;
}

void Session::leave() {
  if (task_ >= 0) pvm_exit();
  task_ = -1;
}

int Session::fd() const {
  int* descriptors = nullptr;
  return pvm_getfds(&descriptors) > 0 ? descriptors[0] : -1;
}

bool Session::receive(const std::function<void(const Message&)>& handle) {
  for (;;) {
    const int buffer = pvm_nrecv(-1, -1);
    if (buffer < 0) return false;
    if (buffer == 0) return true;
    Message message{};
    pvm_bufinfo(buffer, &message.bytes, &message.tag, &message.sender);
    handle(message);
  }
}

void Session::sendLine(int task, const std::string& line) const {
  pvm_initsend(PvmDataDefault);
  pvm_pkstr(const_cast<char*>(secret_.c_str()));
  pvm_pkstr(const_cast<char*>(line.c_str()));
  pvm_send(task, kLineTag);
}

bool Session::takeLine(const Message& message, std::string* line) const {
  if (unpackText(message.bytes) != secret_) return false;
  *line = unpackText(message.bytes);
  return true;
}

std::string unpackText(int bytes) {
  std::string text(static_cast<size_t>(bytes > 0 ? bytes : 0) + 1, '\0');  // the library knows no limit
  if (pvm_upkstr(text.data()) < 0) return "";
  text.resize(text.find('\0'));
  return text;
}

int unpackNumber() {
  int number = 0;
  pvm_upkint(&number, 1, 1);
  return number;
}

std::string nameOfTask(int task) {
  char text[16];
  snprintf(text, sizeof text, "t%x", static_cast<unsigned>(task));
  return text;
}

}  // namespace parallax::tuning::pvm
