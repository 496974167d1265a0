#include "sampler/unwind_rule.h"

#include <algorithm>
#include <atomic>
#include <new>

namespace parallax {

namespace {

// Untouched pages of it cost nothing; a whole desktop's libraries have some 300.
constexpr int32_t kMaxExtendedRules = 8192;
struct PublishedRule {
  std::atomic<bool> ready;
  alignas(ExtendedRule) char rule[sizeof(ExtendedRule)];

  const ExtendedRule& get() const { return *reinterpret_cast<const ExtendedRule*>(rule); }
};
PublishedRule extendedRules[kMaxExtendedRules];
std::atomic<int32_t> extendedRuleCount{0};

constexpr int32_t kReturnAddressOffset = -8;

// Where the kernel's rt_sigframe keeps rip and rbp, seen from rsp in the signal restorer.
constexpr int32_t kSignalRipOffset = 168;
constexpr int32_t kSignalRbpOffset = 120;

// Returns whether the location fits into a slot of a compact rule.
bool slotOf(const Location& location, int8_t* slot) {
  *slot = 0;
  // A lost value is as good as an unchanged one: nobody may use it.
  if (location.form == Location::kSame || location.form == Location::kUndefined) return true;
  if (location.form != Location::kAtCfa || location.offset % 8 != 0) return false;
  const int32_t value = location.offset / 8;
  if (value >= 0 || value < INT8_MIN) return false;
  *slot = static_cast<int8_t>(value);
  return true;
}

}  // namespace

const ExtendedRule& extendedRule(int32_t number) { return extendedRules[number].get(); }

// Two threads that meet a rule at once may both register it.
int32_t registerExtendedRule(const ExtendedRule& rule) {
  // Signal context.
  const int32_t known = std::min(extendedRuleCount.load(std::memory_order_acquire), kMaxExtendedRules);
  for (int32_t i = 0; i < known; ++i) {
    const PublishedRule& other = extendedRules[i];
    if (other.ready.load(std::memory_order_acquire) && other.get() == rule) return i;
  }
  if (known == kMaxExtendedRules) return -1;
  const int32_t number = extendedRuleCount.fetch_add(1, std::memory_order_acq_rel);
  if (number >= kMaxExtendedRules) return -1;
  new (extendedRules[number].rule) ExtendedRule(rule);
  extendedRules[number].ready.store(true, std::memory_order_release);
  return number;
}

Rule compactRule(const ExtendedRule& rule, bool signalFrame) {
  Rule compact{};
  if (rule.rip.form == Location::kUndefined) {
    compact.kind = RuleKind::kEnd;
    return compact;
  }
  if (signalFrame && rule.rip.form == Location::kAtRegister && rule.rip.reg == kRegRsp &&
      rule.rip.offset == kSignalRipOffset && rule.rbp.form == Location::kAtRegister &&
      rule.rbp.reg == kRegRsp && rule.rbp.offset == kSignalRbpOffset) {
    compact.kind = RuleKind::kSignal;
    return compact;
  }
  if (rule.cfa.form == CfaRule::kUnsupported || rule.rip.form == Location::kUnsupported ||
      rule.rip.form == Location::kSame || rule.rsp.form == Location::kUnsupported ||
      rule.rbp.form == Location::kUnsupported || signalFrame) {
    return compact;
  }
  const bool plainCfa = rule.cfa.form == CfaRule::kRegister &&
                        (rule.cfa.reg == kRegRsp || rule.cfa.reg == kRegRbp);
  const bool plainRip =
      rule.rip.form == Location::kAtCfa && rule.rip.offset == kReturnAddressOffset;
  if (plainCfa && plainRip && rule.rsp.form == Location::kSame &&
      slotOf(rule.rbp, &compact.rbpSlot) && slotOf(rule.rbx, &compact.rbxSlot)) {
    compact.kind = rule.cfa.reg == kRegRsp ? RuleKind::kRsp : RuleKind::kRbp;
    compact.cfaOffset = rule.cfa.offset;
    return compact;
  }
  compact = Rule{};
  const int32_t number = registerExtendedRule(rule);
  if (number >= 0) {
    compact.kind = RuleKind::kExtended;
    compact.cfaOffset = number;
  }
  return compact;
}

}  // namespace parallax
