#include "interpose/mpi/mpi_request.h"

#include <atomic>

#include "core/agent.h"
#include "interpose/mpi/mpi_memory.h"

namespace parallax::mpi {
namespace {

struct Entry {
  Entry* next;
  Handle handle;
  const void* where;
  uint64_t moment;
  Request request;
};

constexpr size_t kBucketBits = 14;
constexpr size_t kShards = 64;

struct alignas(64) Shard {
  SpinLock lock;
  Entry* unused = nullptr;
};

Entry* buckets[1 << kBucketBits];  // newest first; guarded by the lock of their shard
Shard shards[kShards];
std::atomic<uint64_t> moments{1};
std::atomic<uint64_t> numbers{1};

// Of the request of a message, the rest of `to` stays as it is: nobody asks for it.
void copyRequest(Request* to, const Request& from) {
  if (__builtin_expect(from.isOfMessage(), true)) {
    *static_cast<MessageRequest*>(to) = from;
  } else {
    *to = from;
  }
}

size_t bucketOf(Handle handle) {
  return static_cast<size_t>((handle * 0x9E3779B97F4A7C15ull) >> (64 - kBucketBits));
}

Shard& shardOf(size_t bucket) { return shards[bucket % kShards]; }

bool isMessage(const Entry* entry) { return entry->request.kind == RequestKind::kMessage; }

// The place that points to the newest entry of `handle` that fits, the one stored at `where`
// before others; null when there is none. Called under the lock of the shard.
template <class Fits>
Entry** find(size_t bucket, Handle handle, const void* where, Fits fits) {
  Entry** newest = nullptr;
  for (Entry** at = &buckets[bucket]; *at != nullptr; at = &(*at)->next) {
    if ((*at)->handle != handle || !fits(*at)) continue;
    if ((*at)->where == where) return at;
    if (newest == nullptr) newest = at;
  }
  return newest;
}

void unlinkEntry(Shard& shard, Entry** at) {
  Entry* entry = *at;
  *at = entry->next;
  entry->next = shard.unused;
  shard.unused = entry;
}

template <class Fits>
bool take(Handle handle, const void* where, Request* taken, bool evenPersistent, Fits fits) {
  const size_t bucket = bucketOf(handle);
  Shard& shard = shardOf(bucket);
  SpinGuard guard(shard.lock);
  Entry** at = find(bucket, handle, where, fits);
  if (at == nullptr) return false;
  copyRequest(taken, (*at)->request);
  if ((*at)->request.persistent && !evenPersistent) {
    (*at)->request.active = false;
  } else {
    unlinkEntry(shard, at);
  }
  return true;
}

}  // namespace

// Each thread takes several at once: an atomic addition costs as much as reading the clock.
uint64_t nextRequestNumber() {
  constexpr uint64_t kTaken = 64;
  static thread_local uint64_t next __attribute__((tls_model("initial-exec"))) = 0;
  static thread_local uint64_t end __attribute__((tls_model("initial-exec"))) = 0;
  if (__builtin_expect(next == end, false)) {
    next = numbers.fetch_add(kTaken, std::memory_order_relaxed);
    end = next + kTaken;
  }
  return next++;
}

uint64_t requestMoment() { return moments.load(std::memory_order_acquire); }

void addRequest(Handle handle, const void* where, const Request& request) {
  const size_t bucket = bucketOf(handle);
  Shard& shard = shardOf(bucket);
  SpinGuard guard(shard.lock);
  Entry* entry = shard.unused;
  if (entry != nullptr) {
    shard.unused = entry->next;
  } else {
    entry = static_cast<Entry*>(allocate(sizeof(Entry)));
    if (entry == nullptr) return;
  }
  entry->handle = handle;
  entry->where = where;
  entry->moment = moments.fetch_add(1, std::memory_order_acq_rel);
  copyRequest(&entry->request, request);
  entry->next = buckets[bucket];
  buckets[bucket] = entry;
}

bool takeRequest(Handle handle, const void* where, uint64_t moment, Request* taken) {
  return take(handle, where, taken, false, [moment](const Entry* entry) {
    return entry->moment < moment && entry->request.active && !isMessage(entry);
  });
}

bool takeMessage(Handle handle, uint64_t moment, Request* taken) {
  return take(handle, nullptr, taken, false,
              [moment](const Entry* entry) { return entry->moment < moment && isMessage(entry); });
}

bool removeRequest(Handle handle, const void* where, Request* removed) {
  return take(handle, where, removed, true, [](const Entry* entry) { return !isMessage(entry); });
}

void forgetAllRequests() {
  for (size_t bucket = 0; bucket < sizeof buckets / sizeof buckets[0]; bucket++) {
    Shard& shard = shardOf(bucket);
    SpinGuard guard(shard.lock);
    while (buckets[bucket] != nullptr) unlinkEntry(shard, &buckets[bucket]);
  }
}

bool changeRequest(Handle handle, const void* where, void (*change)(Request&, void*),
                   void* context) {
  const size_t bucket = bucketOf(handle);
  Shard& shard = shardOf(bucket);
  SpinGuard guard(shard.lock);
  Entry** at =
      find(bucket, handle, where, [](const Entry* entry) { return !isMessage(entry); });
  if (at == nullptr) return false;
  change((*at)->request, context);
  return true;
}

}  // namespace parallax::mpi
