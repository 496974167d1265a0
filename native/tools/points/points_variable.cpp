#include "tools/points/points_variable.h"

#include <string.h>

namespace parallax::points {
namespace {

struct Object {
  std::string name;  // as linked
  uint64_t address;
  uint64_t size;
};

std::vector<Object> objectsOf(const Image& image) {
  std::vector<Object> objects;
  GElf_Shdr header;
  Elf* elf = image.file().elf();
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
    if (gelf_getshdr(scn, &header) == nullptr || header.sh_entsize == 0 ||
        (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM)) {
      continue;
    }
    Elf_Data* data = elf_getdata(scn, nullptr);
    for (size_t i = 0; data != nullptr && i < data->d_size / header.sh_entsize; i++) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
          symbol.st_shndx == SHN_UNDEF) {
        continue;
      }
      objects.push_back({std::string(name, strcspn(name, "@")), symbol.st_value, symbol.st_size});
    }
  }
  return objects;
}

}  // namespace

Variable findVariable(const std::vector<std::unique_ptr<Module>>& modules,
                      const std::string& name) {
  constexpr uint64_t kMutexBytes = 40;
  Variable variable;
  std::vector<std::string> names;
  for (const auto& module : modules) {
    for (const Object& object : objectsOf(module->image())) {
      const FunctionName known = nameOf(object.name);
      if (object.name != name && known.plain != name) {
        names.push_back(known.plain);
        continue;
      }
      variable.module = module->index();
      variable.address = object.address;
      if (object.size < kMutexBytes) {
        variable.problem = "the variable " + name + " has " + std::to_string(object.size) +
                           " bytes, so it is not a pthread_mutex_t (40 bytes)";
      }
      return variable;
    }
  }
  variable.problem = names.empty() ? modules[0]->image().path() +
                                         " has no symbol table; link it without -s"
                                   : "there is no variable " + name + " with static storage" +
                                         didYouMean(names, name);
  return variable;
}

}  // namespace parallax::points
