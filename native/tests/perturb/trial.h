// Plans made by hand, programs run by them, and what was counted.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/guest_runner.h"

namespace parallax::tests {

inline std::string contentsOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string hexOf(uint64_t value) {
  std::ostringstream text;
  text << std::hex << value;
  return text.str();
}

inline std::string hexOf(const std::string& bytes) {
  std::ostringstream text;
  for (const unsigned char byte : bytes) text << std::hex << std::setw(2) << std::setfill('0') << +byte;
  return text.str();
}

// Symbols and bytes of an ELF file.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : bytes_(contentsOf(path)) {
    const auto* header = at<Elf64_Ehdr>(0);
    for (int i = 0; i < header->e_shnum; i++) {
      const auto* section = at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
      if (section->sh_type == SHT_NOTE) readBuildId(*section);
      if (section->sh_type != SHT_SYMTAB) continue;
      const auto* names = at<Elf64_Shdr>(header->e_shoff + section->sh_link * sizeof(Elf64_Shdr));
      for (uint64_t k = 0; k < section->sh_size / sizeof(Elf64_Sym); k++) {
        const auto* symbol = at<Elf64_Sym>(section->sh_offset + k * sizeof(Elf64_Sym));
        symbols_[bytes_.data() + names->sh_offset + symbol->st_name] = symbol->st_value;
      }
    }
  }
  uint64_t address(const std::string& symbol) const {
    const auto found = symbols_.find(symbol);
    return found != symbols_.end() ? found->second : 0;
  }
  std::string code(uint64_t address, size_t size) const {
    const auto* header = at<Elf64_Ehdr>(0);
    for (int i = 0; i < header->e_phnum; i++) {
      const auto* segment = at<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr));
      if (segment->p_type == PT_LOAD && address - segment->p_vaddr < segment->p_filesz) {
        return bytes_.substr(segment->p_offset + (address - segment->p_vaddr), size);
      }
    }
    return "";
  }
  const std::string& buildId() const { return buildId_; }  // hex; - when it has none

 private:
  template <class T>
  const T* at(uint64_t offset) const {
    return reinterpret_cast<const T*>(bytes_.data() + offset);
  }
  void readBuildId(const Elf64_Shdr& section) {
    const auto* note = at<Elf64_Nhdr>(section.sh_offset);
    if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4) return;
    buildId_ = hexOf(bytes_.substr(section.sh_offset + sizeof *note + 4, note->n_descsz));
  }

  std::string bytes_, buildId_ = "-";
  std::map<std::string, uint64_t> symbols_;
};

struct Counted {
  uint64_t count = 0, requestedNs = 0, achievedNs = 0, skipped = 0;
};

struct Shard {
  uint32_t pid = 0, tid = 0;
  std::vector<Counted> points;
};

class Trial {
 public:
  Trial() { plan_ = "parallax-perturb\t1\nresult\t" + resultPath() + "\n"; }

