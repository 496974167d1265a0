// Makes the rows of one module's unwind table.
#pragma once

#include "cfi.h"
#include "mapped_array.h"
#include "modules.h"
#include "unwind_table.h"

namespace parallax {

class RowBuilder final : private FdeSink, private RowSink {
 public:
  explicit RowBuilder(const ModuleImage& image) : image_(image) {}

  // Fills the rows, whose memory the caller unmaps by the given sizes. Returns false, and gives
  // none, when the module has no call frame information or memory runs out.
  bool build(ModuleRows* rows, size_t* pcsBytes, size_t* rulesBytes);

 private:
  bool fde(const FdeRange& range) override;
  bool row(uint64_t pc, const Rule& rule) override;
  bool add(uint64_t pc, const Rule& rule);

  const ModuleImage& image_;
  uint64_t limit_ = 0;  // end of the present entry
  MappedArray<FdeRange> fdes_;
  MappedArray<uint32_t> pcs_;
  MappedArray<Rule> rules_;
};

}  // namespace parallax
