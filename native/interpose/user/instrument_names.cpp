#include "interpose/user/instrument_names.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstring>

#include "base/spin_lock.h"
#include "base/sys.h"
#include "core/agent.h"

namespace parallax {
namespace {

struct File {
  const char* data = nullptr;
  size_t size = 0;

  template <class T>
  const T* at(uint64_t offset, uint64_t count = 1) const {
    if (offset > size || count > (size - offset) / sizeof(T) || offset % alignof(T) != 0) {
      return nullptr;
    }
    return reinterpret_cast<const T*>(data + offset);
  }
};

// The functions of one file, by where they begin. For another file once it was unloaded.
struct ModuleNames {
  struct Slot {
    uint64_t value;  // less the load bias
    const char* name;
  };
  ModuleNames* next;
  uintptr_t base;  // 0: of none; set last, for a child whose parent was at work here
  uint64_t bias;
  File file;    // in which the names stand
  Slot* slots;  // open addressing; null when the file has no names
  size_t mask;

  Slot* slotOf(uint64_t value) const {
    size_t at = static_cast<size_t>(value * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (slots[at].name != nullptr && slots[at].value != value) at = (at + 1) & mask;
    return &slots[at];
  }
};
SpinLock modulesLock;
ModuleNames* modules = nullptr;

File mapFile(const char* path) {
  File file;
  const int fd = sys::openat(AT_FDCWD, path, O_RDONLY);
  if (fd < 0) return file;
  const long size = sys::call(SYS_lseek, fd, 0, 2 /* SEEK_END */);
  if (size > 0) {
    file.data = static_cast<const char*>(
        sys::mmap(static_cast<size_t>(size), PROT_READ, MAP_PRIVATE, fd));
    if (file.data != nullptr) file.size = static_cast<size_t>(size);
  }
  sys::close(fd);
  return file;
}

const Elf64_Shdr* symbolTable(const File& file, const Elf64_Shdr* sections, size_t count) {
  const Elf64_Shdr* found = nullptr;
  for (size_t i = 0; i < count; i++) {
    if (sections[i].sh_type == SHT_SYMTAB) return &sections[i];
    if (sections[i].sh_type == SHT_DYNSYM) found = &sections[i];
  }
  return found;
}

void readNames(const char* path, ModuleNames* names) {
  const File file = names->file = mapFile(path);
  const auto* header = file.at<Elf64_Ehdr>(0);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64) {
    return;
  }
  const auto* sections = file.at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  if (sections == nullptr) return;
  const Elf64_Shdr* table = symbolTable(file, sections, header->e_shnum);
  if (table == nullptr || table->sh_link >= header->e_shnum) return;
  const Elf64_Shdr& strings = sections[table->sh_link];
  const size_t count = table->sh_size / sizeof(Elf64_Sym);
  const auto* symbols = file.at<Elf64_Sym>(table->sh_offset, count);
  const char* text = file.at<char>(strings.sh_offset, strings.sh_size);
  if (symbols == nullptr || text == nullptr || strings.sh_size == 0 ||
      text[strings.sh_size - 1] != '\0') {
    return;
  }
  size_t functions = 0;
  auto isFunction = [&](const Elf64_Sym& s) {
    return ELF64_ST_TYPE(s.st_info) == STT_FUNC && s.st_shndx != SHN_UNDEF &&
           s.st_name < strings.sh_size;
  };
  for (size_t i = 0; i < count; i++) functions += isFunction(symbols[i]) ? 1 : 0;
  size_t slots = 64;
  while (slots < functions * 2) slots *= 2;
  names->mask = slots - 1;
  names->slots = static_cast<ModuleNames::Slot*>(allocatePages(slots * sizeof(ModuleNames::Slot)));
  if (names->slots == nullptr) return;
  for (size_t i = 0; i < count; i++) {
    if (!isFunction(symbols[i])) continue;
    ModuleNames::Slot* slot = names->slotOf(symbols[i].st_value);
    if (slot->name == nullptr) *slot = {symbols[i].st_value, text + symbols[i].st_name};
  }
}

ModuleNames* namesOf(uintptr_t base, const link_map& map) {
  ModuleNames* unused = nullptr;
  for (ModuleNames* module = modules; module != nullptr; module = module->next) {
    if (module->base == base) return module;
    if (module->base == 0) unused = module;
  }
  if (unused == nullptr) {
    unused = static_cast<ModuleNames*>(allocate(sizeof(ModuleNames)));
    if (unused == nullptr) return nullptr;
    unused->next = modules;
    modules = unused;
  }
  unused->bias = map.l_addr;
  unused->slots = nullptr;
  const bool isProgram = map.l_name == nullptr || map.l_name[0] == '\0';
  readNames(isProgram ? "/proc/self/exe" : map.l_name, unused);
  unused->base = base;
  return unused;
}

}  // namespace

void forgetFunctionNames(uintptr_t begin, uintptr_t end) {
  if (!modulesLock.lock()) return;
  for (ModuleNames* module = modules; module != nullptr; module = module->next) {
    if (module->base == 0 || module->base < begin || module->base >= end) continue;
    module->base = 0;
    if (module->file.data != nullptr) {
      sys::munmap(const_cast<char*>(module->file.data), module->file.size);
    }
    if (module->slots != nullptr) {
      releasePages(module->slots, (module->mask + 1) * sizeof(ModuleNames::Slot));
    }
  }
  modulesLock.unlock();
}

void useFunctionName(uintptr_t address, void (*use)(const char* name, void* argument),
                     void* argument) {
  Dl_info info{};
  link_map* map = nullptr;
  // Before modulesLock: dladdr1 takes the lock of the dynamic linker, and a thread that forgets a module holds that lock
  // while it takes modulesLock. The other order could deadlock.
  if (dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map),
              RTLD_DL_LINKMAP) == 0 ||
      map == nullptr || !modulesLock.lock()) {
    return;
  }
  const ModuleNames* module = namesOf(reinterpret_cast<uintptr_t>(info.dli_fbase), *map);
  if (module != nullptr && module->slots != nullptr) {
    const char* name = module->slotOf(address - module->bias)->name;
    if (name != nullptr) use(name, argument);
  }
  modulesLock.unlock();
}

}  // namespace parallax
