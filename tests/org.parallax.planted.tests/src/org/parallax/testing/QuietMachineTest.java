package org.parallax.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class QuietMachineTest {
  /**
   * In the attempts of letter b others take the processors. Those of letter t are beside other tests, and count for nothing;
   * the others are made while those are silent.
   */
  private static int measure(String load, QuietMachine.Attempt attempt) throws Exception {
    int[] made = {0};
    StringBuilder beside = new StringBuilder();
    try {
      QuietMachine.measure(load.replace("t", "").length(), attempt, () -> new OtherLoad() {
        private final char letter = load.charAt(made[0]++);
        private final boolean busy = letter == 'b';

        @Override
        public boolean isBesideTests() {
          return letter == 't';
        }

        @Override
        public Runnable silenceTestsBeside() {
          beside.append("silent after " + made[0]);
          return () -> beside.append(", go on after " + made[0]);
        }

        @Override
        public boolean isBusy() {
          return busy;
        }

        @Override
        public double share() {
          return busy ? 0.25 : 0;
        }
      });
    } finally {
      assertEquals(load.startsWith("t") && made[0] > 1 ? "silent after 1, go on after " + made[0] : "",
          beside.toString());
    }
    return made[0];
  }

  private static void wrong(int number) {
    throw new QuietMachine.WrongTime(number + " ms");
  }

  @Test
  void rightTimesPassHoweverBusyTheMachineIs() throws Exception {
    assertEquals(1, measure("bbb", number -> { }));
    assertEquals(3, measure("bqb", number -> {
      if (number < 3) {
        wrong(number);
      }
    }));
  }

  @Test
  void wrongTimesFailWhereOneAttemptWasQuiet() {
    for (String load : List.of("q", "qqq", "qbb", "bbq")) {
      assertThrows(QuietMachine.WrongTime.class, () -> measure(load, QuietMachineTest::wrong), load);
    }
  }

  @Test
  void wrongTimesAreSkippedWhereOthersTookTheProcessorsInEachAttempt() {
    TestAbortedException skipped =
        assertThrows(TestAbortedException.class, () -> measure("bbb", QuietMachineTest::wrong));
    assertEquals("other programs took at least 25.0 % of the processors in each of 3 attempts; the last one "
        + "found: 3 ms", skipped.getMessage());
  }

  @Test
  void attemptsBesideOtherTestsDoNotCount() throws Exception {
    assertEquals(1, measure("tqb", number -> { }));
    assertEquals(4, measure("tbbb", number -> {
      if (number < 4) {
        wrong(number);
      }
    }));
    assertThrows(QuietMachine.WrongTime.class, () -> measure("tbq", QuietMachineTest::wrong));
    assertThrows(TestAbortedException.class, () -> measure("tbb", QuietMachineTest::wrong));
  }

  @Test
  void whatIsNoTimeFailsAtOnce() {
    List<Integer> made = new ArrayList<>();
    assertThrows(AssertionError.class, () -> measure("bbb", number -> {
      made.add(number);
      assertEquals(1, 2);
    }));
    assertEquals(List.of(1), made);
  }

  /** A child that still runs is not yet one of the test's own processes. */
  @Test
  void othersAreTheProgramsThatAreNotOfTheTest() throws Exception {
    OtherLoad load = new OtherLoad();
    long seconds = 1;
    Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    try {
      long ns = 0;
      // It has used so much of a processor, however long that took.
      while (ns < seconds * 1_000_000_000L) {
        Thread.sleep(50);
        ns = busy.info().totalCpuDuration().orElseThrow().toNanos();
      }
      assertTrue(load.seconds() > 0.9 * seconds, load.seconds() + " s");
      assertTrue(load.isBusy() || load.share() < OtherLoad.MOST_SHARE, load.share() + " of the processors");
    } finally {
      busy.destroyForcibly().waitFor();
    }
  }
}
