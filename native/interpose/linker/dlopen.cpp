// Brings the unwind tables, and what the program sees of the agent (shown_symbols.h), up to
// date when the program loads or unloads modules.
//
// glibc's dlopen looks at its return address: the calling module's RUNPATH and RPATH, and
// $ORIGIN in a name, depend on it. Where they can matter the call is passed on with the caller's
// return address on top of the stack, and the tables are brought up to date by the next
// intercepted call; otherwise right after the real call. Where a plan of perturbations waits for a
// module, the call returns through a `ret` in the caller's module instead, which looks the same to
// glibc, and then here.
//
// OpenMP's runtimes are looked for anew by the next call that wants one, also where nothing is
// recorded.
//
// Called before the real functions are known, both ask the dynamic linker first. Recursive
// calls, from constructors, are like others. Modules that glibc loads by itself (nss, gconv,
// libgcc_s) are found at the next call here.
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

#include "core/agent.h"
#include "interpose/async/liburing_real.h"
#include "interpose/attach/references.h"
#include "interpose/linker/search_order.h"
#include "interpose/linker/shown_symbols.h"
#include "interpose/openmp/openmp_runtime.h"
#include "interpose/real.h"
#include "interpose/tuning/tuning.h"
#include "perturb/perturb.h"
#include "sampler/unwind_table.h"

namespace parallax {

namespace {

using Dlopen = void*(const char*, int);

PARALLAX_REAL Real<Dlopen> realDlopen("dlopen");
PARALLAX_REAL Real<int(void*)> realDlclose("dlclose");

void refresh() {
  clearUnmetReferences();
  if (isAttached) takeOverReferences();
  perturb::modulesChanged();
  if (!recording()) return;
  // Keeps samples out, of this thread, while the module list is locked.
  Guard guard;
  refreshModules();
}

void* dlopenAndRefresh(const char* name, int mode) {
  openmp::modulesChanged();
  void* handle = realDlopen.get()(name, mode);
  openmp::modulesChanged();
  refresh();
  return handle;
}

// dladdr takes the lock of the dynamic linker. That is safe, because the program's own call takes it next.
void keepMapped(const void* code) {
  Dl_info module;
  if (dladdr(code, &module) == 0) return;
  void* handle = realDlopen.get()(module.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  if (handle != nullptr) realDlclose.get()(handle);
}

struct PathSearch {
  uint64_t caller;
  bool matters;
};

// An RPATH counts for all that its module has loaded, directly or not; a RUNPATH for the module.
int searchPaths(dl_phdr_info* info, size_t, void* opaque) {
  auto* search = static_cast<PathSearch*>(opaque);
  const ElfW(Dyn)* dynamic = nullptr;
  bool calls = false;
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    const uint64_t start = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(start);
    if (header.p_type == PT_LOAD && search->caller - start < header.p_memsz) calls = true;
  }
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    if (dynamic->d_tag == DT_RPATH || (calls && dynamic->d_tag == DT_RUNPATH)) {
      search->matters = true;
    }
  }
  return search->matters ? 1 : 0;
}

bool callerMatters(const char* name, uint64_t caller) {
  if (strchr(name, '$') != nullptr) return true;
  if (strchr(name, '/') != nullptr) return false;
  PathSearch search{caller, false};
  dl_iterate_phdr(searchPaths, &search);
  return search.matters;
}

// A `ret` in the module of the caller: a byte, be it in the middle of something.
struct ReturnSearch {
  uint64_t caller, found;
};

int searchReturn(dl_phdr_info* info, size_t, void* opaque) {
  auto* search = static_cast<ReturnSearch*>(opaque);
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    const uint64_t start = info->dlpi_addr + header.p_vaddr;
    const bool code = header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0 &&
                      (header.p_flags & PF_R) != 0;
    if (!code || search->caller - start >= header.p_filesz) continue;
    constexpr int kReturn = 0xc3;
    const auto* at = reinterpret_cast<const uint8_t*>(search->caller);
    const void* found = memchr(at, kReturn, start + header.p_filesz - search->caller);
    search->found = reinterpret_cast<uint64_t>(found);
    return 1;
  }
  return 0;
}

uint64_t returnInModuleOf(uint64_t caller) {
  ReturnSearch search{caller, 0};
  dl_iterate_phdr(searchReturn, &search);
  return search.found;
}

}  // namespace

// What the call of dlopen is to go on with; and, when it must look as a call of the program's and
// something is to be done afterwards, an instruction of the caller's module to return to first.
struct DlopenTarget {
  Dlopen* target;
  uint64_t returnInCaller;
};
extern "C" __attribute__((visibility("hidden"), used)) DlopenTarget parallaxDlopenTarget(
    const char* name, int mode, uint64_t caller) {
  Dlopen* real = realDlopen.get();
  if (name == nullptr) return {real, 0};
  if ((mode & RTLD_GLOBAL) != 0) rememberGlobal(name);
  uint64_t returnInCaller = 0;
  {
    Guard guard;
    if (!callerMatters(name, caller)) return {dlopenAndRefresh, 0};
    if (perturb::awaitsModules() || isAttached) returnInCaller = returnInModuleOf(caller);
    if (recording()) markModulesStale();
  }
  openmp::modulesChangeUnseen();
  return {real, returnInCaller};
}

extern "C" __attribute__((visibility("hidden"), used)) void parallaxDlopenDone() { refresh(); }

PARALLAX_EXPORT int dlclose(void* handle) {
  {
    Guard guard;
    openmp::keepRuntimes(keepMapped);
    LiburingSymbol::keepLibrary(keepMapped);
  }
  const int result = realDlclose.get()(handle);
  openmp::modulesChanged();
  tuning::modulesChanged();
  refresh();
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
  mov 24(%rsp), %rdx
  call parallaxDlopenTarget
  add $8, %rsp
  .cfi_adjust_cfa_offset -8
  pop %rsi
  .cfi_adjust_cfa_offset -8
  pop %rdi
  .cfi_adjust_cfa_offset -8
  test %rdx, %rdx
  jne 1f
  jmp *%rax
1:
  lea 2f(%rip), %r11
  push %r11
  .cfi_adjust_cfa_offset 8
  push %rdx
  .cfi_adjust_cfa_offset 8
  jmp *%rax
2:
  .cfi_adjust_cfa_offset -16
  push %rax
  .cfi_adjust_cfa_offset 8
  call parallaxDlopenDone
  pop %rax
  .cfi_adjust_cfa_offset -8
  ret
  .cfi_endproc
  .size dlopen, .-dlopen
  .popsection
)");
