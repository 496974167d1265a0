package org.parallax.testing;

import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/**
 * Repeats measurements whose truth needs processors that other programs leave alone.
 *
 * <p>A test passes when one attempt finds the right times. It fails when all attempts find wrong ones and the
 * machine was quiet in one of them. It is skipped, with the share that others took, when all attempts find wrong
 * times and others took the processors in each of them. This process and the recorder are not among those
 * others, so a test whose program tells that it waited for a processor throws {@link LostProcessors}.
 * An attempt beside other tests of {@code ./parallax test} that finds wrong times does not count. Before the next one those
 * are paused, or have ended. Only {@link WrongTime} is repeated: any other failure ends the test at once.
 */
public final class QuietMachine {
  /** How often most tests measure. */
  public static final int ATTEMPTS = 3;

  private static final int BRIEF = 150;

  private QuietMachine() {
  }

  /** A time, or what follows from times, is not what it must be on a quiet machine. */
  public static class WrongTime extends AssertionError {
    private static final long serialVersionUID = 1;

    /** @param message what was expected and what was found */
    public WrongTime(String message) {
      super(message);
    }

    private WrongTime(AssertionError cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** The measured program itself tells that others had its processors; then no time of it can be right. */
  public static final class LostProcessors extends WrongTime {
    private static final long serialVersionUID = 1;

    /** @param message what was to be executed and how long it had no processor */
    public LostProcessors(String message) {
      super(message);
    }
  }

  /** A measurement; its number is 1, 2, ... */
  public interface Attempt {
    /** Measures, and throws {@link WrongTime} where times are wrong. */
    void run(int number) throws Exception;
  }

  /** Assertions about times. */
  public interface Check {
    /** Throws {@link AssertionError} where times are wrong. */
    void run() throws Exception;
  }

  /** Measures {@value #ATTEMPTS} times at most. */
  public static void measure(Attempt attempt) throws Exception {
    measure(ATTEMPTS, attempt);
  }

  /** Measures until times are right, but no more than so many times. */
  public static void measure(int attempts, Attempt attempt) throws Exception {
    measure(attempts, attempt, OtherLoad::new);
  }

  static void measure(int attempts, Attempt attempt, Supplier<OtherLoad> load) throws Exception {
    OtherLoad others = load.get();
    if (!others.isBesideTests()) {
      measureAlone(1, attempts, attempt, others, load);
      return;
    }
    try {
      attempt.run(1);
    } catch (WrongTime wrong) {
      System.out.printf("attempt 1, beside other tests: %s%n", brief(wrong));
      Runnable resume = others.silenceTestsBeside();
      try {
        measureAlone(2, attempts + 1, attempt, load.get(), load);
      } finally {
        resume.run();
      }
    }
  }

  /** The attempts from number {@code first} to {@code last}. */
  private static void measureAlone(int first, int last, Attempt attempt, OtherLoad load, Supplier<OtherLoad> next)
      throws Exception {
    WrongTime quiet = null;
    double share = 1;
    OtherLoad others = load;
    for (int number = first;; number++) {
      try {
        attempt.run(number);
        return;
      } catch (WrongTime wrong) {
        if (!others.isBusy() && !(wrong instanceof LostProcessors)) {
          quiet = wrong;
        }
        share = Math.min(share, others.share());
        System.out.printf(Locale.ROOT, "attempt %d, others took %.1f %% of the processors: %s%n", number,
            100 * others.share(), brief(wrong));
        if (number < last) {
          others = next.get();
          continue;
        }
        if (quiet != null) {
          throw quiet;
        }
        Assumptions.abort(String.format(Locale.ROOT, "other programs took at least %.1f %% of the processors in "
            + "each of %d attempts; the last one found: %s", 100 * share, last - first + 1, brief(wrong)));
      }
    }
  }

  /** Messages can have whole tables in them: their begin and their end. */
  private static String brief(WrongTime wrong) {
    String text = String.valueOf(wrong.getMessage());
    return text.length() <= 2 * BRIEF ? text
        : text.substring(0, BRIEF) + " ... " + text.substring(text.length() - BRIEF);
  }

  /** Makes what assertions about times throw a {@link WrongTime}. */
  public static void times(Check check) throws Exception {
    try {
      check.run();
    } catch (AssertionError wrong) {
      throw new WrongTime(wrong);
    }
  }
}
