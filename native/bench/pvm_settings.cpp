#include "bench/pvm_settings.h"

#include <cstdlib>

#include "bench/pvm_paper.h"

namespace parallax::bench {
namespace {

constexpr const char* kRoutes[] = {Route::kIndirect, Route::kDirect};
constexpr const char* kEncodings[] = {Encoding::kXdr, Encoding::kRaw, Encoding::kInPlace};

}  // namespace

std::vector<std::string> PvmCell::keys() const {
  return {place, route, encoding, std::to_string(fragment), std::to_string(bytes)};
}

PvmCell PvmCell::of(const std::vector<std::string>& keys) {
  return {keys.at(0), keys.at(1), keys.at(2), atoi(keys.at(3).c_str()), atoi(keys.at(4).c_str())};
}

std::vector<std::string> PvmCell::keyNames() { return {"hosts", "route", "encoding", "fragment", "bytes"}; }

PvmSettings::PvmSettings() {
  for (const PaperFragments& row : kPaperFragments) fragmentBytes.push_back(row.kilobytes * kKilobyte);
  for (const int kilobytes : kPaperFragmentsKb) fragments.push_back(kilobytes * kKilobyte);
}

void PvmSettings::makeQuick() {
  modeBytes = {1, 1000, 1000000};
  fragmentBytes = {64 * kKilobyte};
  fragments = {kDefaultFragment, 256 * kKilobyte};
  rounds = 1;
  milliseconds = 2;
  leastTrips = 2;
}

std::vector<PvmCell> PvmSettings::modes(const std::string& place, int bytes) const {
  std::vector<PvmCell> cells;
  for (const char* route : kRoutes) {
    for (const char* encoding : kEncodings) cells.push_back({place, route, encoding, kDefaultFragment, bytes});
  }
  return cells;
}

std::vector<PvmCell> PvmSettings::allFragments(const std::string& place, int bytes) const {
  std::vector<PvmCell> cells;
  for (const PvmCell& mode : modes(place, bytes)) {
    for (const int fragment : fragments) {
      if (mode.encoding == Encoding::kInPlace && fragment != kDefaultFragment) continue;
      cells.push_back({place, mode.route, mode.encoding, fragment, bytes});
    }
  }
  return cells;
}

std::vector<std::vector<PvmCell>> PvmSettings::blocks(const std::string& place) const {
  std::vector<std::vector<PvmCell>> all;
  for (const int bytes : modeBytes) all.push_back(modes(place, bytes));
  for (const int bytes : fragmentBytes) all.push_back(allFragments(place, bytes));
  return all;
}

std::string PvmSettings::comparable() const {
  return "type " + type + "\nseed " + std::to_string(seed) + "\nmilliseconds " + std::to_string(milliseconds) +
      "\nleast-trips " + std::to_string(leastTrips) + "\n";
}

}  // namespace parallax::bench
