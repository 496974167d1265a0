// The walks of intercepted calls, which come again and again from the same places: what is kept of earlier ones to find a
// path without a walk. All of it runs in signal context, and reads no table but to put markers: all words are of the
// thread's own stack.
#include <atomic>

#include "core/agent.h"
#include "sampler/unwinder_walk.h"

namespace parallax {

// A top whose frames are those of the walk of this call.
inline const Unwinder::Top* Unwinder::findTop(const CallStart& start) {
  size_t at = lastTop_;
  for (size_t i = 0; i < topsUsed_; ++i) {
    if (++at >= topsUsed_) at = 0;
    const Top& top = tops_[at];
    if (top.pc != start.pc || top.rsp != start.rsp || read(top.siteWord) != top.site || !holds(top, start)) continue;
    lastTop_ = at;
    return &top;
  }
  return nullptr;
}

// Whether the frames of the top are also those of a walk that begins here: each is a function of these words.
inline bool Unwinder::holds(const Top& top, const CallStart& start) const {
  if (!isAt(top.frames[0], start.pc, start.rsp, start.rbp, start.exact)) return false;
  for (size_t i = 0; i < top.count; ++i) {
    const Frame& frame = top.frames[i];
    const bool isLast = i + 1 == top.count;
    if (read(frame.ripWord) != (isLast ? top.nextPc : top.frames[i + 1].pc)) return false;
    // That of the shared frame is compared by recall().
    if (!isLast && frame.rbpWord != nullptr && read(frame.rbpWord) != top.frames[i + 1].rbp) return false;
  }
  return true;
}

// The path of a call whose inner frames are those of a top, and whose others are those of the last walk. 0: it is to be
// walked, and nothing has changed.
OWN_LINES uint32_t Unwinder::recall(const CallStart& start) {
  if (!isComparable()) return 0;
  const Top* top = findTop(start);
  if (top == nullptr || top->next < kMaxFrames - kept_) return 0;
  const Frame& shared = last_[top->next];
  const uint64_t rbp = top->rbpWord != nullptr ? read(top->rbpWord) : start.rbp;
  if (!isAt(shared, top->nextPc, top->nextRsp, rbp, false) || shared.path != top->nextPath ||
      (shared.needsRbp && !top->tellsRbp)) {
    return 0;
  }
  const size_t end = skipUnchanged(top->next);
  if (!isEnd(end)) return 0;
  ++counts_.walks;
  ++counts_.reused;
  ++counts_.recalled;
  // The last walk and this one are of calls by the same function, which have no other frame of their own: none is certainly
  // new, and later walks find the same of either. Their stack pointers differ where arguments are on the stack.
  const Frame& innermost = last_[kMaxFrames - kept_];
  const bool isLike = kMaxFrames - kept_ + 1 == top->next && top->count == 1 && innermost.marker == 0 && !markAll_;
  if (isLike) {
    remember(start, top->frames[0], top->next, end);
  } else {
    keepTopAgain(*top, end);
  }
  return top->frames[0].path;
}

// Makes the walk of a top the last one, which is the same from last_[top.next] up to last_[end].
void Unwinder::keepTopAgain(const Top& top, size_t end) {
  if (thread_ != nullptr) {
    for (size_t i = newFrames(top.frames, top.count, top.next); i-- > 0;) countVisit(top.frames[i]);
  }
  keep(top.frames, top.count, top.next);
  counts_.frames += top.count;
  const size_t standing = last_[end].marker != 0 ? end : kMaxFrames;
  if (standing - (kMaxFrames - kept_) <= kMarkBeyond && !markAll_) return;
  const UnwindTable* table = reader_.begin();
  if (table != nullptr && table->generation() == generation_) mark(*table, standing);
  reader_.end();
}

// The walk has joined the last one, which is not replaced yet.
void Unwinder::keepTop(const WalkStart& start, const Walk& walk) {
  if (walk.count == 0 || walk.count > kTopFrames) return;
  const Frame* routine = frames_;  // the outermost frame of the agent, if there is one
  for (size_t i = 0; i < walk.count; ++i) {
    const Frame& frame = frames_[i];
    if (frame.dependent || (frame.exact && i > 0) || !frame.plain || frame.marker != 0 || frame.otherWord != nullptr) {
      return;
    }
    if (frame.agent) routine = &frame;
  }
  const Frame& shared = last_[walk.next];
  if (shared.exact) return;
  Top& top = tops_[topsNext_];
  lastTop_ = topsNext_;
  topsNext_ = (topsNext_ + 1) % kTops;
  top.rsp = 0;  // a handler of the program may leave this by longjmp
  std::atomic_signal_fence(std::memory_order_seq_cst);
  top.pc = start.pc;
  top.siteWord = routine->ripWord;
  top.site = read(top.siteWord);
  top.nextPc = shared.pc;
  top.nextRsp = shared.rsp;
  top.next = walk.next;
  top.rbpWord = walk.rbpReader >= 0 ? walk.rbpWord : nullptr;
  top.tellsRbp = shared.needsRbp;
  top.nextPath = shared.path;
  top.count = static_cast<uint32_t>(walk.count);
  for (size_t i = 0; i < walk.count; ++i) top.frames[i] = frames_[i];
  std::atomic_signal_fence(std::memory_order_seq_cst);
  top.rsp = start.rsp;
  if (topsUsed_ < lastTop_ + 1) topsUsed_ = lastTop_ + 1;
}

// Whether the walk of this call would find what it has found before, and the last walk is the one of that time: nothing is
// to be counted, kept or marked then. No table is read: all words are of the thread's own stack.
inline bool Unwinder::isKnown(const KnownCall& known, const CallStart& start, const parallax::Region* region) const {
  if (known.start.pc != start.pc || known.start.rsp != start.rsp || known.changes != changes_ ||
      generation_ != TableReader::currentGeneration() || known.start.exact != start.exact || known.region != region ||
      (known.needsRbp && known.start.rbp != start.rbp)) {
    return false;
  }
  const KnownCall::Word* const end = known.words + known.count;
  for (const KnownCall::Word* word = known.words; word != end; ++word) {
    if (read(word->at) != word->value) return false;
  }
  return true;
}

// Adds what a frame depends on and what its caller is; false: there is no room.
bool Unwinder::addWords(KnownCall& known, const Frame& frame, uint64_t nextPc, uint64_t nextRbp) {
  if (known.count + 3u > kKnownWords) return false;
  known.words[known.count++] = {frame.ripWord, nextPc};
  if (frame.rbpWord != nullptr) known.words[known.count++] = {frame.rbpWord, nextRbp};
  if (frame.otherWord != nullptr) known.words[known.count++] = {frame.otherWord, frame.other};
  return true;
}

// The walk of this call has the frame `first`, and then those of the last one from last_[next] on, which are unchanged up to
// last_[end].
void Unwinder::remember(const CallStart& start, const Frame& first, size_t next, size_t end) {
  KnownCall& known = knownAt(start.pc);
  known.start.pc = 0;  // a handler of the program may leave this by longjmp
  std::atomic_signal_fence(std::memory_order_seq_cst);
  known.count = 0;
  if (!addWords(known, first, last_[next].pc, last_[next].rbp)) return;
  for (size_t i = next; i < end; ++i) {
    if (!addWords(known, last_[i], last_[i + 1].pc, last_[i + 1].rbp)) return;
  }
  const Frame& last = last_[end];
  if (known.count == kKnownWords) return;
  if (last.ripWord != nullptr) known.words[known.count++] = {last.ripWord, last.marker != 0 ? addressOf(last.marker) : 0};
  known.needsRbp = first.needsRbp;
  known.region = nullptr;
  known.path = first.path;
  known.changes = changes_;
  known.start.rsp = start.rsp;
  known.start.rbp = start.rbp;
  known.start.exact = start.exact;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  known.start.pc = start.pc;
}

// Whether the walk of a call is the last one again: nothing is to be counted, kept or marked.
inline bool Unwinder::isLastCall(const CallStart& start) {
  if (!isComparable() || markAll_) return false;
  const size_t top = kMaxFrames - kept_;
  if (!isAt(last_[top], start.pc, start.rsp, start.rbp, start.exact)) return false;
  const size_t end = skipUnchanged(top);
  if (!isEnd(end)) return false;
  const size_t apart = (last_[end].marker != 0 ? end : kMaxFrames) - top;
  if (apart > kMarkBeyond) return economy_ < Economy::kMarkers || !markersAllowed();
  if (end > top) remember(start, last_[top], top + 1, end);
  return true;
}

OWN_LINES uint32_t Unwinder::pathOfCall(const CallStart& start, parallax::Region* region) {
  const KnownCall& known = knownAt(start.pc);
  if (isKnown(known, start, region)) {
    ++counts_.walks;
    ++counts_.reused;
    ++counts_.known;
    return known.path;
  }
  uint32_t path;
  if (isLastCall(start)) {
    ++counts_.walks;
    ++counts_.reused;
    path = last_[kMaxFrames - kept_].path;
  } else {
    path = recall(start);
  }
  if (path == 0) {
    WalkStart walk;
    walk.pc = start.pc;
    walk.rsp = start.rsp;
    walk.rbp = start.rbp;
    path = pathOf(walk, start.exact, true);
  }
  if (region == nullptr) return path;
  const uint32_t below = region->path(path);
  KnownCall& remembered = knownAt(start.pc);
  if (remembered.start.pc == start.pc && remembered.path == path && remembered.region == nullptr) {
    remembered.region = region;
    remembered.path = below;
  }
  return below;
}

}  // namespace parallax
