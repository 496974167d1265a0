// Changes some bytes of good files of perf: no crash, no hang, a trace that can be read or a refusal with the name of the file,
// and no more memory than is stated. PARALLAX_FUZZ_TURNS=N changes N files.
#include <stdlib.h>

#include <random>

#include "tools/conversion/counted_memory_test.h"
#include "tools/perf/data_test_writer.h"
#include "tools/perf/perf_look_test.h"
#include "tools/perf/recording.h"

namespace parallax::perf {
namespace {

std::string textSeed() {
  std::string text = "# hostname : node7\n";
  for (int i = 0; i < 12; i++) {
    const std::string time = "10.00" + std::to_string(1000 + i * 7);
    text += "my app   100/100 [000] " + time + ":    1000000 cpu-clock:ppp: \n\t 1194 f<int, (anonymous namespace)::X>+0x2b (/opt/a (deleted))\n"
            "\t 11f5 g (inlined)\n\t 11f5 main+0x18 (/opt/a)\n\n"
            "b 2/2 [001] " + time + ": sched:sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n"
            "c 3 " + time + ": PERF_RECORD_FORK(3:" + std::to_string(i) + "):(3:3)\nc 3 " + time + ": page-faults:  7f f+0x1 (x)\n";
  }
  return text;
}

std::string dataSeed(bool isBig, bool isPipe) {
  TestData data(isBig, isPipe);
  const uint32_t clock = data.event(1, 0, 501, "cpu-clock"), faults = data.event(1, 2, 502, "page-faults");
  data.comm(1, 1, "app", 10);
  for (uint64_t i = 0; i < 12; i++) {
    const auto tid = static_cast<int>(1 + i % 3);
    data.map(1, 0x1000 * i, 0x1800, 0x1000, "/no/such/" + std::to_string(i % 4), 1000 * i).fork(1, 1, tid, 1, 1000 * i);
    data.sample(clock, 1, tid, 1000 * i + 900, 500, {static_cast<uint64_t>(-512), 0x1000 * i + 5, 0x800}).change(1, tid, i % 2 == 0, true, 1000 * i + 950);
    data.sample(faults, 1, tid, 1000 * i + 800, 1, {static_cast<uint64_t>(-128), 0x1000 * i + 5}).round();
  }
  return data.bytes();
}

TEST_F(Perf, DamagedFilesNeverCrash) {
  const std::vector<std::string> seeds = {textSeed(), dataSeed(false, false), dataSeed(false, true), dataSeed(true, false), dataSeed(true, true)};
  const char* wanted = getenv("PARALLAX_FUZZ_TURNS");
  const int turns = wanted == nullptr ? 1500 : atoi(wanted);
  const uint32_t seed = wanted == nullptr ? 20261128 : std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  int opened = 0;
  for (int turn = 0; turn < turns; turn++) {
    std::string bytes = seeds[static_cast<size_t>(turn) % seeds.size()];
    for (uint32_t changes = 1 + random() % 6; changes > 0; changes--) {
      const size_t at = random() % bytes.size();
      const uint32_t what = random() % 6;
      if (what == 0) bytes[at] = static_cast<char>(random());
      if (what == 1) bytes.erase(at, 1 + random() % 20);
      if (what == 2) bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 60));
      if (what == 3) bytes[at] = "0123 ():/\t\n+"[random() % 12];
      if (what == 4) bytes.replace(at, std::min<size_t>(4, bytes.size() - at), "\xFF\xFF\xFF\xFF");
      if (what == 5) bytes.replace(at, std::min<size_t>(8, bytes.size() - at), std::string(8, '\0'));
      if (bytes.empty()) bytes = "a";
    }
    mostBytes = allocatedBytes;
    const size_t before = allocatedBytes;
    const std::string error = import(bytes, "d.perf");
    ASSERT_LE(mostBytes - before, bytes.size() * kBytesPerByte + kBytesAtLeast) << "turn " << turn;
    if (!error.empty()) {
      ASSERT_EQ(0u, error.find(file_)) << error;
      continue;
    }
    opened++;
    std::string dump;
    ASSERT_EQ("", format::dumpTrace(directory_ / "trace", [&](std::string_view text) {
      dump += text;
      return true;
    })) << "turn " << turn;
    ASSERT_EQ(std::string::npos, dump.find("state=damaged")) << "turn " << turn;
  }
  EXPECT_GT(opened, turns / 2);
}

}  // namespace
}  // namespace parallax::perf
