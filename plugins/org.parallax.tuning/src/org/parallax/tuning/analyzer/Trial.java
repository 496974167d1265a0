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
 * periods before and periods after where settings cannot take turns. Periods in which the program's workload is another one
 * do not count, and a trial with too many of them is given up.
 */
final class Trial {
  /** In which a period must get its visits. */
  private static final long PERIOD_NS = 60_000_000_000L;
  /** More pairs or single periods that do not count end the trial. */
  private static final int MOST_LEFT_OUT = 16;

  /** What a trial needs of its subject. */
  interface Host {
    /** Evaluates the metric of a period. */
    double metric(Window window) throws FormulaException;

    Workload workload(Window window);

    /** Gathers the lines of periods for the trial. */
    Gathering gathering(Gathering.Full full);

    /** The trial is at its end: what it shows, or why it was given up. */
    void ended(Gain gain, String givenUp, long nowNs);
  }

  /** A period that is over. */
  private record Past(double cost, Workload workload) {
  }

  private final Verification verification;
  private final Setting setting;
  private final Host host;
  private final Gathering gathering;
  private final PairedTrial pairs;
  /** How far the workloads of the two periods of each pair are apart. */
  private final List<Double> distances = new ArrayList<>();
  private final List<double[]> costs = new ArrayList<>();
  private Past first;
  private final List<Past> before = new ArrayList<>();
  private final List<Past> after = new ArrayList<>();
  private int waited;
  private boolean isActing;
  private int leftOut;
  private long beginNs;
  private boolean isOver;

  Trial(Verification verification, Setting setting, Host host, Random random) {
    this.verification = verification;
    this.setting = setting;
    this.host = host;
    this.gathering = host.gathering(this::close);
    this.pairs = verification.isInterleaved() ? new PairedTrial(verification.pairs(), verification.by(), random) : null;
  }

  void begin(long nowNs) {
    gathering.restart(nowNs);
    turn(nowNs);
  }

  private boolean isNewNext() {
    return pairs == null ? isActing : (first != null) != pairs.isNewFirst();
  }

  /** Begins the next period, after a switch if it needs one. */
  private void turn(long nowNs) {
    beginNs = nowNs;
    boolean on = isNewNext();
    if (on == setting.isOn()) {
      return;
    }
    gathering.stop();
    setting.set(on, nowNs, new Setting.Listener() {
      @Override
      public void settled(long timeNs) {
        gathering.restart(timeNs);
        beginNs = timeNs;
      }

      @Override
      public void failed(String why, long timeNs) {
        end(null, why, Math.max(nowNs, timeNs));
      }

      @Override
      public void late(String why, long timeNs) {
        end(null, why, timeNs);
      }
    });
  }

  void measured(TunedProcess process, List<?> cells, long fromNs, long toNs) {
    gathering.measured(process, cells, fromNs, toNs);
  }

  private void close(Window window, long nowNs) {
    if (isOver) {
      return;
    }
    double cost;
    try {
      double metric = host.metric(window);
      cost = verification.isLowerBetter() ? metric : 1 / metric;
    } catch (FormulaException e) {
      end(null, "the metric has no value: " + e.getMessage(), nowNs);
      return;
    }
    if (!(cost > 0) || Double.isInfinite(cost)) {
      end(null, "the metric is " + cost + ", and must be above zero", nowNs);
      return;
    }
    Past past = new Past(cost, host.workload(window));
    if (pairs == null) {
      closeSingle(past, nowNs);
    } else {
      closeOfPair(past, nowNs);
    }
  }

  /** Before the action, a period that differs from the former ones is the first of those to come. */
  private void closeSingle(Past past, long nowNs) {
    boolean differs = !before.isEmpty() && past.workload().differs(before.get(0).workload());
    if (differs && ++leftOut > MOST_LEFT_OUT) {
      end(null, "the program changes what it does: in " + leftOut + " periods the sizes of messages or the number of processes "
          + "differed from those before by a factor of " + Workload.FACTOR + " and more", nowNs);
      return;
    }
    if (!isActing) {
      if (differs) {
        before.clear();
      } else if (before.size() == BeforeAfter.BEFORE) {
        before.remove(0);
      }
      before.add(past);
      isActing = before.size() == BeforeAfter.BEFORE && (waited++ == BeforeAfter.MOST_WAITED || !BeforeAfter.falls(costs(before)));
    } else if (!differs) {
      after.add(past);
    }
    if (after.size() == BeforeAfter.AFTER || after.size() == BeforeAfter.MORE_AFTER) {
      Gain gain = BeforeAfter.gain(costs(before), costs(after), verification.by());
      if (after.size() == BeforeAfter.MORE_AFTER || !BeforeAfter.isOpen(gain, verification.by())) {
        end(gain, null, nowNs);
        return;
      }
    }
    turn(nowNs);
  }

  private static double[] costs(List<Past> periods) {
    return periods.stream().mapToDouble(Past::cost).toArray();
  }

  private void closeOfPair(Past past, long nowNs) {
    if (first == null) {
      first = past;
      turn(nowNs);
      return;
    }
    boolean isNewFirst = pairs.isNewFirst();
    costs.add(new double[] {isNewFirst ? past.cost() : first.cost(), isNewFirst ? first.cost() : past.cost()});
    distances.add(past.workload().distance(first.workload()));
    first = null;
    pairs.draw();
    count();
    leftOut = costs.size() - pairs.made();
    if (leftOut > MOST_LEFT_OUT) {
      end(null, "the program changes what it does within " + leftOut + " pairs of periods", nowNs);
    } else if (pairs.isComplete() || pairs.isHopeless()) {
      end(pairs.gain(), null, nowNs);
    } else {
      turn(nowNs);
    }
  }

  /**
   * Counts the pairs whose workloads are as far apart as is usual here: an action may itself change the sizes of messages,
   * in each pair alike. The usual distance is the median of all pairs. The rule does not ask which period was which, so
   * that the lot keeps its meaning.
   */
  private void count() {
    double[] sorted = distances.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double usual = sorted[(sorted.length - 1) / 2];
    pairs.clear();
    for (int i = 0; i < costs.size() && !pairs.isComplete(); i++) {
      if (Math.abs(distances.get(i) - usual) <= Workload.FAR) {
        pairs.add(costs.get(i)[0], costs.get(i)[1]);
      }
    }
  }

  /** Time has passed. */
  void tick(long nowNs) {
    setting.tick(nowNs);
    if (!isOver && !gathering.isStopped() && nowNs - beginNs > PERIOD_NS) {
      end(null, "too few visits of " + verification.after().point() + " in " + PERIOD_NS / 1_000_000_000 + " s", nowNs);
    }
  }

  private void end(Gain gain, String givenUp, long nowNs) {
    if (!isOver) {
      isOver = true;
      gathering.stop();
      host.ended(gain, givenUp, nowNs);
    }
  }

  /** Ends it without a result and without telling. */
  void abandon() {
    isOver = true;
    gathering.stop();
  }
}
