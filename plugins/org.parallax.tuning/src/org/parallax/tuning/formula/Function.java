package org.parallax.tuning.formula;

import java.util.Arrays;
import java.util.Locale;
import org.parallax.tuning.formula.Measurements.Sum;

/** A function of formulas over what is measured. */
public enum Function {
  /** Visits of a point. */
  COUNT(1, 3, "visits of a point"),
  /** Bytes of a point. */
  SUM(1, 3, "bytes of a point"),
  /** The same as sum. */
  BYTES(1, 3, "bytes of a point"),
  /** Mean size. */
  MEAN(1, 3, "mean size in bytes"),
  /** Standard deviation of the sizes. */
  DEVIATION(1, 3, "standard deviation of the sizes in bytes"),
  /** Time in the routines. */
  TIME(1, 3, "seconds in the routines of a point"),
  /** Visits in a second. */
  RATE(1, 3, "visits of a point in a second"),
  /** Size that a share does not exceed. */
  QUANTILE(2, 2, "size in bytes that a share of the visits does not exceed"),
  /** Time of the measurement. */
  ELAPSED(0, 0, "seconds of the measurement"),
  /** Judged processes. */
  PROCESSES(0, 0, "processes that are judged together"),
  /** Processes of the program. */
  TASKS(0, 0, "processes of the program that run"),
  /** Hosts. */
  HOSTS(0, 0, "hosts"),
  /** Different architectures. */
  ARCHITECTURES(0, 0, "different architectures of the hosts"),
  /** Hosts with shared memory. */
  SHARED_MEMORY_HOSTS(0, 0, "hosts on which tasks talk by shared memory"),
  /** What an action set. */
  STATE(1, 2, "what an action set or an answer told; else the second argument"),
  /** Value of a variable of the program. */
  VARIABLE(1, 1, "value of a variable that the program declares"),
  /** Its least value. */
  LEAST(1, 1, "least value of a variable that the program declares"),
  /** Its largest value. */
  MOST(1, 1, "largest value of a variable that the program declares"),
  /** Limited to a range. */
  CLAMP(3, 3, "a number limited to a range"),
  /** Sum over processes. */
  TOTAL(1, 1, "sum of a formula of own over the processes"),
  /** Highest of processes. */
  HIGHEST(1, 1, "highest value of a formula of own"),
  /** Lowest of processes. */
  LOWEST(1, 1, "lowest value of a formula of own"),
  /** Part of a whole number. */
  PORTION(3, 3, "part of a whole number for this process, in proportion to a formula of own");

  private final int least;
  private final int most;
  private final String about;

  Function(int least, int most, String about) {
    this.least = least;
    this.most = most;
    this.about = about;
  }

  /** @return as formulas write it */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** @return what it is, in words */
  public String about() {
    return about;
  }

  /** @return whether the first argument is a measure point */
  boolean isOfPoint() {
    return ordinal() <= QUANTILE.ordinal();
  }

  /** @return whether it needs the sizes of the point, with these many arguments */
  boolean needsSizes(int arguments) {
    return this == QUANTILE || isOfPoint() && arguments > 1;
  }

  /** @return which argument is the name of a formula for each process, or below zero */
  int ownArgument() {
    return this == PORTION ? 1 : this == TOTAL || this == HIGHEST || this == LOWEST ? 0 : -1;
  }

  /** @return what is wrong with a number of arguments, or null */
  String fault(int arguments) {
    if (arguments >= least && arguments <= most) {
      return null;
    }
    String wanted = least == most ? Integer.toString(least) : least + " to " + most;
    return word() + " takes " + wanted + (most == 1 ? " argument" : " arguments") + ", not " + arguments;
  }

