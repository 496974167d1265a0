// vfork. The child runs in the parent's memory and on its stack until it executes a program or
// ends. It returns from the call first and overwrites the frame: an ordinary wrapper function would
// have no return address left when the parent returns. Like libc's vfork, this one keeps the return
// address in a register during the system call, and keeps nothing on the stack.
//
//   vfork:  begin: Enter; from here on the thread counts as inside the agent, so that nothing
//           that the child calls is taken for the parent's
//           pop the return address, system call, push it again: a copy of it made before, because a
//           marker that the walk of the stack may have put in its place is for one return only
//   child:  return
//   parent: end: ProcessCreate, Leave; return
//
// Called inside an intercepted routine, or by a child of vfork: makes only the system call. With
// shadow stacks, libc's own vfork is called, which maintains them, and nothing is recorded.
#include <errno.h>
#include <unistd.h>

#include <new>

#include "base/sys.h"
#include "core/thread.h"
#include "interpose/process/process_children.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<pid_t()> realVfork("vfork");
Region vforkRegion("vfork", format::Group::kProcess);

// The call of the thread that is suspended in vfork. Its child shares it.
struct Suspended {
  int pid;  // of this process; 0: none
  SharedWithChild state;
  alignas(Call) char call[sizeof(Call)];
};
__thread Suspended suspended __attribute__((tls_model("initial-exec")));

}  // namespace
}  // namespace parallax

using namespace parallax;

#define PARALLAX_VFORK_PART extern "C" __attribute__((visibility("hidden"), used))

PARALLAX_VFORK_PART void* parallaxRealVfork() {
  return reinterpret_cast<void*>(realVfork.get());
}

PARALLAX_VFORK_PART void parallaxBeginVfork() {
  if (!local.place.isProgram()) return;
  auto* call = new (suspended.call) Call(vforkRegion);
  if (local.thread == nullptr || !local.thread->live()) {
    call->~Call();
    return;
  }
  suspended.pid = sys::getpid();
  suspended.state.begin();
}

// In the parent, with what the system call gave.
PARALLAX_VFORK_PART long parallaxEndVfork(long result) {
  if (suspended.pid != 0 && suspended.pid == sys::getpid()) {
    suspended.pid = 0;
    suspended.state.end();
    auto* call = reinterpret_cast<Call*>(suspended.call);
    call->returned();
    if (result > 0) childCreated(*call, static_cast<int>(result), format::Creation::kVfork);
    call->~Call();
  }
  if (result >= 0) return result;
  errno = static_cast<int>(-result);
  return -1;
}

asm(R"(
  .text
  .globl vfork
  .type vfork, @function
vfork:
  .cfi_startproc
  endbr64
  xorl %eax, %eax
  rdsspq %rax
  pushq (%rsp)
  .cfi_adjust_cfa_offset 8
  testq %rax, %rax
  jnz 1f
  call parallaxBeginVfork
  popq %rdi
  .cfi_adjust_cfa_offset -8
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  .cfi_register %rip, %rdi
  movl $58, %eax
  syscall
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rip, 0
  testq %rax, %rax
  jz 2f
  movq %rax, %rdi
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call parallaxEndVfork
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
2:
  ret
1:
  .cfi_adjust_cfa_offset 8
  call parallaxRealVfork
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  jmp *%rax
  .cfi_endproc
  .size vfork, .-vfork
)");
static_assert(SYS_vfork == 58);