  void module(const std::string& path, const char* buildId = nullptr) {
    files_.emplace_back(path);
    std::ostringstream line;
    line << "module\t" << files_.size() - 1 << '\t'
         << (buildId != nullptr ? buildId : files_.back().buildId()) << '\t' << path << '\n';
    plan_ += line.str();
  }
  // At the places of places.S.
  void jump(int id, int factor, const std::string& symbol = "place_jump", int module = 0,
            uint64_t beyond = 0) {
    const uint64_t at = files_[module].address(symbol) + beyond;
    const std::string original = files_[module].code(at, 5);
    point(id, factor, module, at, "jump", 0, original, original + std::string("\xe9\0\0\0\0", 5),
          "6:rel32:" + hexOf(at + 5));
  }
  void shortJump(int id, int factor) {
    const uint64_t at = files_[0].address("place_short");
    const std::string original = files_[0].code(at, 2);
    point(id, factor, 0, at, "short", files_[0].address("place_short_pad"), original,
          original + std::string("\xe9\0\0\0\0", 5), "3:rel32:" + hexOf(at + 2));
  }
  void trap(int id, int factor) {
    point(id, factor, 0, files_[0].address("place_trap"), "trap", 0, "\xc3", "\xc3", "-");
  }
  // The displaced call leaves the original return address.
  void call(int id, int factor) {
    const uint64_t at = files_[0].address("place_call_site");
    const uint64_t back = files_[0].address("place_call_back");
    point(id, factor, 0, at, "jump", 0, files_[0].code(at, 5),
          std::string("\x68\0\0\0\0\xc7\x44\x24\x04\0\0\0\0\xe9\0\0\0\0", 18),
          "1:lo32:" + hexOf(back) + ",9:hi32:" + hexOf(back) + ",14:rel32:" +
              hexOf(files_[0].address("place_called")));
  }
  void point(int id, int factor, int module, uint64_t at, const std::string& method, uint64_t pad,
             const std::string& original, const std::string& code, const std::string& fixes) {
    std::ostringstream line;
    line << "point\t" << id << '\t' << factor << '\t' << module << '\t' << hexOf(at) << '\t'
         << method << '\t' << hexOf(pad) << '\t' << hexOf(original) << '\t' << hexOf(code) << '\t'
         << fixes << '\n';
    plan_ += line.str();
  }
  void macro(int id, int factor, const std::string& name) {
    plan_ += "macro\t" + std::to_string(id) + "\t" + std::to_string(factor) + "\t" + name + "\n";
  }
  void level(int factor, const std::string& treatment) {
    plan_ += "factor\t" + std::to_string(factor) + "\t" + treatment + "\n";
  }
  void line(const std::string& text) { plan_ += text + "\n"; }
  const ElfFile& file(int module) const { return files_[module]; }

  // Without parallax-record: what the environment alone does.
  Outcome run(const Words& command) {
    write();
    const std::string plan = planPath();
    return tests::run(command, [plan] {
      setenv("LD_PRELOAD", agent().c_str(), 1);
      setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);  // as parallax-record does
      setenv("PARALLAX_PERTURB", plan.c_str(), 1);
    });
  }
  void write() const { std::ofstream(planPath()) << plan_; }

  std::string planPath() const { return directory_ / "plan"; }
  std::string resultPath() const { return directory_ / "counts"; }
  std::string operator/(const std::string& name) const { return directory_ / name; }
  std::string problems() const { return contentsOf(resultPath() + ".problems"); }

  // `host`: behind the name of the file, of another host.
  std::vector<Shard> shards(const std::string& host = "") const {
    const std::string bytes = contentsOf(resultPath() + host);
    std::vector<Shard> shards;
    if (bytes.compare(0, 8, "PLXPERT1") != 0) return shards;
    uint32_t points, count;
    memcpy(&points, bytes.data() + 8, 4);
    memcpy(&count, bytes.data() + 12, 4);
    for (uint32_t i = 0; i < count; i++) {
      const char* at = bytes.data() + 64 + i * (16 + 32 * uint64_t{points});
      Shard shard;
      memcpy(&shard.pid, at, 4);
      memcpy(&shard.tid, at + 4, 4);
      if (shard.pid == 0) continue;
      shard.points.resize(points);
      memcpy(shard.points.data(), at + 16, 32 * uint64_t{points});
      shards.push_back(shard);
    }
    return shards;
  }
  Counted sum(uint32_t id, const std::string& host = "") const {
    Counted sum;
    for (const Shard& shard : shards(host)) {
      if (id >= shard.points.size()) continue;
      sum.count += shard.points[id].count;
      sum.requestedNs += shard.points[id].requestedNs;
      sum.achievedNs += shard.points[id].achievedNs;
      sum.skipped += shard.points[id].skipped;
    }
    return sum;
  }

 private:
  TemporaryDirectory directory_;
  std::string plan_;
  std::vector<ElfFile> files_;
};

}  // namespace parallax::tests