  /**
   * Its value.
   *
   * @throws NoValue when there is none, as of the mean size of no visits
   */
  Object of(Measurements measured, Object[] arguments) throws NoValue {
    return switch (this) {
      case ELAPSED -> measured.elapsedSeconds();
      case PROCESSES -> (double) measured.processes();
      case TASKS -> (double) measured.tasks();
      case HOSTS -> (double) measured.hosts();
      case ARCHITECTURES -> (double) measured.architectures();
      case SHARED_MEMORY_HOSTS -> (double) measured.sharedMemoryHosts();
      case STATE -> known(measured.state(text(arguments[0])), arguments.length > 1 ? arguments[1] : null,
          "nothing is known of " + arguments[0]);
      case VARIABLE -> known(measured.variable(text(arguments[0]), "value"), null, undeclared(arguments[0]));
      case LEAST, MOST -> known(measured.variable(text(arguments[0]), word()), null, undeclared(arguments[0]));
      case CLAMP -> Math.max(number(arguments[1]), Math.min(number(arguments[2]), number(arguments[0])));
      case TOTAL -> Arrays.stream(own(measured, arguments[0])).sum();
      case HIGHEST -> Arrays.stream(own(measured, arguments[0])).max().getAsDouble();
      case LOWEST -> Arrays.stream(own(measured, arguments[0])).min().getAsDouble();
      case PORTION -> portion(measured, arguments);
      case QUANTILE -> finite(measured.quantile(text(arguments[0]), number(arguments[1])), arguments[0]);
      default -> ofPoint(measured, text(arguments[0]), arguments.length > 1 ? number(arguments[1]) : 0,
          arguments.length > 2 ? number(arguments[2]) : arguments.length > 1 ? Double.POSITIVE_INFINITY : 0);
    };
  }

  private static double[] own(Measurements measured, Object name) throws NoValue {
    double[] values = measured.own(text(name));
    if (values.length == 0) {
      throw new NoValue("there is no process with a value of " + name);
    }
    return values;
  }

  private static double portion(Measurements measured, Object[] arguments) throws NoValue {
    double[] weights = own(measured, arguments[1]);
    if (measured.place() < 0) {
      throw new NoValue("portion has a value for each process, and none for all of them");
    }
    double total = number(arguments[0]);
    if (!(total <= Portions.MOST)) {
      throw new NoValue("portion divides at most " + Portions.MOST + ", not " + total);
    }
    return Portions.of((int) total, weights, (int) number(arguments[2]))[measured.place()];
  }

  private double ofPoint(Measurements measured, String point, double from, double to) throws NoValue {
    double visits = measured.sum(point, Sum.VISITS, from, to);
    switch (this) {
      case COUNT:
        return visits;
      case SUM, BYTES:
        return measured.sum(point, Sum.BYTES, from, to);
      case TIME:
        return measured.sum(point, Sum.NS, from, to) / 1e9;
      case RATE:
        if (measured.elapsedSeconds() <= 0) {
          throw new NoValue("no time has passed");
        }
        return visits / measured.elapsedSeconds();
      default:
        if (visits == 0) {
          throw new NoValue("there are no visits of " + point);
        }
        double mean = measured.sum(point, Sum.BYTES, from, to) / visits;
        return this == MEAN ? mean
            : Math.sqrt(Math.max(0, measured.sum(point, Sum.SQUARES, from, to) / visits - mean * mean));
    }
  }

  private static String undeclared(Object name) {
    return "the program declares no variable " + name;
  }

  private static Object known(Object value, Object other, String otherwise) throws NoValue {
    if (value == null && other == null) {
      throw new NoValue(otherwise);
    }
    return value == null ? other : value;
  }

  private static double finite(double value, Object point) throws NoValue {
    if (Double.isNaN(value)) {
      throw new NoValue("there are no visits of " + point);
    }
    return value;
  }

  private static String text(Object value) throws NoValue {
    if (value instanceof String text) {
      return text;
    }
    throw new NoValue("a name is needed, not " + value);
  }

  private static double number(Object value) throws NoValue {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    throw new NoValue("a number is needed, not " + value);
  }

  /** A function has no value. */
  static final class NoValue extends Exception {
    private static final long serialVersionUID = 1L;

    NoValue(String message) {
      super(message);
    }
  }
}
