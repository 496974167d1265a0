/* What is told of the trips of a run. */
#pragma once

/* How long the shortest of `few` trips is on the mean, of all ways to take them of the `count` sorted ones. The shortest of all
 * would be the shorter the more trips there are: of two settings that are alike, the one whose run had more of them would seem to
 * be faster. `few` is at least 1 and at most `count`.
 *
 * The trip at place i is the shortest of those taken in C(count - 1 - i, few - 1) of C(count, few) ways. */
static inline double least_of_few(const double *sorted, int count, int few) {
  double share = (double)few / count, sum = 0;
  for (int i = 0; i + few <= count; i++) {
    sum += share * sorted[i];
    if (i + 1 < count) share *= (double)(count - few - i) / (count - 1 - i);
  }
  return sum;
}
