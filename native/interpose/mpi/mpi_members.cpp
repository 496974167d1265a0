#include "interpose/mpi/mpi_members.h"

#include "interpose/mpi/mpi_session.h"

namespace parallax::mpi {
namespace {

// Calls use(i, rank) for each member i of a group, with its rank in another one, until that returns false. A member
// that is not in the other group has a negative rank. False if not all were visited.
template <class Use>
bool translate(Handle group, uint32_t size, Handle into, Use use) {
  // Slices keep the room on the stack.
  constexpr uint32_t kSlice = 256;
  int ranks[kSlice], found[kSlice];
  for (uint32_t from = 0; from < size; from += kSlice) {
    const uint32_t n = size - from < kSlice ? size - from : kSlice;
    for (uint32_t i = 0; i < n; ++i) ranks[i] = static_cast<int>(from + i);
    if (callService(Service::kGroup_translate_ranks, group, static_cast<int>(n), &ranks[0], into,
                    &found[0]) != 0) {
      return false;
    }
    for (uint32_t i = 0; i < n; ++i) {
      if (!use(found[i])) return false;
    }
  }
  return true;
}

// The group of a communicator or window, as long as this lives; 0 if there is none.
class GroupOf {
 public:
  GroupOf(Service service, Handle communicator) {
    if (callService(service, communicator, &group_) != 0) group_ = 0;
  }
  ~GroupOf() {
    if (group_ != 0) callService(Service::kGroup_free, &group_);
  }
  GroupOf(const GroupOf&) = delete;
  GroupOf& operator=(const GroupOf&) = delete;

  explicit operator bool() const { return group_ != 0; }
  Handle handle() const { return normalised(group_); }

 private:
  Handle group_ = 0;
};

}  // namespace

void Members::append(uint32_t worldRank) {
  hash_ = mix(hash_, worldRank + 1);
  if (count_ > groupStart_) {
    format::RankRun& last = runs()[count_ - 1];
    const int64_t step = static_cast<int64_t>(worldRank) -
                         (last.first + static_cast<int64_t>(last.stride) * (last.count - 1));
    if (last.count == 1 || step == last.stride) {
      last.stride = static_cast<int32_t>(step);
      ++last.count;
      return;
    }
  }
  runs()[count_++] = format::RankRun{worldRank, 1, 1};
}

bool Members::addWithin(Handle group, uint32_t size, Handle universe) {
  return translate(group, size, universe, [this](int worldRank) {
    if (worldRank >= 0) append(static_cast<uint32_t>(worldRank));
    return worldRank >= 0;
  });
}

bool Members::add(Service groupOf, Handle communicator, uint32_t size) {
  groupStart_ = count_;
  hash_ = size;
  if (runs() == nullptr) return false;
  if (universe_ == Universe::kSession) {
    const WorldOfSessions all;
    const GroupOf group(groupOf, communicator);
    if (all) return group && addWithin(group.handle(), size, all.group());
  }  // otherwise a process without a session has made it from a group of MPI_COMM_WORLD
  const GroupOf group(groupOf, communicator), all(Service::kComm_group, abi().world);
  return group && all && addWithin(group.handle(), size, all.handle());
}

uint64_t hashWithin(const Communicator& parent, Handle parentHandle, Service groupOf, Handle communicator,
                    uint32_t size) {
  const GroupOf group(groupOf, communicator), own(Service::kComm_group, parentHandle);
  if (!group || !own) return 0;
  uint64_t ownSum = 0, remoteSum = 0;
  uint32_t found = 0;
  const auto addTo = [&found](uint64_t& sum) {
    return [&sum, &found, i = uint64_t{0}](int rank) mutable {
      ++i;
      if (rank < 0) return true;
      ++found;
      sum += mix(i, static_cast<uint64_t>(rank) + 1);
      return true;
    };
  };
  translate(group.handle(), size, own.handle(), addTo(ownSum));
  if (parent.inter()) {
    const GroupOf remote(Service::kComm_remote_group, parentHandle);
    if (remote) translate(group.handle(), size, remote.handle(), addTo(remoteSum));
  }
  const uint64_t first = parent.isSecondGroup ? remoteSum : ownSum;
  const uint64_t second = parent.isSecondGroup ? ownSum : remoteSum;
  return found == size ? mix(mix(size, first), second) : 0;
}

}  // namespace parallax::mpi
