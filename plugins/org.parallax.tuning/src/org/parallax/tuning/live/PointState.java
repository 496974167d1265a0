package org.parallax.tuning.live;

import java.util.List;

/**
 * A measure point, and what has arrived of it.
 *
 * @param name as the lines of the monitor name it
 * @param routines what it measures
 * @param key by what visits are told apart
 * @param isOn whether it is measured now
 * @param processes in how many processes; -1 for all
 * @param visits since the start of the session
 * @param bytes since the start of the session
 * @param ns in the routines, since the start of the session
 * @param rates how fast visits and bytes have arrived, in the order of time
 */
public record PointState(String name, List<String> routines, String key, boolean isOn, int processes, double visits,
    double bytes, double ns, List<Rates.Rate> rates) {
  /** How many of the last rates are the present one. */
  private static final int PRESENT = 4;

  /** @return visits in a second, recently */
  public double visitRate() {
    return recent().stream().mapToDouble(Rates.Rate::visits).average().orElse(0);
  }

  /** @return bytes in a second, recently */
  public double byteRate() {
    return recent().stream().mapToDouble(Rates.Rate::bytes).average().orElse(0);
  }

  private List<Rates.Rate> recent() {
    return rates.subList(Math.max(0, rates.size() - PRESENT), rates.size());
  }
}
