#include "tools/tune/code_changes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "tools/tune/program_symbol.h"

namespace parallax::tuning {
namespace {

constexpr char kAgent[] = "/libparallax-agent.so";

bool isAgent(const std::string& path) {
  constexpr size_t kBytes = sizeof kAgent - 1;
  return path.size() >= kBytes && path.compare(path.size() - kBytes, kBytes, kAgent) == 0;
}

// The program, then its libraries, those at high addresses first: they were usually loaded before the others. Without the
// agent, whose routines stand before those of the libraries.
std::vector<std::string> modulesOf(int pid) {
  const std::string process = "/proc/" + std::to_string(pid);
  std::vector<std::string> libraries, modules;
  std::ifstream maps(process + "/maps");
  for (std::string line; std::getline(maps, line);) {
    const size_t path = line.find('/');
    const size_t rights = line.find(' ');
    if (path == std::string::npos || rights + 3 >= line.size() || line[rights + 3] != 'x') continue;
    const std::string name = line.substr(path);
    if (!isAgent(name) && std::find(libraries.begin(), libraries.end(), name) == libraries.end()) libraries.push_back(name);
  }
  char program[PATH_MAX];
  const ssize_t length = readlink((process + "/exe").c_str(), program, sizeof program);
  if (length > 0) modules.emplace_back(program, static_cast<size_t>(length));
  for (auto each = libraries.rbegin(); each != libraries.rend(); ++each) {
    if (modules.empty() || *each != modules.front()) modules.push_back(*each);
  }
  return modules;
}

// Returns what is wrong.
std::string findModule(const std::vector<std::string>& modules, const std::string& function, std::string* module) {
  const std::string wanted = *module;
  const auto found = std::find_if(modules.begin(), modules.end(), [&](const std::string& path) {
    if (!wanted.empty()) return path.find(wanted) != std::string::npos;
    const ProgramSymbol symbol = findSymbol(path, function);
    return symbol.address != 0 && !symbol.isVariable;
  });
  if (found != modules.end()) {
    *module = *found;
  } else if (!wanted.empty()) {
    return "the program has not loaded " + wanted;
  } else if (modules.empty()) {
    return "the files of the process cannot be read";
  } else {
    *module = modules.front();  // maybe a name of another form
  }
  return "";
}

std::string write(const perturb::PreparedAction& action, const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  const bool isWritten = fd >= 0 && ::write(fd, &action, sizeof action) == static_cast<ssize_t>(sizeof action);
  const int error = errno;
  if (fd >= 0) close(fd);
  return isWritten ? "" : path + " cannot be written: " + strerror(error);
}

}  // namespace

bool isChangeOfCode(live::ActionKind kind) {
  using live::ActionKind;
  return kind == ActionKind::kArgument || kind == ActionKind::kInsertCall || kind == ActionKind::kReplace;
}

std::string prepareChange(int pid, points::ActionRequest request, const std::string& path) {
  static auto& preparer = *new points::PatchPreparer;  // keeps what it has read; may be in use when the process ends
  const std::vector<std::string> modules = modulesOf(pid);
  request.otherModule = "";
  if (const std::string problem = findModule(modules, request.function, &request.module); !problem.empty()) return problem;
  if (!request.otherFunction.empty()) {
    if (const std::string problem = findModule(modules, request.otherFunction, &request.otherModule); !problem.empty()) return problem;
  }
  perturb::PreparedAction action;
  if (const std::string problem = preparer.prepareAction(request, &action); !problem.empty()) return problem;
  return write(action, path);
}

}  // namespace parallax::tuning
