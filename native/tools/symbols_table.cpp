#include "tools/symbols_table.h"

#include <string.h>

#include <algorithm>

#include "tools/symbols_names.h"

namespace parallax::symbols {
namespace {

// A function of size 0, as assembler code has, ends at the next symbol or here.
constexpr uint64_t kMostUnsizedBytes = 4096;

// People know `write` rather than `__GI___write`, and global names rather than local ones.
uint32_t rankOf(const char* name, unsigned binding) {
  const auto underscores = static_cast<uint32_t>(std::min<size_t>(strspn(name, "_"), 7));
  const bool isMangled = strncmp(name, "_Z", 2) == 0;
  const uint32_t byBinding = binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
  return (isMangled ? 0 : underscores * 4) + byBinding;
}

}  // namespace

void SymbolTable::add(const ElfFile& file, bool onlyExported) {
  const GElf_Word wanted = onlyExported ? SHT_DYNSYM : SHT_SYMTAB;
  GElf_Shdr header;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(file.elf(), scn)) != nullptr;) {
    if (gelf_getshdr(scn, &header) == nullptr || header.sh_type != wanted) continue;
    Elf_Data* data = elf_getdata(scn, nullptr);
    if (data == nullptr || header.sh_entsize == 0) continue;
    const auto count =
        static_cast<int>(std::min<uint64_t>(data->d_size / header.sh_entsize, INT32_MAX));
    for (int i = 0; i < count; i++) {
      GElf_Sym symbol;
      if (gelf_getsym(data, i, &symbol) == nullptr) break;
      const unsigned type = GELF_ST_TYPE(symbol.st_info);
      const bool isCode = type == STT_FUNC || type == STT_GNU_IFUNC;
      if (!isCode || symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0) continue;
      const char* name = elf_strptr(file.elf(), header.sh_link, symbol.st_name);
      if (name == nullptr || name[0] == 0) continue;
      const uint64_t end = symbol.st_value + symbol.st_size;
      if (end < symbol.st_value) continue;
      // Without the version that some have.
      functions_.push_back({symbol.st_value, end, std::string(name, strcspn(name, "@")),
                            rankOf(name, GELF_ST_BIND(symbol.st_info))});
    }
  }
}

void SymbolTable::addStubs(const ElfFile& file) {
  GElf_Shdr relocationsHeader, stubsHeader, symbolsHeader;
  Elf_Scn* relocations = file.section(".rela.plt", &relocationsHeader);
  // With .plt.sec calls go there, and it has no entry in front of the first function.
  uint64_t firstStub = 0;
  if (file.section(".plt.sec", &stubsHeader) == nullptr) {
    if (file.section(".plt", &stubsHeader) == nullptr) return;
    firstStub = 1;
  }
  if (relocations == nullptr) return;
  Elf_Scn* symbols = elf_getscn(file.elf(), relocationsHeader.sh_link);
  if (symbols == nullptr || gelf_getshdr(symbols, &symbolsHeader) == nullptr) return;
  Elf_Data* entries = elf_getdata(relocations, nullptr);
  Elf_Data* symbolData = elf_getdata(symbols, nullptr);
  if (entries == nullptr || symbolData == nullptr || relocationsHeader.sh_entsize == 0) return;
  constexpr uint64_t kStubBytes = 16;
  const uint64_t count = entries->d_size / relocationsHeader.sh_entsize;
  for (uint64_t i = 0; i < count && (i + firstStub + 1) * kStubBytes <= stubsHeader.sh_size; i++) {
    GElf_Rela relocation;
    GElf_Sym symbol;
    if (gelf_getrela(entries, static_cast<int>(i), &relocation) == nullptr) continue;
    const auto symbolNumber = static_cast<int>(GELF_R_SYM(relocation.r_info));
    if (gelf_getsym(symbolData, symbolNumber, &symbol) == nullptr) continue;
    const char* name = elf_strptr(file.elf(), symbolsHeader.sh_link, symbol.st_name);
    if (name == nullptr || name[0] == 0) continue;
    const uint64_t start = stubsHeader.sh_addr + (i + firstStub) * kStubBytes;
    const std::string readable = demangled(name);
    functions_.push_back(
        {start, start + kStubBytes, (readable.empty() ? name : readable) + "@plt", 0});
  }
}

void SymbolTable::finish() {
  std::stable_sort(functions_.begin(), functions_.end(), [](const Function& a, const Function& b) {
    if (a.start != b.start) return a.start < b.start;
    // Sized before unsized, then the better name, then any order that is always the same.
    const bool unsizedA = a.end == a.start, unsizedB = b.end == b.start;
    if (unsizedA != unsizedB) return unsizedB;
    if (a.rank != b.rank) return a.rank < b.rank;
    return a.name.size() != b.name.size() ? a.name.size() < b.name.size() : a.name < b.name;
  });
  std::vector<Function> best;
  for (Function& f : functions_) {
    const bool isFirst = best.empty() || best.back().start != f.start;
    (isFirst ? best : others_).push_back(std::move(f));
  }
  functions_ = std::move(best);
  for (size_t i = 0; i < functions_.size(); i++) {
    Function& f = functions_[i];
    if (f.end > f.start) continue;
    f.end = f.start + kMostUnsizedBytes;
    if (i + 1 < functions_.size()) f.end = std::min(f.end, functions_[i + 1].start);
  }
}

const SymbolTable::Function* SymbolTable::functionAt(uint64_t address) const {
  auto next = std::upper_bound(functions_.begin(), functions_.end(), address,
                               [](uint64_t a, const Function& f) { return a < f.start; });
  // A function may lie within another: look a little further back.
  for (int i = 0; i < 4 && next != functions_.begin(); i++) {
    --next;
    if (address < next->end) return &*next;
  }
  return nullptr;
}

std::string SymbolTable::find(uint64_t address) const {
  const Function* function = functionAt(address);
  if (function == nullptr) return {};
  const std::string readable = demangled(function->name.c_str());
  return readable.empty() ? function->name : readable;
}

std::string SymbolTable::bestOf(uint64_t address, const std::string& name) const {
  const Function* function = functionAt(address);
  if (function == nullptr) return name;
  auto other = std::lower_bound(others_.begin(), others_.end(), function->start,
                                [](const Function& f, uint64_t start) { return f.start < start; });
  for (; other != others_.end() && other->start == function->start; ++other) {
    if (other->name == name) return function->name;
  }
  return name;
}

}  // namespace parallax::symbols
