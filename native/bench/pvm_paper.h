// The figures that Morajko et al. 2003 print (Dynamic Performance Tuning of Distributed Programming Libraries, Tables 1
// to 3): round trips in milliseconds between workstations of 440 MHz on a network of 100 Mb/s.
#pragma once

namespace parallax::bench {

// Tables 1 and 2: with fragments of 4 KB; XDR and the direct route stand in both, measured twice.
struct PaperRoundTrips {
  int bytes;
  double indirectXdr, directXdr;       // Table 1
  double directXdrAgain, directRaw;    // Table 2
};
inline constexpr PaperRoundTrips kPaperRoundTrips[] = {
    {1, 1.08, 0.53, 0.53, 0.51},
    {10, 1.09, 0.54, 0.53, 0.52},
    {100, 1.15, 0.61, 0.61, 0.58},
    {1000, 1.77, 1.18, 1.17, 0.98},
    {10000, 10.66, 8.51, 8.53, 3.28},
    {100000, 104.95, 84.17, 84.69, 23.36},
    {1000000, 1059.64, 861.37, 873.90, 227.37}};

// Table 3: the direct route, by fragment size. Its times are those of XDR in Table 1.
inline constexpr int kPaperFragmentsKb[] = {4, 16, 64, 256, 512};
struct PaperFragments {
  int kilobytes;
  double milliseconds[5];
};
inline constexpr PaperFragments kPaperFragments[] = {
    {2, {1.77, 1.75, 1.77, 1.76, 1.79}},
    {4, {4.54, 2.51, 2.51, 2.51, 2.50}},
    {8, {7.99, 4.13, 4.14, 4.25, 4.12}},
    {64, {55.64, 34.11, 29.47, 27.08, 26.85}},
    {256, {226.45, 133.08, 113.31, 107.99, 104.93}},
    {512, {460.66, 264.40, 224.41, 214.75, 212.99}},
    {1024, {920.62, 525.61, 443.56, 426.94, 425.02}},
    {4096, {3730.53, 2105.77, 1739.84, 1666.26, 1657.24}}};

}  // namespace parallax::bench
