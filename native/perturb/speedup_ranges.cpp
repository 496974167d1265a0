#include "perturb/speedup_ranges.h"

#include <link.h>

#include <algorithm>
#include <cstring>

#include "core/agent.h"
#include "sampler/modules.h"

namespace parallax::speedup {

// What dl_iterate_phdr is given: the first time it counts, the second time it fills.
struct ModuleVisit {
  const perturb::Plan& plan;
  CodeRanges* ranges;
  ModuleImage* image;
  bool fills;
  bool main = true;

  bool isModule(const perturb::PlanModule& module) const {
    return *module.buildId != '\0' ? strcmp(module.buildId, image->buildId) == 0
                                   : strcmp(module.path, image->path) == 0;
  }

  static bool isOfSystem(const ModuleImage& image) {
    const auto own = reinterpret_cast<uint64_t>(&ModuleVisit::visit);
    if (own - image.start < image.end - image.start) return true;
    for (const char* folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/libexec/"}) {
      if (strncmp(image.path, folder, strlen(folder)) == 0) return true;
    }
    return image.path[0] != '/';
  }

  static int visit(dl_phdr_info* info, size_t, void* opaque) {
    auto* visit = static_cast<ModuleVisit*>(opaque);
    const bool main = visit->main;
    visit->main = false;
    if (!readImage(*info, visit->image)) return 0;
    completeImage(*info, info->dlpi_name, main, visit->image);
    visit->add(main);
    return 0;
  }

  void add(bool main) {
    const uint32_t number = ranges->moduleCount_++;
    if (fills) ranges->modules_[number] = {image->start, image->end, !main && isOfSystem(*image)};
    for (const perturb::PlanRange& range : plan.ranges) {
      if (!isModule(plan.modules[range.module])) continue;
      const uint32_t place = ranges->rangeCount_++;
      if (!fills) continue;
      const perturb::Treatment& level = plan.factors[range.factor];
      const bool faster = level.action == perturb::Action::kSpeedup;
      ranges->ranges_[place] = {image->bias + range.begin, image->bias + range.end, range.factor,
                                faster ? static_cast<uint32_t>(level.amount) : 0,
                                level.exclusive, 0};
      ranges->hasInclusive_ |= !level.exclusive;
    }
  }
};

const CodeRanges* CodeRanges::make(const perturb::Plan& plan) {
  auto* image = static_cast<ModuleImage*>(allocatePages(sizeof(ModuleImage)));
  auto* made = static_cast<CodeRanges*>(allocate(sizeof(CodeRanges)));
  if (image == nullptr || made == nullptr) return nullptr;
  *made = {};
  ModuleVisit counting{plan, made, image, false};
  dl_iterate_phdr(ModuleVisit::visit, &counting);
  constexpr uint32_t kMore = 8;  // another thread may load some meanwhile
  const uint32_t modules = made->moduleCount_ + kMore;
  const uint32_t ranges = made->rangeCount_ + kMore * plan.ranges.count;
  made->modules_ = static_cast<Module*>(allocate(modules * sizeof(Module)));
  made->ranges_ = static_cast<CodeRange*>(allocate(ranges * sizeof(CodeRange)));
  const bool memory = made->modules_ != nullptr && made->ranges_ != nullptr;
  made->moduleCount_ = made->rangeCount_ = 0;
  if (memory) {
    ModuleVisit filling{plan, made, image, true};
    dl_iterate_phdr(ModuleVisit::visit, &filling);
    const auto before = [](const auto& a, const auto& b) { return a.begin < b.begin; };
    std::sort(made->modules_, made->modules_ + made->moduleCount_, before);
    std::sort(made->ranges_, made->ranges_ + made->rangeCount_, before);
    uint64_t reach = 0;
    for (uint32_t i = 0; i < made->rangeCount_; i++) {
      made->ranges_[i].reach = reach = std::max(reach, made->ranges_[i].end);
    }
  }
  releasePages(image, sizeof(ModuleImage));
  return memory ? made : nullptr;
}

namespace {

// The first one that begins after the address.
template <class Item>
const Item* firstAfter(const Item* items, uint32_t count, uint64_t address) {
  return std::upper_bound(items, items + count, address,
                          [](uint64_t a, const Item& i) { return a < i.begin; });
}

}  // namespace

void CodeRanges::find(uint64_t address, Frame frame, Hits* hits) const {
  // Signal context.
  const CodeRange* range = firstAfter(ranges_, rangeCount_, address);
  while (range != ranges_ && (--range)->reach > address) {
    if (address < range->end && (frame == Frame::kInnermost || !range->exclusive)) hits->add(*range);
  }
}

bool CodeRanges::isOwn(uint64_t address) const {
  // Signal context.
  const Module* module = firstAfter(modules_, moduleCount_, address);
  return module != modules_ && address < module[-1].end && !module[-1].system;
}

}  // namespace parallax::speedup
