#include "live/live_tunables.h"

#include <cstring>

#include "base/text.h"
#include "live/live_agent.h"

namespace parallax::live {
namespace {

DeclaredTunable declared[kTunables];
std::atomic<uint32_t> claims{0};

bool isDouble(ValueType type) { return type == ValueType::kF32 || type == ValueType::kF64; }
bool isUnsigned(ValueType type) { return type == ValueType::kU32 || type == ValueType::kU64; }

double asDouble(uint64_t value) {
  double number;
  memcpy(&number, &value, sizeof number);
  return number;
}

bool isInOrder(ValueType type, uint64_t least, uint64_t value, uint64_t most) {
  if (isDouble(type)) return asDouble(least) <= asDouble(value) && asDouble(value) <= asDouble(most);
  if (isUnsigned(type)) return least <= value && value <= most;
  return static_cast<int64_t>(least) <= static_cast<int64_t>(value) && static_cast<int64_t>(value) <= static_cast<int64_t>(most);
}

void write(const Page& page, uint32_t place) {
  const DeclaredTunable& variable = declared[place];
  Tunable& shown = page.tunable(place);
  const void* address = variable.address.load(std::memory_order_relaxed);
  shown.type = static_cast<uint32_t>(variable.type);
  shown.value.store(loadValue(address, variable.type), std::memory_order_relaxed);
  shown.least = variable.least;
  shown.most = variable.most;
  shown.address = reinterpret_cast<uint64_t>(address);
  memcpy(shown.name, variable.name, sizeof shown.name);
  if (shown.state.exchange(1, std::memory_order_release) == 0) page.header().tunables.fetch_add(1, std::memory_order_release);
}

}  // namespace

uint64_t loadValue(const void* address, ValueType type) {
  // By one instruction each, as another thread may write it.
  switch (type) {
    case ValueType::kI32: return static_cast<uint64_t>(int64_t{__atomic_load_n(static_cast<const int32_t*>(address), __ATOMIC_RELAXED)});
    case ValueType::kU32: return __atomic_load_n(static_cast<const uint32_t*>(address), __ATOMIC_RELAXED);
    case ValueType::kF32: {
      const uint32_t bits = __atomic_load_n(static_cast<const uint32_t*>(address), __ATOMIC_RELAXED);
      float small;
      memcpy(&small, &bits, sizeof small);
      const double number = small;
      uint64_t value;
      memcpy(&value, &number, sizeof value);
      return value;
    }
    default: return __atomic_load_n(static_cast<const uint64_t*>(address), __ATOMIC_RELAXED);
  }
}

void storeValue(void* address, ValueType type, uint64_t value) {
  switch (type) {
    case ValueType::kI32: case ValueType::kU32:
      return __atomic_store_n(static_cast<uint32_t*>(address), static_cast<uint32_t>(value), __ATOMIC_RELAXED);
    case ValueType::kF32: {
      const auto small = static_cast<float>(asDouble(value));
      uint32_t bits;
      memcpy(&bits, &small, sizeof bits);
      return __atomic_store_n(static_cast<uint32_t*>(address), bits, __ATOMIC_RELAXED);
    }
    default: return __atomic_store_n(static_cast<uint64_t*>(address), value, __ATOMIC_RELAXED);
  }
}

DeclaredTunable* findTunable(const char* name) {
  for (DeclaredTunable& variable : declared) {
    if (variable.isWhole.load(std::memory_order_acquire) && strncmp(variable.name, name, sizeof variable.name) == 0) return &variable;
  }
  return nullptr;
}

bool declare(const char* name, ValueType type, void* address, uint64_t least, uint64_t most) {
  if (name == nullptr || address == nullptr || name[0] == '\0' || strnlen(name, sizeof(Tunable::name)) == sizeof(Tunable::name) ||
      !isInOrder(type, least, least, most)) {
    return false;
  }
  DeclaredTunable* variable = findTunable(name);
  if (variable == nullptr) {
    const uint32_t place = claims.fetch_add(1, std::memory_order_relaxed);
    if (place >= kTunables) {
      claims.store(kTunables, std::memory_order_relaxed);
      return false;
    }
    variable = &declared[place];
    appendText(variable->name, 0, sizeof variable->name - 1, name);
    variable->type = type;
    variable->least = least;
    variable->most = most;
  }
  variable->address.store(address, std::memory_order_release);
  variable->isWhole.store(true, std::memory_order_release);
  if (const Page own = page()) write(own, static_cast<uint32_t>(variable - declared));
  return true;
}

bool isWithin(const DeclaredTunable& variable, uint64_t value) { return isInOrder(variable.type, variable.least, value, variable.most); }

void tellTunable(const DeclaredTunable& variable, uint64_t value) {
  if (const Page own = page()) own.tunable(static_cast<uint32_t>(&variable - declared)).value.store(value, std::memory_order_release);
}

void writeTunables(const Page& page) {
  for (uint32_t i = 0; i < kTunables; i++) {
    if (declared[i].isWhole.load(std::memory_order_acquire)) write(page, i);
  }
}

}  // namespace parallax::live
