#include "tools/points/points_patch.h"

#include <algorithm>

#include "tools/points/points_displace.h"
#include "tools/points/points_words.h"

namespace parallax::points {
namespace {

constexpr uint64_t kJumpBytes = 5, kShortBytes = 2;
// A loop at a function's entry is copied whole, up to this size.
constexpr uint64_t kMostRepeatingBytes = 1024;
constexpr uint8_t kBreakpoint = 0xCC;

bool isMovable(const Instruction& i) { return i.kind != Kind::kNothing && !i.isFixed; }

bool commutes(const Instruction& i) {
  return (i.kind == Kind::kPlain || i.kind == Kind::kPadding) && !i.isBarrier && !i.isEntryMark;
}

}  // namespace

const char* nameOf(Method method) {
  return method == Method::kJump ? "jump" : method == Method::kShort ? "short" : "trap";
}

const char* nameOf(FixKind kind) {
  return kind == FixKind::kRel32 ? "rel32" : kind == FixKind::kLo32 ? "lo32" : "hi32";
}

std::string fixesText(const Displaced& displaced) {
  std::string text;
  for (const Fix& fix : displaced.fixes) {
    if (!text.empty()) text += ',';
    text += std::to_string(fix.at) + ":" + nameOf(fix.kind) + ":" + digits(fix.target);
  }
  return text.empty() ? "-" : text;
}

// Instructions at which the window may begin, the place itself first.
std::vector<size_t> Patcher::starts(const Function& function, const Anchor& anchor) const {
  std::vector<size_t> result;
  const std::vector<Instruction>& all = function.instructions;
  size_t at = function.at(anchor.address);
  if (at >= all.size()) return result;
  const Targets& targets = code_->targets();
  if (anchor.isEntry) at = function.at(function.body);
  result.push_back(at);
  for (size_t next = at + 1; anchor.mayComeLater && next < all.size(); next++) {
    const bool follows = all[next].address == all[next - 1].end();
    if (!follows || !commutes(all[next - 1]) || targets.any(all[next].address, all[next].address + 1)) {
      break;
    }
    result.push_back(next);
  }
  for (size_t next = at; anchor.mayComeEarlier && next > 0; next--) {
    const bool follows = all[next].address == all[next - 1].end();
    if (!follows || !commutes(all[next - 1]) || targets.any(all[next].address, all[next].address + 1)) {
      break;
    }
    result.push_back(next - 1);
  }
  return result;
}

bool Patcher::isPadding(uint64_t begin, uint64_t end) const {
  const Section* section = code_->image().sectionAt(begin);
  if (section == nullptr || end > section->end || code_->targets().any(begin, end)) return false;
  for (uint64_t at = begin; at < end;) {
    const Instruction i =
        code_->decoder().decode(at, section->bytes + (at - section->begin), section->end - at);
    const bool isBreakpoint = section->bytes[at - section->begin] == kBreakpoint;
    if (i.kind != Kind::kPadding && !isBreakpoint) return false;
    if (i.isEntryMark) return false;
    at = i.end();
  }
  return true;
}

bool Patcher::isFree(uint64_t begin, uint64_t end) const {
  auto next = taken_.lower_bound(begin);
  if (next != taken_.end() && next->first < end) return false;
  return next == taken_.begin() || std::prev(next)->second <= begin;
}

bool Patcher::window(const Function& function, size_t start, uint64_t leastBytes,
                     Window* window) const {
  const std::vector<Instruction>& all = function.instructions;
  const Targets& targets = code_->targets();
  window->instructions.clear();
  window->begin = all[start].address;
  window->cost = 0;
  size_t at = start;
  for (;; at++) {
    const Instruction& i = all[at];
    if (!isMovable(i)) return false;
    window->instructions.push_back(&i);
    if (i.isCall()) window->cost += 20;
    if (i.memoryAt != 0) window->cost += 4;
    if (i.kind == Kind::kBranch || i.kind == Kind::kJump) window->cost += 4;
    if (i.movesStack) window->cost += 1;
    window->cost += 1;
    if (i.end() - window->begin >= leastBytes || !i.goesOn()) break;
    if (i.isCall() || at + 1 >= all.size() || all[at + 1].address != i.end()) return false;
  }
  window->end = std::max(all[at].end(), window->begin + leastBytes);
  if (window->end > all[at].end() && !isPadding(all[at].end(), window->end)) return false;
  // A trap leaves all but the first byte as it is.
  return leastBytes == 1 || !targets.any(window->begin + 1, window->end);
}

Patch* Patcher::add(const Window& window, Method method, uint64_t pad, Displaced displaced) {
  Patch& patch = patches_[window.begin];
  patch.offset = window.begin;
  patch.method = method;
  patch.pad = pad;
  const uint64_t size = window.end - window.begin;
  const uint8_t* bytes = code_->image().bytes(window.begin, size);
  patch.original.assign(bytes, bytes + size);
  patch.displaced = std::move(displaced);
  taken_[window.begin] = window.end;
  if (pad != 0) taken_[pad] = pad + kJumpBytes;
  return &patch;
}

size_t Patcher::ask(const Function& function, const Anchor& anchor) {
  asked_.push_back({&function, anchor, nullptr, {}});
  return asked_.size() - 1;
}

// How many windows a point could have if it were the only one; loops need theirs.
size_t Patcher::choices(const Asked& asked) const {
  if (asked.anchor.isEntry && !asked.function->entryLoop.empty()) return 0;
  size_t count = 0;
  Window ignored;
  for (const size_t start : starts(*asked.function, asked.anchor)) {
    if (window(*asked.function, start, kJumpBytes, &ignored)) count++;
  }
  // Without any, others need not leave it more than one instruction.
  return count == 0 ? SIZE_MAX : count;
}

void Patcher::solve() {
  std::vector<std::pair<size_t, size_t>> order;  // choices, number
  for (size_t i = 0; i < asked_.size(); i++) order.push_back({choices(asked_[i]), i});
  std::stable_sort(order.begin(), order.end());
  // What was left without gets the first choice next time.
  constexpr int kMostRounds = 4;
  for (int round = 0; round < kMostRounds; round++) {
    patches_.clear();
    taken_.clear();
    std::vector<std::pair<size_t, size_t>> failed, others;
    for (const auto& entry : order) {
      Asked& asked = asked_[entry.second];
      asked.problem.clear();
      asked.patch = place(*asked.function, asked.anchor, &asked.problem);
      (asked.patch == nullptr ? failed : others).push_back(entry);
    }
    if (failed.empty()) return;
    failed.insert(failed.end(), others.begin(), others.end());
    if (failed == order) return;
    if (round + 1 < kMostRounds) order = std::move(failed);
  }
}

const Patch* Patcher::place(const Function& function, const Anchor& anchor, std::string* problem) {
  if (anchor.isEntry && !function.entryLoop.empty()) return placeRepeating(function, problem);
  if (anchor.isLast && function.isKnown) {
    if (const Patch* patch = placeReturn(function, anchor)) return patch;
  }
  const std::vector<Instruction>& all = function.instructions;
  const std::vector<size_t> candidates = starts(function, anchor);
  if (candidates.empty()) {
    *problem = "no instruction begins at this address";
    return nullptr;
  }
  const auto tryMethod = [&](Method method, uint64_t leastBytes) -> const Patch* {
    Window best;
    bool found = false;
    for (const size_t start : candidates) {
      Window w;
      if (!window(function, start, leastBytes, &w) || !isFree(w.begin, w.end)) continue;
      w.cost += static_cast<int>(start > candidates[0] ? start - candidates[0] : candidates[0] - start);
      if (!found || w.cost < best.cost) best = w;
      found = true;
    }
    if (!found) return nullptr;
    const uint64_t pad = method == Method::kShort ? freePaddingNear(best.begin) : 0;
    if (method == Method::kShort && pad == 0) return nullptr;
    return add(best, method, pad, displace(code_->image(), best.instructions, false));
  };
  const auto share = [&](bool isTrap) -> const Patch* {
    for (const size_t start : candidates) {
      const auto patch = patches_.find(all[start].address);
      if (patch == patches_.end() || patch->second.isLoop) continue;
      if ((patch->second.method == Method::kTrap) == isTrap) return &patch->second;
    }
    return nullptr;
  };
  const Patch* patch = nullptr;
  if (function.isKnown) {
    patch = tryMethod(Method::kJump, kJumpBytes);
    if (patch == nullptr) patch = share(false);
    if (patch == nullptr && !anchor.keepsPadding) patch = tryMethod(Method::kShort, kShortBytes);
  }
  if (patch == nullptr) patch = tryMethod(Method::kTrap, 1);
  if (patch == nullptr) patch = share(true);
  if (patch == nullptr) *problem = "other points need the bytes at this address";
  return patch;
}

// All instructions from `start` to `last`, of which only the first can be reached from elsewhere.
bool Patcher::windowUpTo(const Function& function, size_t start, size_t last, Window* window) const {
  const std::vector<Instruction>& all = function.instructions;
  window->instructions.clear();
  window->begin = all[start].address;
  for (size_t at = start; at <= last; at++) {
    const Instruction& i = all[at];
    if (!isMovable(i) || (at < last && (i.isCall() || !i.goesOn() || all[at + 1].address != i.end()))) return false;
    window->instructions.push_back(&i);
  }
  window->end = std::max(all[last].end(), window->begin + kJumpBytes);
  if (window->end > all[last].end() && !isPadding(all[last].end(), window->end)) return false;
  return !code_->targets().any(window->begin + 1, window->end);
}

// A jump that leads away in front of a return, over as few instructions as give it room.
const Patch* Patcher::placeReturn(const Function& function, const Anchor& anchor) {
  constexpr size_t kMostInFront = 4;
  const size_t last = function.at(anchor.address);
  if (last >= function.instructions.size()) return nullptr;
  for (size_t inFront = 0; inFront <= kMostInFront && inFront <= last; inFront++) {
    Window w;
    if (!windowUpTo(function, last - inFront, last, &w) || !isFree(w.begin, w.end)) continue;
    return add(w, Method::kJump, 0, displace(code_->image(), w.instructions, false));
  }
  return nullptr;
}

// The first instruction is also the start of a loop, and nothing tells entering from repeating. So
// all that may repeat it runs as a copy behind the point: branches in the copy lead to the copy,
// and nothing else may lead there.
const Patch* Patcher::placeRepeating(const Function& function, std::string* problem) {
  const auto known = patches_.find(function.body);
  if (known != patches_.end() && known->second.isLoop) return &known->second;
  const std::vector<const Instruction*>& loop = function.entryLoop;
  bool isClosed = function.isKnown && loop.front()->address == function.body &&
                  loop.back()->end() - function.body <= kMostRepeatingBytes;
  bool areFree = true;
  const auto isInLoop = [&loop](uint64_t address) {
    const auto found =
        std::lower_bound(loop.begin(), loop.end(), address,
                         [](const Instruction* i, uint64_t a) { return i->address < a; });
    return found != loop.end() && (*found)->address == address;
  };
  for (const Instruction* i : loop) {
    isClosed &= isMovable(*i) && !i->isCall() && i->kind != Kind::kIndirectJump;
    // What goes to the mark in front of the first instruction would come back through the point.
    isClosed &= i->target != function.entry || function.body == function.entry;
    areFree &= isFree(i->address, i->end());
    if (i->address == function.body) continue;
    const auto [begin, end] = code_->targets().into(i->address, i->end());
    for (const Transfer* t = begin; t != end; ++t) isClosed &= isInLoop(t->from);
  }
  Window window;
  window.begin = window.end = function.body;
  for (const Instruction* i : loop) {
    if (i->address == window.end && window.end < function.body + kJumpBytes) window.end = i->end();
  }
  const bool isWide = window.end >= function.body + kJumpBytes;
  if (!isClosed || !areFree) {
    *problem = isClosed ? "it begins with a loop that contains other points"
                        : "its first instruction is also the start of a loop, which cannot be "
                        "moved";
    return nullptr;
  }
  const Method method = isWide ? Method::kJump : Method::kTrap;
  if (!isWide) window.end = loop.front()->end();
  Patch* patch = add(window, method, 0, displace(code_->image(), loop, true));
  patch->isLoop = true;
  for (const Instruction* i : loop) {
    if (i->address >= window.end) taken_[i->address] = i->end();
  }
  return patch;
}

// Bytes that nobody executes, behind a return or jump in a range of code, or behind the range.
const std::vector<Patcher::Padding>& Patcher::paddingOf(const CodeRange& range) {
  const auto [found, isNew] = paddings_.try_emplace(range.begin);
  if (!isNew) return found->second;
  std::vector<Instruction> instructions;
  code_->decode(range, &instructions);
  const Section* section = code_->image().sectionAt(range.begin);
  for (const Instruction& i : instructions) {
    if (i.goesOn() || i.kind == Kind::kNothing) continue;
    const uint64_t limit = std::min(code_->targets().next(i.end()), section->end);
    uint64_t end = i.end();
    while (end < limit) {
      const Instruction p = code_->decoder().decode(
          end, section->bytes + (end - section->begin), section->end - end);
      const bool isBreakpoint = section->bytes[end - section->begin] == kBreakpoint;
      if ((p.kind != Kind::kPadding && !isBreakpoint) || p.isEntryMark) break;
      end = p.end();
    }
    end = std::min(end, limit);
    if (end >= i.end() + kJumpBytes) found->second.push_back({i.end(), end});
  }
  return found->second;
}

// The place of a 5-byte jump that a 2-byte jump at `offset` reaches, or 0.
uint64_t Patcher::freePaddingNear(uint64_t offset) {
  constexpr uint64_t kReach = 120;
  const uint64_t lowest = offset > kReach ? offset - kReach : 0, highest = offset + kReach;
  const auto [first, last] = code_->rangesNear(lowest, highest);
  for (const CodeRange* range = first; range != last; ++range) {
    for (const Padding& padding : paddingOf(*range)) {
      for (uint64_t pad = std::max(padding.begin, lowest);
           pad + kJumpBytes <= padding.end && pad <= highest; pad++) {
        if (isFree(pad, pad + kJumpBytes)) return pad;
      }
    }
  }
  return 0;
}

}  // namespace parallax::points
