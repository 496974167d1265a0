#include "log.h"

#include <algorithm>
#include <array>
#include <string.h>

namespace {

constexpr char kMagic[] = "parallax study log 1";

// CRC-32, by bytes.
const std::array<uint32_t, 256> table = [] {
  std::array<uint32_t, 256> values = {};
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0);
    values[i] = value;
  }
  return values;
}();

PROCEDURE uint32_t checksumOf(const char* bytes, size_t count) {
  uint32_t value = ~0u;
  for (size_t i = 0; i < count; i++) {
    value = value >> 8 ^ table[(value ^ static_cast<unsigned char>(bytes[i])) & 255];
  }
  return ~value;
}

}  // namespace

bool Log::openLogDisk(const char* file, int64_t pages) {
  if (!volume_.linkVolume(file) || !volume_.io_MountVolume(0)) return false;
  return openLogFile(pages) || regenLog(pages);
}

// The last page of a whole log holds the magic.
bool Log::openLogFile(int64_t pages) {
  LogPage end;
  pages_ = pages;
  return volume_.io_readPage(pages - 1, &end) && memcmp(end.records, kMagic, sizeof kMagic) == 0;
}

bool Log::regenLog(int64_t pages) {
  LogPage page;
  for (int64_t i = 0; i < pages; i++) {
    formatLogPage(&page, static_cast<uint64_t>(i));
    // Each page has the begin of a chain that recovery follows: a permutation of the log.
    uint64_t place = static_cast<uint64_t>(i);
    for (size_t at = 0; at + sizeof place <= sizeof page.records; at += sizeof place) {
      for (int step = 0; step < 4; step++) {
        place = (place * 6364136223846793005u + 1442695040888963407u) ^ place >> 29;
      }
      memcpy(page.records + at, &place, sizeof place);
    }
    if (i == pages - 1) memcpy(page.records, kMagic, sizeof kMagic);
    sealLogPage(&page);
    volume_.io_writePage(i, &page);
  }
  return volume_.io_sync();
}

void Log::formatLogPage(LogPage* page, uint64_t number) {
  memset(page, 0, sizeof *page);
  page->number = number;
}

void Log::sealLogPage(LogPage* page) {
  page->checksum = checksumOf(page->records, sizeof page->records);
}

void Log::writeLogPage() {
  sealLogPage(&page_);
  volume_.io_writePage(static_cast<int64_t>(page_.number) % (pages_ - 1), &page_);
}

void Log::append(const void* bytes, uint32_t count) {
  const auto* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const uint32_t room = static_cast<uint32_t>(sizeof page_.records) - page_.used;
    const uint32_t part = std::min(room, count);
    memcpy(page_.records + page_.used, from, part);
    page_.used += part;
    from += part;
    count -= part;
    if (page_.used < sizeof page_.records) continue;
    writeLogPage();
    formatLogPage(&page_, page_.number + 1);
  }
}

void Log::logWrite(uint64_t transaction, int64_t number, const void* bytes, uint32_t count) {
  const uint64_t head[] = {transaction, static_cast<uint64_t>(number), count};
  pthread_mutex_lock(&mutex_);
  append(head, sizeof head);
  append(bytes, count);
  pthread_mutex_unlock(&mutex_);
}

bool Log::logForce() {
  pthread_mutex_lock(&mutex_);
  writeLogPage();
  pthread_mutex_unlock(&mutex_);
  return volume_.io_sync();
}

bool Log::close() { return volume_.dismount(); }
