package org.parallax.studies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program whose round takes 100 ns, and gains half of a speed-up of {@code work} and nothing of {@code idle}. */
class CozProfilesTest {
  private static final List<String> SOURCE = List.of("// a program", "PROCEDURE void work() {", "  run();", "}",
      "int between;", "PROCEDURE void idle() {", "  wait();", "}");

  private static List<String> run(double baseRoundNs, Object... lineSpeedupRoundNs) {
    List<String> lines = new ArrayList<>(List.of("startup\ttime=1"));
    lines.addAll(experiment("x.cpp:3", 0, 10 * baseRoundNs, 10));
    for (int i = 0; i < lineSpeedupRoundNs.length; i += 3) {
      lines.addAll(experiment("x.cpp:" + lineSpeedupRoundNs[i], (double) lineSpeedupRoundNs[i + 1],
          10 * (double) lineSpeedupRoundNs[i + 2], 10));
    }
    return lines;
  }

  private static List<String> experiment(String line, double speedup, double durationNs, int rounds) {
    return List.of("experiment\tselected=" + line + "\tspeedup=" + speedup + "\tduration=" + durationNs
        + "\tselected-samples=5", "throughput-point\tname=round\tdelta=" + rounds);
  }

  @Test
  void theGainIsReadAtTwiceAsFast() {
    CozProfiles profiles = new CozProfiles(SOURCE,
        List.of(run(100, 3, 0.2, 90.0, 7, 0.4, 100.0), run(100, 3, 0.4, 80.0, 3, 0.9, 1.0)));
    // Above 60 % gains are not proportional: the last experiment counts, but is not in the estimate.
    assertEquals(3, profiles.experiments("work"));
    assertEquals(1, profiles.experiments("idle"));
    assertEquals(25, profiles.estimate("work").value(), 1e-9);
    assertEquals(0, profiles.estimate("work").error(), 1e-6);
    assertEquals(0, profiles.estimate("idle").value(), 1e-9);
  }

  /** With one value each of two runs, the jackknife's error is half their distance. */
  @Test
  void theErrorIsThatOfLeavingOutARun() {
    CozProfiles profiles =
        new CozProfiles(SOURCE, List.of(run(100, 3, 0.5, 80.0), run(100, 3, 0.5, 70.0)));
    assertEquals(25, profiles.estimate("work").value(), 1e-9);
    assertEquals(5, profiles.estimate("work").error(), 1e-6);
  }

  @Test
  void whatIsNotSeenHasNoValue() {
    CozProfiles profiles = new CozProfiles(SOURCE, List.of(run(100, 3, 0.5, 75.0)));
    assertTrue(Double.isNaN(profiles.estimate("idle").value()));
    assertEquals(25, profiles.estimate("work").value(), 1e-9);
    assertTrue(Double.isNaN(profiles.estimate("work").error()), "one run has no error");
    assertTrue(Double.isNaN(new CozProfiles(SOURCE, List.of()).estimate("work").value()));
  }
}
