// The figures that Wang 1994 prints (CSD-TR-94-078, Tables 1 to 4).
#pragma once

#include <string>
#include <vector>

namespace parallax::bench {

// An execution time in seconds of the integer sort, with the paper's name of the mode. Percentages are computed from
// these times: some of those that the paper prints do not follow from them.
struct PaperTime {
  int table;
  char size;  // the class
  int processes;
  const char* column;
  double seconds;
};

inline constexpr char kPaperPlain[] = "IS";

inline const std::vector<PaperTime>& paperTimes() {
  static const std::vector<PaperTime> times = {
      {1, 'A', 8, "IS", 29.1}, {1, 'A', 8, "NOPT", 29.29},
      {1, 'A', 16, "IS", 14.80}, {1, 'A', 16, "NOPT", 15.23}, {1, 'A', 16, "BF 69k", 15.37},
      {1, 'A', 16, "BF 139k", 14.97}, {1, 'A', 16, "BF 348k", 14.95}, {1, 'A', 16, "BF 609k", 14.92},
      {1, 'A', 32, "IS", 8.17}, {1, 'A', 32, "NOPT", 12.04}, {1, 'A', 32, "BF 69k", 9.15},
      {1, 'A', 32, "BF 139k", 8.24}, {1, 'A', 32, "BF 348k", 8.22}, {1, 'A', 32, "BF 609k", 8.23},
      {1, 'A', 32, "HN", 9.38},
      {1, 'A', 64, "IS", 4.88}, {1, 'A', 64, "NOPT", 46.68}, {1, 'A', 64, "BF 69k", 32.20},
      {1, 'A', 64, "BF 139k", 12.80}, {1, 'A', 64, "BF 348k", 4.91}, {1, 'A', 64, "BF 609k", 4.93},
      {1, 'A', 64, "HN", 11.30},
      {1, 'A', 128, "IS", 2.88}, {1, 'A', 128, "NOPT", 211.87}, {1, 'A', 128, "BF 69k", 195.92},
      {1, 'A', 128, "BF 139k", 151.89}, {1, 'A', 128, "BF 348k", 106.68}, {1, 'A', 128, "BF 609k", 3.40},
      {1, 'A', 128, "HN", 110.57},
      {1, 'B', 32, "IS", 32.32}, {1, 'B', 32, "NOPT", 35.70}, {1, 'B', 32, "BF 69k", 33.48},
      {1, 'B', 32, "BF 139k", 32.51}, {1, 'B', 32, "BF 348k", 32.25}, {1, 'B', 32, "BF 609k", 34.45},
      {1, 'B', 32, "HN", 32.82},
      {1, 'B', 64, "IS", 18.62}, {1, 'B', 64, "NOPT", 60.94}, {1, 'B', 64, "BF 69k", 48.27},
      {1, 'B', 64, "BF 139k", 25.73}, {1, 'B', 64, "BF 348k", 18.57}, {1, 'B', 64, "BF 609k", 18.67},
      {1, 'B', 64, "HN", 35.09},
      {1, 'B', 128, "IS", 10.46}, {1, 'B', 128, "NOPT", 222.60}, {1, 'B', 128, "BF 69k", 196.07},
      {1, 'B', 128, "BF 139k", 153.44}, {1, 'B', 128, "BF 348k", 115.37}, {1, 'B', 128, "BF 609k", 10.98},
      {1, 'B', 128, "HN", 127.36},
      {3, 'A', 32, "IS", 8.17}, {3, 'A', 32, "PIO 2*65k", 8.51}, {3, 'A', 32, "PIO 2*130k", 8.53},
      {3, 'A', 32, "PIO gopen", 9.05},
      {3, 'A', 64, "IS", 4.88}, {3, 'A', 64, "PIO 2*65k", 9.46}, {3, 'A', 64, "PIO 2*130k", 5.83},
      {3, 'A', 64, "PIO gopen", 5.87},
      {3, 'A', 128, "IS", 2.88}, {3, 'A', 128, "PIO 2*65k", 38.20}, {3, 'A', 128, "PIO 2*130k", 19.23},
      {3, 'A', 128, "PIO gopen", 17.99},
      {3, 'B', 32, "IS", 32.32}, {3, 'B', 32, "PIO 2*65k", 32.61}, {3, 'B', 32, "PIO 2*130k", 32.60},
      {3, 'B', 32, "PIO gopen", 38.41},
      {3, 'B', 64, "IS", 18.62}, {3, 'B', 64, "PIO 2*65k", 22.13}, {3, 'B', 64, "PIO 2*130k", 19.42},
      {3, 'B', 64, "PIO gopen", 19.51},
      {3, 'B', 128, "IS", 10.46}, {3, 'B', 128, "PIO 2*65k", 42.51}, {3, 'B', 128, "PIO 2*130k", 20.92},
      {3, 'B', 128, "PIO gopen", 23.01},
      {4, 'A', 32, "IS", 8.17}, {4, 'A', 32, "MP/MP", 9.19},
      {4, 'A', 64, "IS", 4.88}, {4, 'A', 64, "MP/MP", 5.41},
      {4, 'A', 128, "IS", 2.88}, {4, 'A', 128, "MP/MP", 3.72},
      {4, 'B', 32, "IS", 32.32}, {4, 'B', 32, "MP/MP", 35.18},
      {4, 'B', 64, "IS", 18.62}, {4, 'B', 64, "MP/MP", 19.53},
      {4, 'B', 128, "IS", 10.46}, {4, 'B', 128, "MP/MP", 11.37},
  };
  return times;
}

// Trace bytes of each node, the same in both classes.
struct PaperBytes {
  int processes;
  long bytes;
};
inline constexpr PaperBytes kPaperBytes[] = {{8, 39508}, {16, 72148}, {32, 137428}, {64, 267988}, {128, 529108}};

// Table 2: sizes of the loaded program.
struct PaperLoad {
  const char* column;
  long text, data, bss;
};
inline constexpr PaperLoad kPaperLoads[] = {
    {"IS", 173920, 24704, 161088},      {"NOPT", 182880, 25504, 161728},
    {"BF 69k", 183168, 25536, 231392},  {"BF 139k", 183168, 25536, 301024},
    {"BF 348k", 183168, 25536, 509920}, {"BF 609k", 183168, 25536, 771040},
    {"HN", 183264, 25568, 169920}};

// Which mode of ours is the paper's, and in which of its tables. Modes that are not here are in none.
struct PaperMode {
  const char* mode;
  int table;
  const char* column;
};
inline constexpr PaperMode kPaperModes[] = {
    {"none", 1, "IS"},              {"unbuffered", 1, "NOPT"},       {"buffered:64K", 1, "BF 69k"},
    {"buffered:128K", 1, "BF 139k"}, {"buffered:320K", 1, "BF 348k"}, {"buffered:576K", 1, "BF 609k"},
    {"collector", 1, "HN"},         {"async:64K", 3, "PIO 2*65k"},   {"async:128K", 3, "PIO 2*130k"},
    {"writer", 4, "MP/MP"},         {"shared", 4, "MP/SM"}};

}  // namespace parallax::bench
