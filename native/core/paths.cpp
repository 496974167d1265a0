// Regions and call paths: numbers for names, found without locks and usable in signal handlers.
#include <errno.h>

#include <atomic>

#include "core/agent.h"
#include "core/process.h"

namespace parallax {

using format::PathKind;

// ----------------------------------------------------------------- regions

// All regions that have a number, for the child after fork.
class Regions {
 public:
  static uint32_t define(Region& region) {
    uint32_t id = region.id_.load(std::memory_order_acquire);
    if (id == 0) {
      const uint32_t candidate = count_.fetch_add(1, std::memory_order_relaxed) + 1;
      if (region.id_.compare_exchange_strong(id, candidate, std::memory_order_acq_rel)) {
        id = candidate;
        Region* head = head_.load(std::memory_order_relaxed);
        do {
          region.next_ = head;
        } while (!head_.compare_exchange_weak(head, &region, std::memory_order_acq_rel));
      } else {
        write(region, candidate);  // a number without use rather than a gap
      }
    }
    // Whoever finds the number before its finder has written the record writes it, too: nobody
    // waits, and the record stands before the first event that uses it.
    if (write(region, id)) region.defined_.store(true, std::memory_order_release);
    return id;
  }

  static void redefineAll() {
    for (Region* r = head_.load(std::memory_order_acquire); r != nullptr; r = r->next_) {
      write(*r, r->id_.load(std::memory_order_relaxed));
    }
  }

