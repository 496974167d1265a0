// A library whose constructor starts a thread, which is stopped between two instructions of a place.
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include <atomic>

// int early_place(const int* value): the value plus 7. The first 6 bytes are three instructions.
asm(R"(
  .text
  .globl early_place
  .type early_place, @function
early_place:
  .cfi_startproc
  nop
  mov (%rdi), %eax
  add $7, %eax
  ret
  .cfi_endproc
  .size early_place, .-early_place
)");
extern "C" int early_place(const int* value);

namespace {

std::atomic<bool> isInside{false}, mayGoOn{false};
int* hidden = nullptr;
pthread_t thread;
int result = 0;

void await(const std::atomic<bool>& flag) {
  const timespec brief{0, 100000};
  while (!flag) nanosleep(&brief, nullptr);
}

// Inside of the place: it goes back to the second instruction.
void onFault(int) {
  isInside = true;
  await(mayGoOn);
  mprotect(hidden, 4096, PROT_READ | PROT_WRITE);
}

__attribute__((constructor)) void begin() {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  hidden = static_cast<int*>(page);
  *hidden = 35;
  mprotect(page, 4096, PROT_NONE);
  struct sigaction action = {};
  action.sa_handler = onFault;
  sigaction(SIGSEGV, &action, nullptr);
  const auto run = [](void*) -> void* {
    result = early_place(hidden);
    return nullptr;
  };
  pthread_create(&thread, nullptr, run, nullptr);
  await(isInside);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int early_go_on() {
  mayGoOn = true;
  pthread_join(thread, nullptr);
  return result;
}
