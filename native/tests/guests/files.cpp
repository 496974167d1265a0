// Uses files and stdio in ways whose events are known. The first argument names the scenario, the
// second a directory.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <string>

namespace {

void expect(bool holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "failed: %s: %s\n", what, strerror(errno));
  _exit(99);
}
#define EXPECT(condition) expect(condition, #condition)

std::string directory;

// Every call, on one file.
int calls() {
  const std::string path = directory + "/data";
  char data[64] = {};
  iovec parts[] = {{data, 10}, {data + 10, 20}};
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(write(fd, data, 50) == 50);
  EXPECT(pwrite(fd, data, 5, 100) == 5);
  EXPECT(writev(fd, parts, 2) == 30);
  EXPECT(pwritev(fd, parts, 2, 200) == 30);
  EXPECT(fsync(fd) == 0);
  EXPECT(fdatasync(fd) == 0);
  EXPECT(lseek(fd, 0, SEEK_SET) == 0);
  EXPECT(read(fd, data, 40) == 40);
  EXPECT(pread(fd, data, 7, 3) == 7);
  EXPECT(readv(fd, parts, 2) == 30);
  EXPECT(preadv(fd, parts, 2, 200) == 30);
  EXPECT(lseek(fd, 0, SEEK_END) == 230);
  EXPECT(read(fd, data, 40) == 0);  // the end
  EXPECT(open((directory + "/missing").c_str(), O_RDONLY) == -1 && errno == ENOENT);
  EXPECT(openat(AT_FDCWD, directory.c_str(), O_RDONLY | O_DIRECTORY) >= 0);  // no file
  const int null = open("/dev/null", O_WRONLY);
  EXPECT(write(null, data, 40) == 40);
  close(null);
  EXPECT(close(fd) == 0);
  EXPECT(read(fd, data, 1) == -1 && errno == EBADF);
  return 0;
}

// Numbers that libc opens and closes by itself, and what becomes of them.
int stdio() {
  FILE* first = fopen((directory + "/first").c_str(), "w");
  EXPECT(first != nullptr && fileno(first) == 3);
  fputs("1234567", first);
  fclose(first);
  FILE* second = fopen((directory + "/second").c_str(), "w+");
  EXPECT(fileno(second) == 3);
  fprintf(second, "%d\n", 12);
  EXPECT(fflush(second) == 0);
  EXPECT(freopen((directory + "/third").c_str(), "w", second) == second && fileno(second) == 3);
  fputs("12345", second);
  fclose(second);
  DIR* here = opendir(directory.c_str());
  EXPECT(here != nullptr && dirfd(here) == 3);
  closedir(here);
  const int listing = open(directory.c_str(), O_RDONLY | O_DIRECTORY);
  EXPECT(listing == 3);
  closedir(fdopendir(listing));
  DIR* volatile none = nullptr;
  EXPECT(closedir(none) == -1 && errno == EINVAL);
  {
    std::ofstream fourth(directory + "/fourth");
    fourth << "12" << std::endl;
    fourth << "345" << std::endl;
  }
  std::ifstream fourth(directory + "/fourth");
  std::string line;
  std::getline(fourth, line);
  EXPECT(line == "12");
  return 0;
}

// Lines by stdio and by C++ streams through pipes, the last of them at exit.
int lines() {
  int fds[2];
  EXPECT(pipe(fds) == 0);
  const pid_t pid = fork();
  if (pid == 0) {
    close(fds[0]);
    dup2(fds[1], 1);
    close(fds[1]);
    printf("%d\n", 1);
    fflush(stdout);
    std::cout << "22" << std::endl;
    puts("333");
    dprintf(1, "4444\n");
    printf("55555");
    exit(0);  // and no end of the line
  }
  close(fds[1]);
  FILE* in = fdopen(fds[0], "r");
  char line[64];
  std::string all;
  while (fgets(line, sizeof line, in) != nullptr) all += line;
  EXPECT(all == "1\n22\n4444\n333\n55555");
  fclose(in);
  int status = 0;
  EXPECT(waitpid(pid, &status, 0) == pid && status == 0);
  // A command that reads, and one that writes.
  FILE* out = popen("cat > /dev/null", "w");
  fputs("666666", out);
  EXPECT(pclose(out) == 0);
  in = popen("printf 7777777", "r");
  EXPECT(fread(line, 1, sizeof line, in) == 7);
  EXPECT(pclose(in) == 0);
  return 0;
}

// The program lets stdout be a stream of its own, which it closes, and uses the memory otherwise.
int reassigned() {
  printf("first\n");
  FILE* own = fopen((directory + "/own").c_str(), "w");
  EXPECT(own != nullptr);
  stdout = own;
  puts("second");
  const size_t size = malloc_usable_size(own);
  EXPECT(fclose(own) == 0);
  auto* other = static_cast<volatile unsigned char*>(malloc(size));
  EXPECT(other == reinterpret_cast<unsigned char*>(own));
  for (size_t i = 0; i < size; i++) other[i] = static_cast<unsigned char>(i);
  return 0;
}

// A pipeline: one that prints lines, one that passes characters on, one that counts them.
int source() {
  for (int i = 1; i <= 20000; i++) printf("%d\n", i);
  return 0;
}
int pass() {
  for (int c = getchar(); c != EOF; c = getchar()) putchar(c);
  return 0;
}
int count() {
  char line[64];
  size_t bytes = 0;
  while (fgets(line, sizeof line, stdin) != nullptr) bytes += strlen(line);
  printf("%zu\n", bytes);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string scenario = argc > 2 ? argv[1] : "";
  directory = argc > 2 ? argv[2] : "";
  alarm(300);
  if (scenario == "calls") return calls();
  if (scenario == "stdio") return stdio();
  if (scenario == "lines") return lines();
  if (scenario == "reassigned") return reassigned();
  if (scenario == "source") return source();
  if (scenario == "pass") return pass();
  if (scenario == "count") return count();
  return 98;
}
