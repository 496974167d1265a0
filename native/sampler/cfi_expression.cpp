#include "sampler/cfi_expression.h"

#include "sampler/cfi_cursor.h"

namespace parallax {

namespace {

constexpr uint8_t kOpDeref = 0x06, kOpPlus = 0x22, kOpPlusUconst = 0x23;
constexpr uint8_t kOpBreg0 = 0x70;

bool isBreg(uint8_t op) { return op >= kOpBreg0 && op < kOpBreg0 + kRegisterCount; }

// breg7(rsp) N; breg16(rip) 0; lit15; and; lit<threshold>; ge; lit3; shl; plus
bool pltExpression(ByteRange e, CfaRule* cfa) {
  Cursor c(e.begin, e.end);
  if (c.byte() != kOpBreg0 + kRegRsp) return false;
  const int64_t offset = c.sleb();
  if (c.byte() != kOpBreg0 + kRegRip || c.sleb() != 0 || c.byte() != 0x3f || c.byte() != 0x1a) {
    return false;
  }
  const uint8_t literal = c.byte();
  if (literal < 0x30 || literal > 0x3f || c.byte() != 0x2a || c.byte() != 0x33 ||
      c.byte() != 0x24 || c.byte() != kOpPlus || !c.atEnd() || !c.ok() || !fitsInt32(offset)) {
    return false;
  }
  *cfa = {CfaRule::kPlt, kRegRsp, static_cast<uint8_t>(literal - 0x30),
          static_cast<int32_t>(offset), 0};
  return true;
}

}  // namespace

// breg N [deref [plus_uconst M | lit M; plus]]
CfaRule cfaOfExpression(ByteRange e) {
  CfaRule cfa;
  if (pltExpression(e, &cfa)) return cfa;
  cfa = CfaRule{};
  Cursor c(e.begin, e.end);
  const uint8_t base = c.byte();
  if (!isBreg(base) || base == kOpBreg0 + kRegRip) return cfa;
  const int64_t offset = c.sleb();
  int64_t after = 0;
  CfaRule::Form form = CfaRule::kRegister;
  if (!c.atEnd()) {
    if (c.byte() != kOpDeref) return cfa;
    form = CfaRule::kDeref;
    if (!c.atEnd()) {
      const uint8_t op = c.byte();
      if (op == kOpPlusUconst) {
        after = static_cast<int64_t>(c.uleb());
      } else if (op >= 0x30 && op < 0x50 && c.byte() == kOpPlus) {
        after = op - 0x30;
      } else {
        return cfa;
      }
    }
  }
  if (!c.ok() || !c.atEnd() || !fitsInt32(offset) || !fitsInt32(after)) return cfa;
  cfa.form = form;
  cfa.reg = static_cast<uint8_t>(base - kOpBreg0);
  cfa.offset = static_cast<int32_t>(offset);
  cfa.offsetAfter = static_cast<int32_t>(after);
  return cfa;
}

Location locationOfExpression(ByteRange e) {
  Location location;
  location.form = Location::kUnsupported;
  Cursor c(e.begin, e.end);
  const uint8_t base = c.byte();
  const int64_t offset = c.sleb();
  if (c.ok() && c.atEnd() && isBreg(base) && base != kOpBreg0 + kRegRip && fitsInt32(offset)) {
    location = {Location::kAtRegister, static_cast<uint8_t>(base - kOpBreg0),
                static_cast<int32_t>(offset)};
  }
  return location;
}

}  // namespace parallax
