// Brings the unwind tables up to date when the program loads or unloads modules.
//
// glibc's dlopen looks at its return address: the caller's RUNPATH, and $ORIGIN in a name, are
// those of the calling module. Where they can matter, which is for names without a slash and
// names with a $, the call is passed on with the caller's return address on top of the stack,
// and the tables are brought up to date later; otherwise right after the real call.
//
// Called before the real functions are known, both ask the dynamic linker first. Recursive
// calls, from constructors, are like others. Modules that glibc loads by itself (nss, gconv,
// libgcc_s) are found at the next call here.
#include <cstring>

#include "agent/agent.h"
#include "interpose/real.h"
#include "sampler/unwind_table.h"

namespace parallax {

namespace {

using Dlopen = void*(const char*, int);

Real<Dlopen> realDlopen("dlopen");
Real<int(void*)> realDlclose("dlclose");

void refresh() {
  // Keeps samples out, of this thread, while the module list is locked.
  Guard guard;
  refreshModules();
}

void* dlopenAndRefresh(const char* name, int mode) {
  void* handle = realDlopen.get()(name, mode);
  refresh();
  return handle;
}

}  // namespace

// What the call of dlopen is to go on with.
extern "C" __attribute__((visibility("hidden"), used)) Dlopen* parallaxDlopenTarget(
    const char* name, int mode) {
  Dlopen* real = realDlopen.get();
  if (!recording() || name == nullptr) return real;
  if (strchr(name, '/') != nullptr && strchr(name, '$') == nullptr) return dlopenAndRefresh;
  markModulesStale();
  return real;
}

PARALLAX_EXPORT int dlclose(void* handle) {
  const int result = realDlclose.get()(handle);
  if (recording()) refresh();
  return result;
}

}  // namespace parallax

// dlopen(rdi: name, esi: mode): a jump, so that the real one sees its caller's return address.
asm(R"(
  .pushsection .text
  .globl dlopen
  .type dlopen, @function
dlopen:
  .cfi_startproc
  endbr64
  push %rdi
  .cfi_adjust_cfa_offset 8
  push %rsi
  .cfi_adjust_cfa_offset 8
  sub $8, %rsp
  .cfi_adjust_cfa_offset 8
  call parallaxDlopenTarget
  add $8, %rsp
  .cfi_adjust_cfa_offset -8
  pop %rsi
  .cfi_adjust_cfa_offset -8
  pop %rdi
  .cfi_adjust_cfa_offset -8
  jmp *%rax
  .cfi_endproc
  .size dlopen, .-dlopen
  .popsection
)");
