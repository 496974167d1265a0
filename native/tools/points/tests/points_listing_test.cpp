// Listings of functions: parts, inlined code, names and targets, with and without names in the file.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tools/points/points_image.h"
#include "tools/points/points_listing.h"

namespace parallax::points {
namespace {

std::string sample(const char* name) {
  return std::string(PARALLAX_POINTS_LISTED) + "/" + name;
}

uint64_t symbol(const std::string& path, const std::string& name) {
  std::string reason;
  const auto image = Image::open(path, &reason);
  if (image == nullptr) return 0;
  for (const Symbol& s : image->symbols()) {
    if (s.name == name) return s.begin;
  }
  return 0;
}

const ListedInstruction* find(const ListedFunction& function, const std::string& text) {
  const auto found = std::find_if(
      function.instructions.begin(), function.instructions.end(),
      [&](const ListedInstruction& i) { return i.text.rfind(text, 0) == 0; });
  return found == function.instructions.end() ? nullptr : &*found;
}

TEST(Listing, HasAllPartsOfAFunctionWithTheirSource) {
  ListingRequest request;
  request.path = sample("hot-debug");
  const uint64_t entry = symbol(request.path, "divide");
  ASSERT_NE(entry, 0u);
  request.offsets = {entry + 7, entry};  // within and at the beginning: the same function
  Listing listing;
  ASSERT_EQ(listFunctions(request, &listing), "");
  ASSERT_EQ(listing.functions.size(), 1u);
  const ListedFunction& divide = listing.functions[0];
  EXPECT_EQ(divide.name, "divide");
  EXPECT_EQ(divide.entry, entry);
  EXPECT_EQ(divide.parts.size(), 2u) << "the part that the compiler put elsewhere";
  const ListedInstruction* slow = find(divide, "div r");
  ASSERT_NE(slow, nullptr);
  ASSERT_FALSE(slow->frames.empty());
  EXPECT_NE(slow->frames[0].file.find("hot_instruction.c"), std::string::npos);
  EXPECT_GT(slow->frames[0].line, 0u);
  const ListedInstruction* call = find(divide, "call");
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(call->targetName, "complain");
  const ListedInstruction* back = find(divide, "jnz");
  ASSERT_NE(back, nullptr);
  EXPECT_TRUE(back->hasTarget);
  EXPECT_LT(back->target, slow->offset);
  EXPECT_EQ(back->targetName, "");
  EXPECT_TRUE(std::any_of(divide.instructions.begin(), divide.instructions.end(),
                          [](const ListedInstruction& i) {
                            return i.frames.size() == 2 && i.frames[0].function == "mix";
                          }));
  request.syntax = Syntax::kAtt;
  ASSERT_EQ(listFunctions(request, &listing), "");
  EXPECT_NE(find(listing.functions[0], "div %r"), nullptr);
}

TEST(Listing, RefusesAnotherBuildId) {
  ListingRequest request;
  request.path = sample("hot-debug");
  request.offsets = {symbol(request.path, "divide")};
  request.buildId = "0123456789abcdef";
  Listing listing;
  EXPECT_NE(listFunctions(request, &listing).find("has changed since the run"), std::string::npos);
  EXPECT_TRUE(listing.functions.empty());
  request.path = sample("no-such-file");
  EXPECT_NE(listFunctions(request, &listing), "");
}

TEST(Listing, NeedsNoNames) {
  ListingRequest request;
  request.path = sample("hot-stripped");
  // Without names it is found by what it does: stripping moves nothing.
  request.offsets = {symbol(sample("hot-debug"), "divide") + 7, 1};
  Listing listing;
  ASSERT_EQ(listFunctions(request, &listing), "");
  EXPECT_EQ(listing.unknown, std::vector<uint64_t>{1});
  ASSERT_EQ(listing.functions.size(), 1u);
  EXPECT_EQ(listing.functions[0].name, "");
  EXPECT_NE(find(listing.functions[0], "div r"), nullptr);
  const std::string text = toText(listing);
  EXPECT_EQ(text.rfind("parallax-disassembly\t1\nB\t", 0), 0u);
  EXPECT_NE(text.find("\nX\t1\n"), std::string::npos);
}

}  // namespace
}  // namespace parallax::points
