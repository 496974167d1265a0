// Brings the unwind tables up to date when the program loads or unloads modules.
//
// glibc's dlopen looks at its return address: the calling module's RUNPATH and RPATH, and
// $ORIGIN in a name, depend on it. Where they can matter the call is passed on with the caller's
// return address on top of the stack, and the tables are brought up to date by the next
// intercepted call; otherwise right after the real call.
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

#include "agent/agent.h"
#include "interpose/openmp_runtime.h"
#include "interpose/real.h"
#include "interpose/search_order.h"
#include "sampler/unwind_table.h"

namespace parallax {

namespace {

using Dlopen = void*(const char*, int);

PARALLAX_REAL Real<Dlopen> realDlopen("dlopen");
PARALLAX_REAL Real<int(void*)> realDlclose("dlclose");

void refresh() {
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

// The linker's lock is what the program's own call takes next.
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

}  // namespace

// What the call of dlopen is to go on with.
extern "C" __attribute__((visibility("hidden"), used)) Dlopen* parallaxDlopenTarget(
    const char* name, int mode, uint64_t caller) {
  Dlopen* real = realDlopen.get();
  if (name == nullptr) return real;
  if ((mode & RTLD_GLOBAL) != 0) rememberGlobal(name);
  if (recording()) {
    Guard guard;
    if (!callerMatters(name, caller)) return dlopenAndRefresh;
    markModulesStale();
  }
  openmp::modulesChangeUnseen();
  return real;
}

PARALLAX_EXPORT int dlclose(void* handle) {
  {
    Guard guard;
    openmp::keepRuntimes(keepMapped);
  }
  const int result = realDlclose.get()(handle);
  openmp::modulesChanged();
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
  mov 24(%rsp), %rdx
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
