// stdio reads, writes and closes past all symbols: through a table of functions for each kind of
// FILE, which libc keeps in pages that are made read-only when it is loaded.
//
//   _IO_file_jumps      | ... | close | write | read | ...
//   _IO_wfile_jumps     | ... | close | write | read | ...    each within libc's RELRO segment
//   (popen, mmap, ...)  | ... | close | write | read | ...
//
// The entries of these three are replaced, and only where they hold the functions that libc
// exports by name; a libc that is made otherwise stays as it is, and streams that stdio has a part
// in are then found not to be trusted. libc checks where a table lies, not what is in it.
//
// Nothing of this is called before the real functions are known, for those are what is replaced.
// Called inside an intercepted routine: as read, write and close.
#include "interpose/descriptors/stdio_calls.h"

#include <link.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>

#include "base/sys.h"
#include "interpose/descriptors/fd_transfer.h"
#include "interpose/real.h"

namespace parallax {
namespace {

using TransferFunction = ssize_t(FILE*, void*, ssize_t);
using CloseFunction = int(FILE*);

TransferFunction* realFileRead;
TransferFunction* realFileWrite;
CloseFunction* realFileClose;
CloseFunction* realPopenClose;

ssize_t fileRead(FILE* file, void* buffer, ssize_t size) {
  return transfer(readRegions, {file->_fileno, Way::kReceive, static_cast<uint64_t>(size)},
                  [=] { return realFileRead(file, buffer, size); });
}

// Writes all, with several system calls where needed, and returns what it has written also when
// there was an error.
ssize_t fileWrite(FILE* file, void* data, ssize_t size) {
  return transfer(writeRegions, {file->_fileno, Way::kSend, static_cast<uint64_t>(size)},
                  [=] { return realFileWrite(file, data, size); });
}

int fileClose(FILE* file) {
  return closeDescriptor(file->_fileno, [=] { return realFileClose(file); });
}

int popenClose(FILE* file) {  // waits for the process, too
  forgetDescriptor(file->_fileno);
  return realPopenClose(file);
}

// libc's own, which is never freed: the program may have let `stdout` be another stream, and closed
// that.
FILE* standardOutput;

// The program's handlers have run, and libc would write this right after, when nothing is recorded
// any more. A thread that waits within a call on it keeps it, as it would in exit.
void flushOutput(int, void*) {
  if (__fpending(standardOutput) == 0 || ftrylockfile(standardOutput) != 0) return;
  fflush_unlocked(standardOutput);
  funlockfile(standardOutput);
}

struct Segment {
  uintptr_t inside, begin, end;  // the part that the dynamic linker has made read-only
};

int findReadOnly(dl_phdr_info* object, size_t, void* argument) {
  auto* wanted = static_cast<Segment*>(argument);
  constexpr uintptr_t kPageMask = ~uintptr_t{4095};
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_GNU_RELRO) continue;
    const uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    if (wanted->inside < begin || wanted->inside >= begin + part.p_memsz) continue;
    wanted->begin = begin & kPageMask;
    wanted->end = (begin + part.p_memsz) & kPageMask;
    return 1;
  }
  return 0;
}

template <class F>
bool find(F*& function, const char* name) {
  function = reinterpret_cast<F*>(nextSymbol(name));
  return function != nullptr;
}

struct Replacement {
  uintptr_t real, own;
};

using Replacements = Replacement[4];

void listReplacements(Replacements& list) {
  const auto word = [](auto* function) { return reinterpret_cast<uintptr_t>(function); };
  list[0] = {word(realFileRead), word(fileRead)};
  list[1] = {word(realFileWrite), word(fileWrite)};
  list[2] = {word(realFileClose), word(fileClose)};
  list[3] = {word(realPopenClose), word(popenClose)};
}

uintptr_t replacementOf(const Replacements& list, uintptr_t function, bool takesBack) {
  for (const Replacement& each : list) {
    if (function == (takesBack ? each.own : each.real)) return takesBack ? each.real : each.own;
  }
  return 0;
}

// Returns how many entries of the tables were changed, or -1.
int replaceIn(const Segment& tables, bool takesBack) {
  const long size = static_cast<long>(tables.end - tables.begin);
  if (sys::call(SYS_mprotect, static_cast<long>(tables.begin), size, PROT_READ | PROT_WRITE) != 0) return -1;
  Replacements list;
  listReplacements(list);
  int replaced = 0;
  for (uintptr_t at = tables.begin; at < tables.end; at += sizeof(uintptr_t)) {
    auto* entry = reinterpret_cast<uintptr_t*>(at);
    const uintptr_t replacement = replacementOf(list, *entry, takesBack);
    if (replacement == 0) continue;
    __atomic_store_n(entry, replacement, __ATOMIC_RELEASE);
    replaced++;
  }
  sys::call(SYS_mprotect, static_cast<long>(tables.begin), size, PROT_READ);
  return replaced;
}

Segment tables;

}  // namespace

bool interceptStdio() {
  tables = {reinterpret_cast<uintptr_t>(nextSymbol("_IO_file_jumps")), 0, 0};
  if (tables.inside == 0 || !find(realFileRead, "_IO_file_read") ||
      !find(realFileWrite, "_IO_file_write") || !find(realFileClose, "_IO_file_close") ||
      !find(realPopenClose, "_IO_proc_close")) {
    return false;
  }
  dl_iterate_phdr(findReadOnly, &tables);
  if (tables.begin >= tables.end || replaceIn(tables, false) <= 0) return false;
  standardOutput = static_cast<FILE*>(nextSymbol("_IO_2_1_stdout_"));
  if (standardOutput != nullptr && !isAttached) on_exit(flushOutput, nullptr);
  return true;
}

void releaseStdio() {
  if (tables.begin < tables.end) replaceIn(tables, true);
}

}  // namespace parallax
