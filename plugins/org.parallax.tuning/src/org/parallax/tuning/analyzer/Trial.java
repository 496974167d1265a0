package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.parallax.tuning.formula.FormulaException;
import org.parallax.tuning.model.Verification;
import org.parallax.tuning.verify.BeforeAfter;
import org.parallax.tuning.verify.Gain;
import org.parallax.tuning.verify.PairedTrial;

/**
 * Verifies an action by its metric: periods with the old and the new setting in pairs, their order drawn by lot; or
 * periods before and periods after where settings cannot take turns. A pair during which the program's workload changes
 * does not count.
 */
final class Trial {
  /** In which a period must get its visits. */
  private static final long PERIOD_NS = 60_000_000_000L;
  private static final int MOST_BAD_PAIRS = 16;

  /** What a trial needs of its subject. */
  interface Host {
    /** Evaluates the metric of a period. */
    double metric(Window window) throws FormulaException;

    Workload workload(Window window);

    String wireName(String point);

    /** Whether lines of several processes make a period, which then ends between two rounds of lines. */
    boolean isOfSeveral();

    long intervalNs();

    /** The trial is at its end: what it shows, or why it was given up. */
    void ended(Gain gain, String givenUp, long nowNs);
  }

  private final Verification verification;
  private final Setting setting;
  private final Host host;
  private final PairedTrial pairs;
  private final List<Double> before = new ArrayList<>();
  private final List<Double> after = new ArrayList<>();
  private Period period;
  private long beginNs;
  private long readyNs = -1;
  private boolean isSecond;
  private double firstCost;
  private Workload firstWorkload;
  /** How far the workloads of the two periods of the first pair are apart. */
  private double usualDistance = -1;
  private int badPairs;
  private boolean isOver;

  Trial(Verification verification, Setting setting, Host host, Random random) {
    this.verification = verification;
    this.setting = setting;
    this.host = host;
    this.pairs = verification.isInterleaved() ? new PairedTrial(verification.pairs(), verification.by(), random) : null;
  }

  void begin(long nowNs) {
    period = new Period(nowNs);
    turn(nowNs);
  }

  private boolean isNewNext() {
    return pairs == null ? before.size() == BeforeAfter.PERIODS : isSecond != pairs.isNewFirst();
  }

  /** Begins the next period, after a switch if it needs one. */
  private void turn(long nowNs) {
    readyNs = -1;
    beginNs = nowNs;
    boolean on = isNewNext();
    if (on == setting.isOn()) {
      period = period.next();
      return;
    }
    period = null;
    setting.set(on, nowNs, new Setting.Listener() {
      @Override
      public void settled(long timeNs) {
        period = new Period(timeNs);
        beginNs = timeNs;
      }

      @Override
      public void failed(String why, long timeNs) {
        end(null, why, Math.max(nowNs, timeNs));
      }
    });
  }

  void measured(List<?> cells, long fromNs, long toNs) {
    if (readyNs >= 0 && toNs >= readyNs + host.intervalNs() / 2) {
      close(toNs);
    }
    if (isOver || period == null) {
      return;
    }
    period.add(cells, fromNs, toNs);
    if (readyNs < 0 && period.visits(host.wireName(verification.after().point())) >= verification.after().count()) {
      readyNs = toNs;
      if (!host.isOfSeveral()) {
        close(toNs);
      }
    }
  }

  private void close(long nowNs) {
    double cost;
    try {
      double metric = host.metric(period.window());
      cost = verification.isLowerBetter() ? metric : 1 / metric;
    } catch (FormulaException e) {
      end(null, "the metric has no value: " + e.getMessage(), nowNs);
      return;
    }
    if (!(cost > 0) || Double.isInfinite(cost)) {
      end(null, "the metric is " + cost + ", and must be above zero", nowNs);
      return;
    }
    if (pairs == null) {
      closeSingle(cost, nowNs);
    } else {
      closeOfPair(cost, host.workload(period.window()), nowNs);
    }
  }

  private void closeSingle(double cost, long nowNs) {
    (before.size() < BeforeAfter.PERIODS ? before : after).add(cost);
    if (after.size() == BeforeAfter.PERIODS) {
      end(BeforeAfter.gain(array(before), array(after), verification.by()), null, nowNs);
    } else {
      turn(nowNs);
    }
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private void closeOfPair(double cost, Workload workload, long nowNs) {
    if (!isSecond) {
      firstCost = cost;
      firstWorkload = workload;
      isSecond = true;
      turn(nowNs);
      return;
    }
    boolean isNewFirst = pairs.isNewFirst();
    isSecond = false;
    // An action may itself change the sizes of messages, in each pair alike. The rule does not ask which period was which,
    // so that the lot keeps its meaning.
    double distance = workload.distance(firstWorkload);
    if (usualDistance < 0 && distance < Double.POSITIVE_INFINITY) {
      usualDistance = distance;
    }
    if (!(Math.abs(distance - usualDistance) <= Workload.FAR)) {
      if (++badPairs > MOST_BAD_PAIRS) {
        end(null, "the program changes what it does within " + badPairs + " pairs of periods", nowNs);
        return;
      }
    } else {
      pairs.add(isNewFirst ? cost : firstCost, isNewFirst ? firstCost : cost);
    }
    if (pairs.isComplete() || pairs.isHopeless()) {
      end(pairs.gain(), null, nowNs);
    } else {
      turn(nowNs);
    }
  }

  /** Time has passed. */
  void tick(long nowNs) {
    setting.tick(nowNs);
    if (!isOver && period != null && nowNs - beginNs > PERIOD_NS) {
      end(null, "too few visits of " + verification.after().point() + " in " + PERIOD_NS / 1_000_000_000 + " s", nowNs);
    }
  }

  private void end(Gain gain, String givenUp, long nowNs) {
    if (!isOver) {
      isOver = true;
      host.ended(gain, givenUp, nowNs);
    }
  }

  /** Ends it without a result and without telling. */
  void abandon() {
    isOver = true;
  }
}
