// Changes of code in libraries of the system and in such that come and go.
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "perturb/patch.h"
#include "tests/perturb/patch_fixture.h"
#include "tests/temporary_directory.h"

namespace parallax::perturb {
namespace {

using PatchModules = PatchTest;

// ------------------------------------------------------------ other modules

TEST_F(PatchModules, InLibc) {
  const std::string libc = libraryOf(reinterpret_cast<void*>(qsort));
  long numbers[] = {3, 1, 2};
  const auto compare = [](const void* a, const void* b) {
    return static_cast<int>(*static_cast<const long*>(a) - *static_cast<const long*>(b));
  };
  const std::string before = bytesAt(reinterpret_cast<void*>(qsort));
  const uint32_t id = done(changeArgument(prepared("qsort", libc), setTo(1, 2)));  // only two of them
  qsort(numbers, 3, sizeof *numbers, compare);
  EXPECT_EQ(1, numbers[0]);
  EXPECT_EQ(3, numbers[1]);
  EXPECT_EQ(2, numbers[2]);
  undone(id);
  qsort(numbers, 3, sizeof *numbers, compare);
  EXPECT_EQ(2, numbers[1]);
  EXPECT_EQ(before, bytesAt(reinterpret_cast<void*>(qsort)));
  PreparedPatch patch;
  EXPECT_EQ("munmap of libc may run while signals are blocked, and cannot be changed",
            preparer().prepare(libc, "munmap", &patch));
  EXPECT_NE(std::string::npos, preparer().prepare(libc, "strlen", &patch).find("indirect function"));
}

TEST_F(PatchModules, InPvm) {
  void* handle = dlopen("libpvm3.so.3", RTLD_NOW);
  if (handle == nullptr) GTEST_SKIP() << "PVM is not installed";
  auto* setOption = reinterpret_cast<int (*)(int, int)>(dlsym(handle, "pvm_setopt"));
  auto* getOption = reinterpret_cast<int (*)(int)>(dlsym(handle, "pvm_getopt"));
  ASSERT_NE(nullptr, setOption);
  constexpr int kAutoErr = 3;
  setOption(kAutoErr, 0);
  const uint32_t id =
      done(changeArgument(prepared("pvm_setopt", libraryOf(reinterpret_cast<void*>(setOption))), setTo(1, 2)));
  EXPECT_EQ(0, setOption(kAutoErr, 1));
  EXPECT_EQ(2, getOption(kAutoErr));
  undone(id);
  setOption(kAutoErr, 1);
  EXPECT_EQ(1, getOption(kAutoErr));
  dlclose(handle);
}

void inMpi(const char* name) {
  void* handle = dlopen(name, RTLD_NOW);
  if (handle == nullptr) GTEST_SKIP() << name << " is not installed";
  auto* version = reinterpret_cast<int (*)(int*, int*)>(dlsym(handle, "MPI_Get_version"));
  ASSERT_NE(nullptr, version);
  const std::string library = libraryOf(reinterpret_cast<void*>(version));
  int first = 0, second = -1, other = -1;
  const std::string before = bytesOf(version);
  calls = 0;
  const PreparedPatch patch = prepared("MPI_Get_version", library);
  const uint32_t counting = done(insertCallBefore(patch, callOf(countCall)));
  const uint32_t changing = done(changeArgument(patch, setTo(1, reinterpret_cast<long>(&other))));
  for (int i = 0; i < 10; i++) EXPECT_EQ(0, version(&first, &second));
  EXPECT_GE(first, 3);
  EXPECT_EQ(-1, second);
  EXPECT_GE(other, 0);
  EXPECT_EQ(10, calls);
  undone(counting);
  undone(changing);
  EXPECT_EQ(before, bytesOf(version));
  for (const char* routine : {"MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Allreduce", "MPI_Bcast", "MPI_Wait"}) {
    const std::string whole = bytesAt(dlsym(handle, routine));
    const PreparedPatch each = prepared(routine, library);
    EXPECT_NE(0, each.places[0].canJump) << routine;
    undone(done(changeArgument(each, setTo(1, 1))));
    EXPECT_EQ(whole, bytesAt(dlsym(handle, routine))) << routine;
  }
}

// Reading MPICH's library takes three seconds: only in the long form.
TEST_F(PatchModules, InMpi) {
  inMpi("libmpi.so.40");
  if (getenv("PARALLAX_PATCH_ROUNDS") != nullptr) inMpi("libmpich.so.12");
}

TEST_F(PatchModules, ForgetAModuleThatIsGone) {
  const TemporaryDirectory directory;
  const std::string copy = directory / "copy.so";
  std::ofstream(copy, std::ios::binary) << std::ifstream(PATCHED_PLUGIN, std::ios::binary).rdbuf();
  for (int round = 0; round < 3; round++) {
    void* handle = dlopen(copy.c_str(), RTLD_NOW);
    ASSERT_NE(nullptr, handle) << dlerror();
    patchedModulesChanged();
    auto* f = reinterpret_cast<Function*>(dlsym(handle, "patched_two"));
    EXPECT_EQ(11, f(2, 5));
    const uint32_t id = done(changeArgument(prepared("patched_two", copy), setTo(1, 100)));
    EXPECT_EQ(106, f(2, 5));
    dlclose(handle);
    patchedModulesChanged();
    EXPECT_NE(nullptr, undoPatch(id));
  }
  EXPECT_STREQ("the module of the function is not loaded in this process",
               changeArgument(prepared("patched_two", copy), setTo(1, 100)).problem);
}

// ------------------------------------------------------------------- memory

TEST(PatchMemory, IsWhereAJumpHasTheWantedBytes) {
  const auto start = reinterpret_cast<uint64_t>(patched_frame) & ~uint64_t{4095};
  for (const uint32_t mask : {0u, 0xffu, 0xff00u, 0xff0000u, 0xff000000u, 0xff0000ffu, 0xffff00u, 0xffffffffu}) {
    const uint32_t pattern = 0xcccccccc & mask;
    for (uint64_t from = start + 1; from < start + 100; from += 33) {
      const uint64_t at = mapForJump(start, start + 8192, 24, 200, from, mask, pattern);
      if (at == 0 && mask == 0xffffffff) continue;  // there is one such place only
      ASSERT_NE(0u, at) << std::hex << mask;
      const auto distance = static_cast<int64_t>(at - (from + 5));
      EXPECT_EQ(distance, static_cast<int32_t>(distance));
      EXPECT_EQ(pattern, static_cast<uint32_t>(distance) & mask);
      memset(reinterpret_cast<void*>(at - 24), 1, 224);
      munmap(reinterpret_cast<void*>((at - 24) & ~uint64_t{4095}), 8192);
    }
  }
}

}  // namespace
}  // namespace parallax::perturb
