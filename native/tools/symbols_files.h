// Finds the file of a module as it was during the run, and its debug information.
#pragma once

#include <elfutils/libdw.h>
#include <gelf.h>

#include <memory>
#include <string>
#include <vector>

namespace parallax::symbols {

// An ELF file that is open for reading.
class ElfFile {
 public:
  // Returns null and a reason when there is no such ELF file.
  static std::unique_ptr<ElfFile> open(const std::string& path, std::string* reason);
  // The vdso of the running kernel, or null.
  static std::unique_ptr<ElfFile> openVdso();
  ~ElfFile();

  Elf* elf() const { return elf_; }
  const std::string& path() const { return path_; }
  // In hex, empty when there is none.
  std::string buildId() const;
  bool hasDebugInformation() const {
    return section(".debug_info", nullptr) != nullptr ||
           section(".zdebug_info", nullptr) != nullptr;
  }
  // The section of this name and its header, or null.
  Elf_Scn* section(const char* name, GElf_Shdr* header) const;
  // Opened on first use; null without debug information.
  Dwarf* dwarf();

 private:
  ElfFile(std::string path, int descriptor, Elf* elf)
      : path_(std::move(path)), descriptor_(descriptor), elf_(elf) {}

  std::string path_;
  int descriptor_;
  Elf* elf_;
  Dwarf* dwarf_ = nullptr;
  bool triedDwarf_ = false;
};

struct ModuleFiles {
  std::unique_ptr<ElfFile> program;  // null when gone or changed
  std::unique_ptr<ElfFile> debug;    // a separate file; null when there is none
  std::string reason;                // why both are null
};

// `buildId` is the recorded one and may be empty; separate debug information is looked for in
// `debugDirectories` as gdb does. A file with another build id than the recorded one is not
// taken; its debug information is found by the recorded build id all the same.
ModuleFiles findModuleFiles(const std::string& path, const std::string& buildId,
                            const std::vector<std::string>& debugDirectories);

}  // namespace parallax::symbols
