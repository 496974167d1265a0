// A program or library file as it will be in memory: its code, the names in it, and every address
// of code that its data hold.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/points/points_frames.h"
#include "tools/symbols_files.h"

namespace parallax::points {

struct Section {
  uint64_t begin, end;
  const uint8_t* bytes;  // null: zeros
  bool isCode, isWritable;
  bool isStubs;  // the procedure linkage table
};

// A function of the symbol table; parts that compilers split off are symbols of their own.
struct Symbol {
  uint64_t begin, end;
  std::string name;  // as linked
  std::string file;  // of the source of a local one, or empty
  bool isLocal;
  bool isIndirect;  // chooses the function that callers get, once, when the program starts
};

class Image {
 public:
  // Returns null and a reason when it is no program or library for this processor, or when its build
  // id is not `buildId`, unless that is empty.
  static std::unique_ptr<Image> open(const std::string& path, std::string* reason,
                                     const std::string& buildId = {});

  const std::string& path() const { return path_; }
  std::string buildId() const { return files_.program->buildId(); }
  const std::vector<Section>& sections() const { return sections_; }
  const Section* sectionAt(uint64_t address) const;
  bool isCode(uint64_t address) const;
  // `size` bytes as the file has them, or null.
  const uint8_t* bytes(uint64_t address, uint64_t size) const;

  // Sorted by begin; several may have the same address.
  const std::vector<Symbol>& symbols() const { return symbols_; }
  // Whether only what other modules may call has a name.
  bool isStripped() const { return !hasSymbolTable_; }
  const Frames& frames() const { return frames_; }
  // The routine that the stub or the slot of the global offset table at this address leads to, or
  // an empty string.
  const std::string& importAt(uint64_t address) const;
  const std::unordered_map<uint64_t, std::string>& imports() const { return imports_; }
  // Addresses of code in data, also such that may be numbers (unsorted).
  const std::vector<uint64_t>& codePointers() const { return codePointers_; }
  // Whether addresses are known when it is linked: then numbers in code may be addresses.
  bool isFixed() const { return isFixed_; }
  // A program that no dynamic linker starts, so that nothing can be loaded into it.
  bool isStaticProgram() const;
  // Null without debug information.
  Dwarf* dwarf() const;
  const symbols::ElfFile& file() const { return *files_.program; }

 private:
  Image() = default;
  void readSections();
  void readSymbols(const symbols::ElfFile& file, uint32_t type);
  void readRelocations();
  void readRelative(Elf_Data* data);
  void readStubs();
  void scanData();

  std::string path_;
  symbols::ModuleFiles files_;
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  bool hasSymbolTable_ = false;
  bool isFixed_ = false;
  Frames frames_;
  std::unordered_map<uint64_t, std::string> imports_;
  std::vector<uint64_t> codePointers_;
};

}  // namespace parallax::points
