// A handler of a signal that leaves the transport by longjmp, wherever a file was just opened, leaves no descriptor behind.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "format/format.h"
#include "format/slots.h"
#include "tests/temporary_directory.h"
#include "transport/block_store.h"
#include "transport/definitions_file.h"
#include "transport/shared_table.h"
#include "transport/transport_mode.h"

namespace parallax {
namespace {

#ifndef __SANITIZE_THREAD__  // which has signals wait
constexpr int kLeaked = 3, kNotLeft = 4;

sigjmp_buf place;
volatile sig_atomic_t isLeft = 0;
void leave(int) {
  isLeft = 1;
  siglongjmp(place, 1);
}

ptrdiff_t openFiles() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return std::distance(begin(files), end(files));
}

// Does the work once without a signal, so that all it keeps open is open.
[[noreturn]] void doTraced(const std::function<void()>& prepare, const std::function<void()>& work) {
  prepare();
  const ptrdiff_t before = openFiles();
  signal(SIGUSR1, leave);
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(2);
  raise(SIGSTOP);
  if (sigsetjmp(place, 1) == 0) work();
  signal(SIGUSR1, SIG_IGN);
  raise(SIGSTOP);
  _exit(openFiles() != before ? kLeaked : isLeft == 0 ? kNotLeft : 0);
}

// The child gets the signal when it returns from opening its file number `number`, while it works. Returns its exit status.
int endOf(pid_t child, int number) {
  int status = 0, opened = 0, stops = 0;
  bool isReturn = false;
  while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
    int given = WSTOPSIG(status);
    if (given == SIGSTOP) {
      stops++;
      given = 0;
    } else if (given == SIGTRAP) {
      given = 0;
      user_regs_struct registers{};
      ptrace(PTRACE_GETREGS, child, nullptr, &registers);
      isReturn = !isReturn;
      const bool isOpen = registers.orig_rax == SYS_openat && !isReturn && static_cast<long>(registers.rax) >= 0;
      if (isOpen && opened++ == number) kill(child, SIGUSR1);
    }
    ptrace(stops == 1 ? PTRACE_SYSCALL : PTRACE_CONT, child, nullptr, given);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void expectNoneLeft(const std::function<void(const TraceDirectory&)>& prepare, const std::function<void()>& work) {
  int left = 0;
  for (int number = 0; number < 20; number++) {
    const TemporaryDirectory scratch;
    TraceDirectory directory;
    ASSERT_EQ(0, directory.open(scratch.path().c_str()));
    const pid_t child = fork();
    if (child == 0) doTraced([&] { prepare(directory); }, work);
    const int status = endOf(child, number);
    directory.close();
    if (status == kNotLeft) break;
    EXPECT_EQ(0, status) << "after file " << number;
    left++;
  }
  EXPECT_GT(left, 0);
}

class OpenFilesOf : public testing::TestWithParam<const char*> {};

// Fills windows of one block, so that each is a new one.
TEST_P(OpenFilesOf, WindowsAreClosed) {
  static BlockStore store;
  const auto fill = [] {
    for (int i = 0; i < 3; i++) {
      void* memory = nullptr;
      if (store.next(0, 1, &memory) != 0) return;
      ++*store.begun();
      auto* block = static_cast<format::BlockHeader*>(memory);
      block->magic = format::kBlockMagic;
      auto* slots = reinterpret_cast<uint64_t*>(block + 1);
      for (uint64_t slot = 0; slot < format::kBlockSlots; slot++) slots[slot] = 1;
      store.finish(block, slots + format::kBlockSlots);
    }
  };
  expectNoneLeft(
      [&](const TraceDirectory& directory) {
        parseTransport(GetParam(), &transportMode);
        store.open(directory, "h.1.0.1.evt");
        fill();
      },
      [&] {
        fill();
        store.close();
      });
}

INSTANTIATE_TEST_SUITE_P(Transports, OpenFilesOf, testing::Values("mapped", "buffered:64K", "unbuffered", "async:64K"));

TEST(OpenFiles, OfDefinitionsAreClosed) {
  static DefinitionsFile file;
  expectNoneLeft([](const TraceDirectory& directory) { file.open(directory, "h.1.0.def", 0); },
                 [] {
                   static char record[4096];
                   for (int i = 0; i < 100; i++) file.append(record, sizeof record);
                 });
}

TEST(OpenFiles, OfTablesAreClosed) {
  static const TraceDirectory* opened;
  expectNoneLeft([](const TraceDirectory& directory) { opened = &directory; }, [] { mapTraceSize(*opened, "shared"); });
}
#endif

}  // namespace
}  // namespace parallax
