#include "tools/otf2/export_communicators.h"

#include <algorithm>
#include <map>
#include <string>

namespace parallax::otf2 {

using namespace format;

namespace {

constexpr uint64_t kNone = UINT64_MAX;
constexpr uint32_t kMostRanks = 1u << 24;  // larger numbers come from damage

// The ranks of all jobs, one job after the other.
class Ranks {
 public:
  explicit Ranks(const std::vector<ProcessExport>& processes) {
    std::map<uint64_t, uint32_t> sizes;
    for (const ProcessExport& process : processes) {
      if (!process.isMpi || process.worldSize > kMostRanks) continue;
      uint32_t& size = sizes[process.job];
      size = std::max({size, process.worldSize, process.rank < kMostRanks ? process.rank + 1 : 0});
    }
    for (const auto& [job, size] : sizes) {
      first_[job] = locations_.size();
      sizes_[job] = size;
      locations_.resize(locations_.size() + size, OTF2_UNDEFINED_LOCATION);
    }
    for (const ProcessExport& process : processes) {
      const uint64_t number = process.isMpi ? this->number(process.job, process.rank) : kNone;
      if (number == kNone || process.location(0) < 0 || locations_[number] != OTF2_UNDEFINED_LOCATION) continue;
      locations_[number] = static_cast<uint64_t>(process.location(0));
    }
  }

  const std::vector<uint64_t>& locations() const { return locations_; }
  uint64_t number(uint64_t job, uint64_t rank) const {
    const auto found = first_.find(job);
    return found == first_.end() || rank >= sizes_.at(job) ? kNone : found->second + rank;
  }
  // False if a rank does not exist.
  bool expand(uint64_t job, const std::vector<RankRun>& runs, std::vector<uint64_t>* ranks) const {
    for (const RankRun& run : runs) {
      for (uint32_t i = 0; i < run.count; i++) {
        const uint64_t rank = number(job, static_cast<uint64_t>(int64_t{run.first} + int64_t{run.stride} * i));
        if (rank == kNone || ranks->size() > kMostRanks) return false;
        ranks->push_back(rank);
      }
    }
    return true;
  }

 private:
  std::vector<uint64_t> locations_;
  std::map<uint64_t, uint64_t> first_;
  std::map<uint64_t, uint32_t> sizes_;
};

// What the members of a communicator say of it together.
struct Joined {
  std::vector<ProcessExport::Communicator*> uses;
  std::map<uint32_t, uint64_t> members, remoteMembers;  // by rank: if their world ranks are not known
  std::vector<uint64_t> first, second;
  bool isKnown = false;
};

// Ranks from 0 without a gap; empty if some are missing.
std::vector<uint64_t> inOrder(const std::map<uint32_t, uint64_t>& members, size_t size) {
  std::vector<uint64_t> ranks;
  for (const auto& [rank, number] : members) {
    if (rank == ranks.size()) ranks.push_back(number);
  }
  if (size != 0 && ranks.size() != size) ranks.clear();
  return ranks;
}

bool isSelf(const ProcessExport::Communicator& communicator) {
  return communicator.size == 1 && communicator.name == "MPI_COMM_SELF";
}

}  // namespace

void exportCommunicators(std::vector<ProcessExport>* processes, ExportNames* names, ExportCounts* counts) {
  const Ranks ranks(*processes);
  if (ranks.locations().empty()) return;
  names->group(OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, ranks.locations());
  const OTF2_CommRef self =
      names->communicator("MPI_COMM_SELF", names->group(OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, {}));
  std::map<uint64_t, Joined> all;
  std::vector<Joined*> order;
  for (ProcessExport& process : *processes) {
    for (ProcessExport::Communicator& each : process.communicators) {
      if (!each.isDefined || (each.flags & (kPvmTasks | kWindowMembers)) != 0) continue;
      if (isSelf(each)) {
        each.ref = self;
        continue;
      }
      const auto [found, isNew] = all.try_emplace(each.globalId);
      Joined& joined = found->second;
      if (isNew) order.push_back(&joined);
      joined.uses.push_back(&each);
      const bool isSecond = (each.flags & kSecondGroup) != 0;
      if ((each.flags & kMembersUnknown) != 0) {
        (isSecond ? joined.remoteMembers : joined.members)[each.ownRank] = ranks.number(process.job, process.rank);
      } else if (!joined.isKnown) {
        std::vector<uint64_t> own, remote;
        joined.isKnown = ranks.expand(process.job, each.own, &own) && ranks.expand(process.job, each.remote, &remote);
        joined.first = isSecond ? remote : own;
        joined.second = isSecond ? own : remote;
      }
    }
  }
  uint64_t unknown = 0;
  for (Joined* joined : order) {
    const ProcessExport::Communicator& use = *joined->uses.front();
    const bool isBetween = (use.flags & kIntercommunicator) != 0;
    if (!joined->isKnown) {
      joined->first = inOrder(joined->members, isBetween ? 0 : use.size);
      joined->second = inOrder(joined->remoteMembers, 0);
    }
    if (joined->first.empty() || (isBetween && joined->second.empty())) {
      unknown++;
      continue;
    }
    const OTF2_GroupRef first = names->group(OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, joined->first);
    const OTF2_CommRef ref =
        isBetween ? names->intercommunicator(
                        use.name, first, names->group(OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, joined->second))
                  : names->communicator(use.name, first);
    for (ProcessExport::Communicator* each : joined->uses) each->ref = ref;
  }
  if (unknown > 0) {
    counts->notes.push_back(std::to_string(unknown) + " communicators have members that are not known: their messages "
                            "and collectives were left out");
  }
}

void exportTeams(std::vector<ProcessExport>* processes, ExportNames* names) {
  std::vector<uint64_t> locations;
  for (const ProcessExport& process : *processes) {
    if (process.threadCount() < 2) continue;
    for (const int64_t location : process.locations) {
      if (location >= 0) locations.push_back(static_cast<uint64_t>(location));
    }
  }
  if (locations.empty()) return;
  names->group(OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_PTHREAD, locations);
  uint64_t next = 0;
  for (ProcessExport& process : *processes) {
    if (process.threadCount() < 2) continue;
    std::vector<uint64_t> members;
    for (const int64_t location : process.locations) {
      if (location >= 0) members.push_back(next++);
    }
    process.contingent = names->communicator(process.program + " threads",
                                             names->group(OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_PTHREAD, members));
  }
}

}  // namespace parallax::otf2
