package org.parallax.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What other programs take of the processors from here on, the hypervisor's others included. This process and
 * its children that have ended are not among the others.
 */
public class OtherLoad {
  /** Names the process in which {@code ./parallax test} runs other tests beside these. */
  private static final String BESIDE = "PARALLAX_TEST_BESIDE";
  /** Whether most tests here measure times, so that the first of them pauses what is beside until all have ended. */
  private static final boolean MEASURES_MOST = Boolean.getBoolean("parallax.measuresMost");
  /** The longest of those beside takes two minutes while it runs beside others. */
  private static final long PAUSE_LIMIT_MS = 150_000;
  /** Of all processors. Below it a machine is quiet. */
  public static final double MOST_SHARE = 0.025;
  /** The kernel counts in these, and can count one for each processor too many. */
  private static final double TICK_S = 0.01;
  /** Fields of /proc/self/stat behind the name: user and system time, and those of children that have ended. */
  private static final int FIRST_TIME = 11;
  private static final int TIMES = 4;

  private final int processors = Runtime.getRuntime().availableProcessors();
  private final long beginNs = System.nanoTime();
  private final double allS = allS();
  private final double ownS = ownS();
  private final Optional<ProcessHandle> besideTests =
      Optional.ofNullable(System.getenv(BESIDE)).flatMap(process -> ProcessHandle.of(Long.parseLong(process)));

  /** @return seconds of processors that others took since, never negative */
  public double seconds() {
    return Math.max(0, allS() - allS - (ownS() - ownS));
  }

  /** @return the part of all processors that others took since */
  public double share() {
    return seconds() / (processors * elapsedS());
  }

  /** Whether others took enough of the processors since to be the cause of wrong times. */
  public boolean isBusy() {
    return seconds() > processors * (MOST_SHARE * elapsedS() + TICK_S);
  }

  /** Whether other tests were running beside this one when this was made. */
  public boolean isBesideTests() {
    return besideTests.isPresent();
  }

  /**
   * Waits until no test runs beside this one: pauses those tests, or awaits their end. Where most tests measure times, the
   * end of the tests is awaited, and builds are paused until this program ends.
   *
   * @return lets them go on
   */
  public Runnable silenceTestsBeside() throws Exception {
    if (besideTests.isEmpty()) {
      return () -> { };
    }
    TestsBeside beside = new TestsBeside(besideTests.get());
    if (MEASURES_MOST) {
      beside.awaitTests();
    }
    if (!beside.pause(PAUSE_LIMIT_MS)) {
      beside.awaitEnd();
    } else if (!MEASURES_MOST) {
      return beside::resume;
    }
    return () -> { };
  }

  private double elapsedS() {
    return Math.max(1, System.nanoTime() - beginNs) / 1e9;
  }

  /** Of all processors: user, nice, system, interrupts and what the hypervisor gave to others. */
  private static double allS() {
    String[] words = read("/proc/stat").split("\n", 2)[0].trim().split(" +");
    long ticks = 0;
    for (int field : new int[] {1, 2, 3, 6, 7, 8}) {
      ticks += Long.parseLong(words[field]);
    }
    return ticks * TICK_S;
  }

  private static double ownS() {
    String stat = read("/proc/self/stat");
    String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    long ticks = 0;
    for (int field = FIRST_TIME; field < FIRST_TIME + TIMES; field++) {
      ticks += Long.parseLong(words[field]);
    }
    return ticks * TICK_S;
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