 private:
  static bool write(const Region& region, uint32_t id) {
    return parallax::define(format::RegionRecord{id, region.group_, region.name_});
  }
  static inline std::atomic<Region*> head_{nullptr};
  static inline std::atomic<uint32_t> count_{0};
};

uint32_t Region::id() {
  if (__builtin_expect(defined_.load(std::memory_order_acquire), true)) {
    return id_.load(std::memory_order_relaxed);
  }
  return Regions::define(*this);
}

// -------------------------------------------------------------- call paths

namespace {

struct Node {
  uint64_t value;
  uint32_t parent;
  std::atomic<uint32_t> next;  // in the bucket
  PathKind kind;
  std::atomic<bool> defined;
  // The region that was last asked for below this path, in the upper half, and its path: from one
  // place in a program it is always the same.
  std::atomic<uint64_t> region;
};

// Node `path` stands in segment s = log2(path + kFirst) - log2(kFirst): segments double, and
// nodes never move.
constexpr uint32_t kFirstBits = 10;
constexpr int kSegments = 21;
constexpr uint32_t kMostPaths = (1u << (kFirstBits + kSegments)) - (1u << kFirstBits) - 1;

std::atomic<Node*> segments[kSegments];
std::atomic<uint32_t> pathCount{0};

// Newest nodes, 0 for none. Programs with more paths than usual have more buckets for the later ones.
constexpr uint32_t kBuckets = 1u << 16, kMoreBuckets = 1u << 22;
constexpr uint32_t kManyPaths = 1u << 19;
std::atomic<uint32_t> buckets[kBuckets];
std::atomic<std::atomic<uint32_t>*> moreBuckets{nullptr};

Node* nodeAt(uint32_t path, bool make) {
  const uint32_t place = path + (1u << kFirstBits);
  const int bits = 31 - __builtin_clz(place);
  const int segment = bits - static_cast<int>(kFirstBits);
  Node* nodes = segments[segment].load(std::memory_order_acquire);
  if (nodes == nullptr) {
    if (!make) return nullptr;
    const size_t bytes = sizeof(Node) << bits;
    auto* fresh = static_cast<Node*>(allocatePages(bytes));
    if (fresh == nullptr) return nullptr;
    if (segments[segment].compare_exchange_strong(nodes, fresh, std::memory_order_acq_rel)) {
      nodes = fresh;
    } else {
      releasePages(fresh, bytes);
    }
  }
  return &nodes[place - (1u << bits)];
}

uint64_t hashOf(uint32_t parent, PathKind kind, uint64_t value) {
  const uint64_t owner = uint64_t{parent} << 2 | static_cast<uint64_t>(kind);
  return (value * 0x9E3779B97F4A7C15u ^ owner) * 0xD6E8FEB86659FD93u;
}
std::atomic<uint32_t>& bucketOf(uint64_t hash) { return buckets[hash >> 48]; }

// The bucket of a path among the later ones, or null while there are none.
std::atomic<uint32_t>* laterBucketOf(uint64_t hash) {
  auto* more = moreBuckets.load(std::memory_order_acquire);
  if (__builtin_expect(more != nullptr, false)) return &more[hash >> 42];
  if (__builtin_expect(pathCount.load(std::memory_order_relaxed) < kManyPaths, true)) return nullptr;
  constexpr size_t kBytes = kMoreBuckets * sizeof(uint32_t);
  auto* fresh = static_cast<std::atomic<uint32_t>*>(allocatePages(kBytes));
  if (fresh == nullptr) return nullptr;
  if (moreBuckets.compare_exchange_strong(more, fresh, std::memory_order_acq_rel)) {
    more = fresh;
  } else {
    releasePages(fresh, kBytes);
  }
  return &more[hash >> 42];
}

bool write(uint32_t path, const Node& node) {
  return define(format::CallPathRecord{path, node.parent, node.kind, node.value});
}

// What could not be written, because there was no space for it, is written when it is used again.
void writeOnce(uint32_t path, Node& node) {
  if (write(path, node)) node.defined.store(true, std::memory_order_release);
}

uint32_t losePath(uint32_t parent) {
  process.countLost(Process::Lost::kCallPaths, 1, -ENOMEM, nowTicks());
  return parent;
}

// The node of these three between `from` and the old head `until` of the bucket, or 0.
uint32_t search(uint32_t from, uint32_t until, uint32_t parent, PathKind kind, uint64_t value) {
  for (uint32_t at = from; at != until;) {
    Node* node = nodeAt(at, false);
    if (node->value == value && node->parent == parent && node->kind == kind) {
      if (__builtin_expect(!node->defined.load(std::memory_order_acquire), false)) {
        writeOnce(at, *node);  // see Regions::define
      }
      return at;
    }
    at = node->next.load(std::memory_order_relaxed);
  }
  return 0;
}

}  // namespace

uint32_t callPath(uint32_t parent, PathKind kind, uint64_t value) {
  const uint64_t hash = hashOf(parent, kind, value);
  std::atomic<uint32_t>* bucket = &bucketOf(hash);
  uint32_t head = bucket->load(std::memory_order_acquire);
  if (const uint32_t found = search(head, 0, parent, kind, value)) return found;
  if (auto* later = laterBucketOf(hash)) {
    bucket = later;
    head = bucket->load(std::memory_order_acquire);
    if (const uint32_t found = search(head, 0, parent, kind, value)) return found;
  }

  if (pathCount.load(std::memory_order_relaxed) >= kMostPaths - 1024) return losePath(parent);
  const uint32_t path = pathCount.fetch_add(1, std::memory_order_relaxed) + 1;
  Node* node = nodeAt(path, true);
  if (node == nullptr) return losePath(parent);
  node->value = value;
  node->parent = parent;
  node->kind = kind;
  for (;;) {
    node->next.store(head, std::memory_order_relaxed);
    uint32_t seen = head;
    if (bucket->compare_exchange_strong(seen, path, std::memory_order_acq_rel)) break;
    if (const uint32_t found = search(seen, head, parent, kind, value)) {
      writeOnce(path, *node);  // a number without use rather than a gap
      return found;
    }
    head = seen;
  }
  writeOnce(path, *node);
  return path;
}

__attribute__((flatten)) uint32_t Region::path(uint32_t parent) {
  if (parent == 0) {
    uint32_t path = path_.load(std::memory_order_relaxed);
    if (__builtin_expect(path == 0, false)) {
      path = callPath(0, PathKind::kRegion, id());
      path_.store(path, std::memory_order_relaxed);
    }
    return path;
  }
  const uint32_t region = id();
  Node* node = nodeAt(parent, false);
  const uint64_t known = node->region.load(std::memory_order_acquire);
  if (__builtin_expect(known >> 32 == region && known != 0, true)) {
    return static_cast<uint32_t>(known);
  }
  const uint32_t path = callPath(parent, PathKind::kRegion, region);
  if (path != parent) {  // memory has not run out
    node->region.store(uint64_t{region} << 32 | path, std::memory_order_release);
  }
  return path;
}

namespace {
constexpr int kMostWriters = 16;
std::atomic<void (*)()> writers[kMostWriters];
}  // namespace

void onRedefinition(void (*write)()) {
  for (auto& place : writers) {
    void (*known)() = nullptr;
    if (place.compare_exchange_strong(known, write, std::memory_order_acq_rel)) return;
    if (known == write) return;
  }
}

void redefineRegionsAndPaths() {
  for (auto& writer : writers) {
    if (auto* write = writer.load(std::memory_order_acquire)) write();
  }
  Regions::redefineAll();
  const uint32_t count = pathCount.load(std::memory_order_acquire);
  for (uint32_t path = 1; path <= count; path++) {
    const Node* node = nodeAt(path, false);
    if (node != nullptr && node->defined.load(std::memory_order_acquire)) write(path, *node);
  }
}

}  // namespace parallax
