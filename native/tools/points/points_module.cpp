#include "tools/points/points_module.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <tuple>

namespace parallax::points {
namespace {

constexpr const char* kSystemFolders[] = {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
                                          "/lib64", "/usr/lib64", "/lib", "/usr/lib"};

struct Needs {
  std::vector<std::string> libraries;
  std::string folders;  // separated by colons
};

Needs readNeeds(const Image& image) {
  Needs needs;
  GElf_Shdr header;
  Elf_Scn* section = image.file().section(".dynamic", &header);
  Elf_Data* data = section == nullptr ? nullptr : elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return needs;
  for (size_t i = 0; i < data->d_size / header.sh_entsize; i++) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr || entry.d_tag == DT_NULL) break;
    const char* text = elf_strptr(image.file().elf(), header.sh_link, entry.d_un.d_val);
    if (entry.d_tag == DT_NEEDED && text != nullptr) needs.libraries.emplace_back(text);
    const bool isPath = entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH;
    if (isPath && text != nullptr) needs.folders += std::string(text) + ":";
  }
  return needs;
}

bool isSystemFolder(const std::string& path) {
  for (const char* folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"}) {
    if (path.compare(0, std::string(folder).size(), folder) == 0) return true;
  }
  return false;
}

std::string find(const Image& needing, const Needs& needs, const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* environment = getenv("LD_LIBRARY_PATH");
  std::stringstream folders(needs.folders + (environment == nullptr ? "" : environment));
  const std::string origin = std::filesystem::absolute(needing.path()).parent_path().string();
  std::vector<std::string> all;
  for (std::string folder; std::getline(folders, folder, ':');) {
    for (const std::string variable : {"$ORIGIN", "${ORIGIN}"}) {
      const size_t at = folder.find(variable);
      if (at != std::string::npos) folder.replace(at, variable.size(), origin);
    }
    if (!folder.empty()) all.push_back(folder);
  }
  all.insert(all.end(), std::begin(kSystemFolders), std::end(kSystemFolders));
  all.push_back("/usr/local/lib");
  for (const std::string& folder : all) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return path.lexically_normal().string();
  }
  return {};
}

}  // namespace

std::string Module::fileName() const {
  return std::filesystem::path(image_->path()).filename().string();
}

bool Module::isCalled(const std::string& typed) const {
  const std::string name = fileName();
  if (typed == name || typed == image_->path()) return true;
  const bool isBeginning = name.compare(0, typed.size(), typed) == 0;
  return isBeginning && name.compare(typed.size(), 1, ".") == 0;
}

Code& Module::code() {
  if (code_ == nullptr) code_ = std::make_unique<Code>(*image_);
  return *code_;
}

Patcher& Module::patcher() {
  if (patcher_ == nullptr) patcher_ = std::make_unique<Patcher>(&code());
  return *patcher_;
}

DebugInfo* Module::debug() {
  if (debug_ == nullptr && image_->dwarf() != nullptr) {
    debug_ = std::make_unique<DebugInfo>(image_->dwarf());
  }
  return debug_.get();
}

const std::vector<NamedFunction>& Module::functions() {
  if (functions_.empty()) {
    for (const Symbol& symbol : image_->symbols()) {
      functions_.push_back({nameOf(symbol.name), &symbol});
    }
  }
  return functions_;
}

const NamedFunction* Module::functionAt(uint64_t entry) {
  auto f = std::lower_bound(functions().begin(), functions().end(), entry,
                            [](const NamedFunction& a, uint64_t b) { return a.symbol->begin < b; });
  // People know `malloc` rather than `__libc_malloc`, and global names rather than local ones.
  const auto rank = [](const NamedFunction& g) {
    return std::tuple(g.symbol->isIndirect, g.symbol->isLocal, g.name.linked.find_first_not_of('_'));
  };
  const NamedFunction* best = nullptr;
  for (; f != functions_.end() && f->symbol->begin == entry; ++f) {
    const bool isMangled = f->name.linked.compare(0, 2, "_Z") == 0;
    if (best == nullptr || (!isMangled && rank(*f) < rank(*best))) best = &*f;
  }
  return best;
}

std::vector<std::string> ownLibraries(const Image& program) {
  std::vector<std::string> found;
  std::set<std::string> seen;
  const Needs needs = readNeeds(program);
  for (const std::string& name : needs.libraries) {
    const std::string path = find(program, needs, name);
    if (!path.empty() && !isSystemFolder(path) && seen.insert(path).second) found.push_back(path);
  }
  // What they need in turn.
  for (size_t at = 0; at < found.size(); at++) {
    std::string ignored;
    const auto library = Image::open(found[at], &ignored);
    if (library == nullptr) continue;
    const Needs further = readNeeds(*library);
    for (const std::string& name : further.libraries) {
      const std::string path = find(*library, further, name);
      if (!path.empty() && !isSystemFolder(path) && seen.insert(path).second) found.push_back(path);
    }
  }
  return found;
}

std::string libraryPath(const Image& program, const std::string& name) {
  const Needs needs = readNeeds(program);
  for (const std::string& library : needs.libraries) {
    const bool isIt = library.compare(0, name.size(), name) == 0 &&
                      (library.size() == name.size() || library[name.size()] == '.');
    if (isIt) return find(program, needs, library);
  }
  return find(program, needs, name);
}

}  // namespace parallax::points
