#include "interpose/linker/search_order.h"

#include <atomic>
#include <cstring>

#include "core/agent.h"
#include "interpose/linker/defined_symbol.h"

namespace parallax {
namespace {

std::atomic<size_t> firstObjects{0};  // objects are appended, and those of the beginning stay

// The linker tells nobody what is loaded for all. Names of what was, hashed; 0: none.
constexpr size_t kMostGlobals = 64;
std::atomic<uint32_t> globals[kMostGlobals];

const char* fileName(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

uint32_t hashOf(const char* name) {
  const uint32_t hash = SymbolName(name).gnuHash;
  return hash != 0 ? hash : 1;
}

bool isGlobal(const char* name) {
  if (name == nullptr) return false;
  const uint32_t hash = hashOf(name);
  for (const auto& global : globals) {
    const uint32_t known = global.load(std::memory_order_relaxed);
    if (known == hash) return true;
    if (known == 0) return false;
  }
  return false;
}

int count(dl_phdr_info*, size_t, void* objects) {
  ++*static_cast<size_t*>(objects);
  return 0;
}

}  // namespace

void rememberFirstObjects() {
  size_t objects = 0;
  dl_iterate_phdr(count, &objects);
  firstObjects.store(objects, std::memory_order_relaxed);
}

void rememberGlobal(const char* path) {
  const uint32_t hash = hashOf(fileName(path));
  for (auto& global : globals) {
    uint32_t known = 0;
    if (global.compare_exchange_strong(known, hash, std::memory_order_relaxed) || known == hash) {
      return;
    }
  }
}

SearchOrder::SearchOrder(const dl_phdr_info& any)
    : room_(static_cast<size_t>(any.dlpi_adds - any.dlpi_subs)) {
  objects_ = static_cast<Object*>(allocatePages(room_ * sizeof(Object)));
  if (objects_ != nullptr) dl_iterate_phdr(collect, this);
}

SearchOrder::~SearchOrder() {
  if (objects_ != nullptr) releasePages(objects_, room_ * sizeof(Object));
}

int SearchOrder::collect(dl_phdr_info* info, size_t, void* self) {
  auto* order = static_cast<SearchOrder*>(self);
  if (order->count_ == order->room_) return 1;
  Object& object = order->objects_[order->count_++];
  object.info = *info;
  object.soname = order->textOf(object, DT_SONAME, 0);
  return 0;
}

// The text of the entry with this tag, after so many others with it.
const char* SearchOrder::textOf(const Object& object, ElfW(Sxword) tag, size_t skip) const {
  const ElfW(Dyn)* wanted = nullptr;
  const char* texts = nullptr;
  const ElfW(Dyn)* entry = dynamicSection(object.info);
  for (; entry != nullptr && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_STRTAB) {
      texts = reinterpret_cast<const char*>(addressIn(object.info, *entry));
    }
    if (entry->d_tag == tag && wanted == nullptr && skip-- == 0) wanted = entry;
  }
  return wanted != nullptr && texts != nullptr ? texts + wanted->d_un.d_val : nullptr;
}

bool SearchOrder::isNamed(const Object& object, const char* name) const {
  return (object.soname != nullptr && strcmp(object.soname, name) == 0) ||
         strcmp(fileName(object.info.dlpi_name), fileName(name)) == 0;
}

void SearchOrder::add(size_t object) {
  if (objects_[object].reached) return;
  objects_[object].reached = true;
  objects_[queueEnd_++].queued = static_cast<uint32_t>(object);
}

void SearchOrder::addNeeded(const char* name) {
  for (size_t i = 0; i < count_; i++) {
    if (isNamed(objects_[i], name)) return add(i);
  }
}

void SearchOrder::addFirst() {
  const size_t first = firstObjects.load(std::memory_order_relaxed);
  for (size_t i = 0; i < first && i < count_; i++) add(i);
}

bool SearchOrder::addNextGlobal() {
  while (global_ < count_) {
    const Object& object = objects_[global_++];
    if (!isGlobal(fileName(object.info.dlpi_name)) && !isGlobal(object.soname)) continue;
    add(global_ - 1);
    return true;
  }
  return false;
}

void SearchOrder::addOwner(const void* address) {
  for (size_t i = 0; i < count_; i++) {
    if (holds(objects_[i].info, address)) return add(i);
  }
}

const dl_phdr_info* SearchOrder::next() {
  if (queueBegin_ == queueEnd_) return nullptr;
  const Object& object = objects_[objects_[queueBegin_++].queued];
  for (size_t i = 0; const char* needed = textOf(object, DT_NEEDED, i); i++) addNeeded(needed);
  return &object.info;
}

}  // namespace parallax
