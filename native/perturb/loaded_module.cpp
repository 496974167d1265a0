#include "perturb/loaded_module.h"

#include <sys/stat.h>

#include <cstring>

#include "base/sys.h"
#include "perturb/code_writer.h"

namespace parallax::perturb {
namespace {

bool isFile(const char* path, const char* other) {
  struct stat one, two;
  const auto known = [](const char* name, struct stat* status) {
    return sys::call(SYS_newfstatat, AT_FDCWD, sys::word(name), sys::word(status), 0) == 0;
  };
  return known(path, &one) && known(other, &two) && one.st_dev == two.st_dev &&
         one.st_ino == two.st_ino;
}

// Pages of the executable segment that holds most.
void findCode(const dl_phdr_info& info, LoadedModule* module) {
  for (size_t i = 0; i < info.dlpi_phnum; i++) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    const uint64_t start = (info.dlpi_addr + header.p_vaddr) & ~kPageMask;
    const uint64_t end = (info.dlpi_addr + header.p_vaddr + header.p_memsz + kPageMask) & ~kPageMask;
    if (end - start <= module->codeEnd - module->codeStart) continue;
    module->codeStart = start;
    module->codeEnd = end;
    module->codeProtection = PROT_EXEC | ((header.p_flags & PF_R) != 0 ? PROT_READ : 0) |
                             ((header.p_flags & PF_W) != 0 ? PROT_WRITE : 0);
  }
}

}  // namespace

LoadedModule loadedModuleOf(const dl_phdr_info& info, const ModuleImage& image) {
  LoadedModule module;
  module.bias = image.bias;
  module.start = image.start;
  module.end = image.end;
  findCode(info, &module);
  return module;
}

bool isModule(const ModuleImage& image, const char* buildId, const char* path) {
  return buildId[0] != '\0' ? strcasecmp(buildId, image.buildId) == 0 : isFile(path, image.path);
}

}  // namespace parallax::perturb
