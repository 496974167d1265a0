#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/launchers.h"
#include "base/program_file.h"
#include "tools/record.h"

namespace parallax::record {
namespace {

std::vector<std::string> pathDirectories() {
  const char* path = getenv("PATH");
  std::string rest = path != nullptr ? path : "/bin:/usr/bin";
  std::vector<std::string> directories;
  for (;;) {
    const size_t colon = rest.find(':');
    const std::string directory = rest.substr(0, colon);
    directories.push_back(directory.empty() ? "." : directory);
    if (colon == std::string::npos) return directories;
    rest.erase(0, colon + 1);
  }
}

bool isFile(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

// The file that a name of a command stands for, or empty.
std::string resolve(const std::string& name) {
  if (name.find('/') != std::string::npos) return isFile(name) ? name : "";
  std::string found;
  for (const std::string& directory : pathDirectories()) {
    const std::string path = directory + "/" + name;
    if (!isFile(path)) continue;
    if (access(path.c_str(), X_OK) == 0) return path;
    if (found.empty()) found = path;
  }
  return found;
}

size_t editDistance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++) row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// Executable files whose name is nearly that of `wanted`, nearest first, at most three.
std::string nearNames(const std::string& wanted) {
  const size_t slash = wanted.rfind('/');
  const std::string name = baseName(wanted);
  std::vector<std::string> directories;
  if (slash == std::string::npos) {
    directories = pathDirectories();
    directories.push_back(".");
  } else {
    directories.push_back(wanted.substr(0, slash + 1));
  }
  const size_t most = name.size() <= 3 ? 1 : 2;
  std::vector<std::pair<size_t, std::string>> found;
  for (const std::string& directory : directories) {
    DIR* entries = opendir(directory.c_str());
    if (entries == nullptr) continue;
    while (const dirent* entry = readdir(entries)) {
      const std::string other = entry->d_name;
      if (other.size() + most < name.size() || name.size() + most < other.size()) continue;
      const size_t distance = editDistance(name, other);
      const std::string path = directory + "/" + other;
      if (distance > most || !isFile(path) || access(path.c_str(), X_OK) != 0) continue;
      std::string shown = other;
      if (slash != std::string::npos) shown = wanted.substr(0, slash + 1) + other;
      if (slash == std::string::npos && directory == ".") shown = "./" + other;
      found.emplace_back(distance, shown);
    }
    closedir(entries);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::string text;
  for (size_t i = 0; i < found.size() && i < 3; i++) {
    text += (i == 0 ? "; did you mean " : " or ") + found[i].second;
  }
  return text.empty() ? text : text + "?";
}

bool isMpiLauncher(const std::string& name) {
  return name.compare(0, 6, "mpirun") == 0 || name.compare(0, 7, "mpiexec") == 0 ||
         name.compare(0, 7, "orterun") == 0;
}

Problem notFound(const std::string& name) {
  const std::string base = baseName(name);
  const std::string near = nearNames(name);
  if (isMpiLauncher(base) && name.find('/') == std::string::npos && near.empty()) {
    const std::string package = base.find("mpich") != std::string::npos ? "mpich"
                                : base.find("openmpi") != std::string::npos || base == "orterun"
                                    ? "openmpi-bin"
                                    : "openmpi-bin (or mpich)";
    return {kNotFound, "cannot find " + name + ": MPI is not installed, or not in PATH; on Debian "
        "and Ubuntu, install the package " + package};
  }
  if (access(name.c_str(), F_OK) == 0 && name.find('/') == std::string::npos && isFile(name)) {
    return {kNotFound, "cannot find " + name + " in PATH; the file in this directory is ./" + name};
  }
  if (!near.empty()) return {kNotFound, "cannot find the program " + name + near};
  const bool named = name.find('/') != std::string::npos;
  return {kNotFound, "cannot find the program " + name +
                         (named ? "; check its path, and that it is built"
                                : " in PATH; install it, or give its path: ./" + name)};
}

// What is wrong with a file; nothing for a script.
Problem findFileProblem(const std::string& path) {
  const ProgramFile program = examineProgram(AT_FDCWD, path.c_str());
  if (program.isScript) return {};
  const std::string fact = path + " " + reasonOf(program.fit);
  switch (program.fit) {
    case ProgramFit::kFits:
    case ProgramFit::kOutOfReach: return {};
    case ProgramFit::kGainsRights:
      return {kFailed, fact + ", so the system ignores the agent (LD_PRELOAD); record a copy "
          "without these rights: cp " + path + " /tmp/ and record the copy"};
    case ProgramFit::kOtherMachine:
      return {kFailed, fact + " (" + std::to_string(program.wordBits) + " bits, ELF machine " +
                       std::to_string(program.machine) +
                       "): only x86_64 programs can be recorded; build it with -m64 on x86_64"};
    case ProgramFit::kOtherLibc:
      return {kFailed, fact + ", so the agent cannot be loaded into it; build it for glibc (with "
          "gcc instead of musl-gcc, or on a distribution with glibc) and record it again"};
    case ProgramFit::kStatic:
      return {kFailed, fact + ", so the agent cannot be loaded into it; link it without -static (MPI "
                       "compilers: also without -static-pie) and record it again"};
  }
  return {};
}

// The first argument of a launcher that is a program; options and their values are not.
std::string programAmong(const std::vector<std::string>& command, size_t from, size_t* at) {
  for (size_t i = from; i < command.size(); i++) {
    if (command[i].empty() || command[i][0] == '-') continue;
    const std::string path = resolve(command[i]);
    if (path.empty() || access(path.c_str(), X_OK) != 0) continue;
    *at = i;
    return path;
  }
  return "";
}

// Whether a launcher is one of Open MPI: orterun of version 4; from 5 on that of PRRTE, or a program mpirun
// beside it, which executes it.
bool isOfOpenMpi(const std::string& path) {
  char real[PATH_MAX];
  if (realpath(path.c_str(), real) == nullptr) return false;
  const std::string file = baseName(real);
  if (file == "orterun" || file == "prterun" || file == "prte" || file == "mpirun.openmpi") return true;
  const std::string beside = std::string(real, strlen(real) - file.size()) + "prterun";
  return (file == "mpirun" || file == "mpiexec") && access(beside.c_str(), X_OK) == 0;
}

}  // namespace

std::string baseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

size_t openMpiAt(const std::vector<std::string>& command) {
  std::string path = resolve(command[0]);
  for (size_t at = 0; !path.empty() && isLauncher(baseName(path).c_str());) {
    if (isOfOpenMpi(path)) return at;
    path = programAmong(command, at + 1, &at);
  }
  return command.size();
}

Problem findProblem(const std::vector<std::string>& command) {
  const std::string& name = command[0];
  struct stat status;
  std::string path = resolve(name);
  if (path.empty()) {
    const bool named = name.find('/') != std::string::npos;
    if (named && stat(name.c_str(), &status) == 0) {
      return {kNotExecutable, name + (S_ISDIR(status.st_mode) ? " is a directory" : " is not a "
          "file") +
                                  ", not a program; name a program"};
    }
    if (named && errno == EACCES) {
      return {kNotExecutable, "cannot reach " + name + ": you may not enter a directory of its "
          "path; see: namei -l " + name};
    }
    return notFound(name);
  }
  if (access(path.c_str(), X_OK) != 0) {
    return {kNotExecutable, path + " is not executable; if it is a program: chmod +x " + path};
  }
  size_t at = 0;
  for (;;) {
    const Problem problem = findFileProblem(path);
    // A launcher that cannot be recorded is nothing to worry about: it is not to be recorded.
    const bool launcher = isLauncher(baseName(path).c_str());
    if (!launcher) return problem;
    if (isShell(baseName(path).c_str())) return {};
    path = programAmong(command, at + 1, &at);
    if (path.empty()) return {};
  }
}

}  // namespace parallax::record
