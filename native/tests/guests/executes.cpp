// Executes a program, the rest of the arguments, in each way there is, with an environment of its own
// that has nothing but PATH; or with the argument "none" also PARALLAX_TRACE, empty. Prints how each
// ended.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

namespace {

void tell(const char* way, pid_t pid) {
  int status = -1;
  waitpid(pid, &status, 0);
  printf("%s %d\n", way, status);
  fflush(stdout);
}

void inChild(const char* way, const std::function<void()>& execute) {
  const pid_t pid = fork();
  if (pid == 0) {
    execute();
    _exit(99);
  }
  tell(way, pid);
}

void onlyPath(const std::string& path) {
  clearenv();
  setenv("PATH", path.c_str(), 1);
}

}  // namespace

int main(int count, char** arguments) {
  const bool none = strcmp(arguments[1], "none") == 0;
  char** argv = arguments + 2;
  const char* path = argv[0];
  const std::string folder = std::string(path).substr(0, std::string(path).rfind('/'));
  const std::string name = std::string(path).substr(folder.size() + 1);
  std::string search = "PATH=" + folder, trace = "PARALLAX_TRACE=";
  char* own[] = {search.data(), none ? trace.data() : nullptr, nullptr};
  setenv("PATH", folder.c_str(), 1);  // by which names are looked up, whatever the program gets
  inChild("execve", [&] { execve(path, argv, own); });
  inChild("execvpe", [&] { execvpe(name.c_str(), argv, own); });
  inChild("execle", [&] { execle(path, argv[0], argv[1], static_cast<char*>(nullptr), own); });
  inChild("fexecve", [&] { fexecve(open(path, O_RDONLY | O_CLOEXEC), argv, own); });
  inChild("fexecve-path", [&] { fexecve(open(path, O_PATH | O_CLOEXEC), argv, own); });
  inChild("execveat", [&] {
    execveat(open(folder.c_str(), O_PATH | O_CLOEXEC), name.c_str(), argv, own, 0);
  });
  inChild("execveat-empty", [&] {
    execveat(open(path, O_PATH | O_CLOEXEC), "", argv, own, AT_EMPTY_PATH);
  });
  pid_t pid = vfork();
  if (pid == 0) {
    execve(path, argv, own);
    _exit(99);
  }
  tell("vfork", pid);
  posix_spawn(&pid, path, nullptr, nullptr, argv, own);
  tell("posix_spawn", pid);
  posix_spawnp(&pid, name.c_str(), nullptr, nullptr, argv, own);
  tell("posix_spawnp", pid);
  // A large environment needs memory elsewhere than on the stack.
  std::vector<std::string> texts;
  for (int i = 0; i < 3000; i++) texts.push_back("V" + std::to_string(i) + "=" + std::to_string(i));
  std::vector<char*> many{own[0]};
  if (none) many.push_back(own[1]);
  for (std::string& text : texts) many.push_back(text.data());
  many.push_back(nullptr);
  inChild("large", [&] { execve(path, argv, many.data()); });
  onlyPath(folder);
  if (none) setenv("PARALLAX_TRACE", "", 1);
  inChild("execv", [&] { execv(path, argv); });
  inChild("execvp", [&] { execvp(name.c_str(), argv); });
  inChild("execl", [&] { execl(path, argv[0], argv[1], static_cast<char*>(nullptr)); });
  inChild("execlp", [&] { execlp(name.c_str(), argv[0], argv[1], static_cast<char*>(nullptr)); });
  printf("system %d\n", system((std::string(path) + " " + argv[1]).c_str()));
  return 0;
}
