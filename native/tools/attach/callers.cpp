#include "tools/attach/callers.h"

#include <dlfcn.h>
#include <elfutils/libdwfl.h>

namespace parallax::attach {
namespace {

// Loaded when it is wanted: few recordings need it.
struct Library {
  decltype(&dwfl_begin) begin;
  decltype(&dwfl_end) end;
  decltype(&dwfl_linux_proc_find_elf) findElf;
  decltype(&dwfl_linux_proc_report) report;
  decltype(&dwfl_report_end) reportEnd;
  decltype(&dwfl_linux_proc_attach) attach;
  decltype(&dwfl_getthread_frames) frames;
  decltype(&dwfl_frame_pc) pc;
  bool isThere = false;

  Library() {
    void* handle = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    isThere = handle != nullptr && find(handle, "dwfl_begin", &begin) && find(handle, "dwfl_end", &end) &&
              find(handle, "dwfl_linux_proc_find_elf", &findElf) && find(handle, "dwfl_linux_proc_report", &report) &&
              find(handle, "dwfl_report_end", &reportEnd) && find(handle, "dwfl_linux_proc_attach", &attach) &&
              find(handle, "dwfl_getthread_frames", &frames) && find(handle, "dwfl_frame_pc", &pc);
  }
  template <class F>
  static bool find(void* handle, const char* name, F* function) {
    *function = reinterpret_cast<F>(dlsym(handle, name));
    return *function != nullptr;
  }
};

const Library& library() {
  static const Library loaded;
  return loaded;
}

// Frame information stands in the modules themselves.
int findNoDebugFile(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) { return -1; }

int addFrame(Dwfl_Frame* frame, void* argument) {
  Dwarf_Addr pc = 0;
  bool isActivation = false;
  if (!library().pc(frame, &pc, &isActivation)) return DWARF_CB_ABORT;
  static_cast<std::vector<uint64_t>*>(argument)->push_back(isActivation ? pc : pc - 1);
  return DWARF_CB_OK;
}

}  // namespace

Callers::~Callers() {
  if (dwfl_ != nullptr) library().end(dwfl_);
}

bool Callers::begin() {
  if (dwfl_ != nullptr || hasFailed_) return dwfl_ != nullptr;
  hasFailed_ = true;
  if (!library().isThere) return false;
  static const Dwfl_Callbacks callbacks = {library().findElf, findNoDebugFile, nullptr, nullptr};
  Dwfl* dwfl = library().begin(&callbacks);
  if (dwfl == nullptr) return false;
  constexpr bool kIsStopped = true;
  if (library().report(dwfl, process_) != 0 || library().reportEnd(dwfl, nullptr, nullptr) != 0 ||
      library().attach(dwfl, process_, kIsStopped) != 0) {
    library().end(dwfl);
    return false;
  }
  dwfl_ = dwfl;
  return true;
}

bool Callers::of(pid_t thread, std::vector<uint64_t>* pcs) {
  pcs->clear();
  return begin() && library().frames(dwfl_, thread, addFrame, pcs) == 0 && !pcs->empty();
}

}  // namespace parallax::attach
