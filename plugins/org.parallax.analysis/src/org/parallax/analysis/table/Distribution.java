package org.parallax.analysis.table;

import java.util.Arrays;

/** How times are spread over the parts of a program, in a cell of a table: small bars. */
public final class Distribution {
  public static final String KEY = "distribution";
  public static final Column COLUMN = new Column(KEY, "distribution", Unit.TEXT);
  private static final int MOST_BARS = 16;
  private static final String BARS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";

  private Distribution() {
  }

  /** @return how high each of the bars is, from 0 for no time to 1 */
  public static double[] heights(String bars) {
    return bars.chars().mapToDouble(bar -> (BARS.indexOf(bar) + 1.0) / BARS.length()).toArray();
  }

  /** @return a bar for each part, or for the mean of each group of neighbours; a point for no time */
  public static String bars(long[] times) {
    int count = Math.min(MOST_BARS, times.length);
    double[] means = new double[count];
    double most = 0;
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) i * times.length / count);
      int to = (int) ((long) (i + 1) * times.length / count);
      means[i] = Arrays.stream(times, from, to).average().orElse(0);
      most = Math.max(most, means[i]);
    }
    StringBuilder text = new StringBuilder();
    for (double each : means) {
      text.append(each == 0 ? '\u00b7' : BARS.charAt((int) Math.min(BARS.length() - 1,
          each / most * BARS.length())));
    }
    return text.toString();
  }
}
