#include "tools/perf/address_space.h"

#include "tools/symbols_files.h"

namespace parallax::perf {

namespace {

constexpr uint64_t kOffsets = (uint64_t{1} << 40) - 1;  // of what a module can have
constexpr size_t kMostMappings = 4'000'000;

}  // namespace

void AddressSpaces::map(int64_t pid, bool isKernel, uint64_t start, uint64_t bytes, uint64_t fileOffset, std::string_view path,
                        std::string_view buildId) {
  if (bytes == 0 || start + bytes < start || mappings_ >= kMostMappings) return;
  if (isKernel && path.substr(0, 8) == "[kernel.") path = "[kernel.kallsyms]";  // with the name of a symbol behind
  std::string known(buildId);
  if (known.empty()) {
    const auto found = buildIds_.find(std::string(path));
    if (found != buildIds_.end()) known = found->second;
  }
  const uint32_t module = recording_.module(path, known, false);
  if (module == kNone) {
    recording_.fault(Fault::kManyModules);
    return;
  }
  version_++;
  Space& space = isKernel ? kernel_ : spaces_[pid];
  const uint64_t end = start + bytes;
  // What was there before ends at its begin, and goes on after its end.
  auto at = space.upper_bound(start);
  if (at != space.begin()) {
    const auto before = std::prev(at);
    if (before->second.end > start) {
      const Mapping rest = before->second;
      before->second.end = start;
      if (rest.end > end) space[end] = {rest.end, rest.fileOffset + (end - before->first), rest.module, rest.isFile};
      if (before->first == start) space.erase(before);
    }
  }
  at = space.lower_bound(start);
  while (at != space.end() && at->first < end) {
    const Mapping rest = at->second;
    const uint64_t first = at->first;
    at = space.erase(at);
    if (rest.end > end) space[end] = {rest.end, rest.fileOffset + (end - first), rest.module, rest.isFile};
  }
  const bool isFile = !isKernel && !path.empty() && path[0] == '/' && path.substr(0, 2) != "//";
  space[start] = {end, isFile ? fileOffset : 0, module, isFile};
  mappings_++;
}

void AddressSpaces::fork(int64_t pid, int64_t parent) {
  if (pid == parent) return;
  const auto known = spaces_.find(parent);
  version_++;
  if (known == spaces_.end() || mappings_ + known->second.size() > kMostMappings) {
    spaces_.erase(pid);
    return;
  }
  mappings_ += known->second.size();
  const Space copy = known->second;
  spaces_[pid] = copy;
}

const std::vector<AddressSpaces::Segment>& AddressSpaces::segmentsOf(uint32_t module) {
  const auto [entry, isNew] = segments_.try_emplace(module);
  if (!isNew) return entry->second;
  const Module& of = recording_.modules[module];
  std::string reason;
  const auto files = symbols::findModuleFiles(of.path, of.buildId, {"/usr/lib/debug"});
  const symbols::ElfFile* file = files.program != nullptr ? files.program.get() : files.debug.get();
  size_t count = 0;
  if (file == nullptr || elf_getphdrnum(file->elf(), &count) != 0) return entry->second;
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr header;
    if (gelf_getphdr(file->elf(), static_cast<int>(i), &header) == nullptr || header.p_type != PT_LOAD) continue;
    entry->second.push_back({header.p_offset, header.p_filesz, header.p_vaddr});
  }
  return entry->second;
}

// Files of code have addresses that differ from the places in the file.
uint64_t AddressSpaces::addressIn(uint32_t module, uint64_t fileOffset) {
  for (const Segment& segment : segmentsOf(module)) {
    if (fileOffset >= segment.offset && fileOffset - segment.offset < segment.bytes) {
      return fileOffset - segment.offset + segment.address;
    }
  }
  return fileOffset;
}

uint32_t AddressSpaces::find(const Space& space, uint64_t address) {
  auto at = space.upper_bound(address);
  if (at == space.begin()) return kNone;
  --at;
  if (address >= at->second.end) return kNone;
  const Mapping& mapping = at->second;
  const uint64_t offset = address - at->first + mapping.fileOffset;
  return recording_.frame(mapping.module, (mapping.isFile ? addressIn(mapping.module, offset) : offset) & kOffsets);
}

uint32_t AddressSpaces::outside(const char* name, uint64_t address) {
  const uint32_t module = recording_.module(name, {}, false);
  if (module == kNone) return kNone;
  recording_.fault(Fault::kNoMapping);
  return recording_.frame(module, address & kOffsets);
}

uint32_t AddressSpaces::frame(int64_t pid, bool isKernel, uint64_t address) {
  if (isKernel) pid = -2;
  Cached& cached = cache_[(address ^ address >> 14 ^ static_cast<uint64_t>(pid) * 31) % cache_.size()];
  if (cached.address == address && cached.pid == pid && cached.version == version_) return cached.frame;
  uint32_t frame = kNone;
  if (isKernel) {
    frame = find(kernel_, address);
    if (frame == kNone) return outside("[kernel]", address);
  } else {
    const auto space = spaces_.find(pid);
    if (space != spaces_.end()) frame = find(space->second, address);
    if (frame == kNone) return outside("[unknown]", address);
  }
  cached = {address, version_, pid, frame};
  return frame;
}

}  // namespace parallax::perf
