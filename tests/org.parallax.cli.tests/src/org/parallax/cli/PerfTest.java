package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.record.Agent;
import org.parallax.record.formats.PerfFormat;

/** Samples of Linux perf in the reports, and in the profiles that Parallax exports of them. */
@ExtendWith(BuiltPrograms.class)
class PerfTest {
  private static final long MS = 1_000_000;

  @TempDir static Path directory;

  @BeforeAll
  static void find() {
    assumeTrue(Files.isExecutable(BuiltPrograms.DIRECTORY.resolve("parallax-perf")), "the native programs are not built");
  }

  /** A thread with 6 ms in {@code hot}, of which 2 ms below {@code other}, and 1 ms in {@code other}. */
  private static String text() {
    StringBuilder text = new StringBuilder("# ========\n# captured on    : Sat Nov 28 13:25:11 2026\n# hostname : node7\n#\n");
    for (int i = 1; i <= 7; i++) {
      text.append("app   100/100    10.00").append(i).append("000:    1000000 cpu-clock: \n");
      text.append(i == 7 ? "" : "\t  1194 hot+0x2b (/opt/app)\n").append(i >= 5 ? "\t  1294 other+0x2b (/opt/app)\n" : "");
      text.append("\t  2724a main+0x7a (/opt/app)\n\n");
    }
    return text.toString();
  }

  private static Map<String, Long> rows(Path file, String column) {
    Run run = Run.of("report", "profile", file, "--format", "json");
    assertEquals(0, run.status(), run::err);
    Map<String, Long> times = new HashMap<>();
    for (Object each : (List<?>) Json.object(run.out()).get("rows")) {
      Map<?, ?> row = (Map<?, ?>) each;
      times.put((String) row.get("name"), Math.round(((Number) row.get(column)).doubleValue()));
    }
    return times;
  }

  @Test
  void samplesAreWorthTheirPeriods() throws IOException {
    Path file = Files.writeString(directory.resolve("samples.txt"), text());
    Map<String, Long> cpu = rows(file, "cpu");
    assertEquals(6 * MS, cpu.get("hot"));
    assertEquals(MS, cpu.get("other"));
    Map<String, Long> inclusive = rows(file, "inclusive");
    assertEquals(3 * MS, inclusive.get("other"));
    assertEquals(7 * MS, inclusive.get("main"));
    Run check = Run.of("check", file);
    assertEquals(0, check.status(), check::out);
    assertTrue(check.out().contains("sound"), check::out);
    Run info = Run.of("info", file);
    assertTrue(info.out().contains("perf script, 7 records, 0 left out"), info::out);
    assertTrue(info.out().contains("from the samples and context switches of another tool"), info::out);
    assertTrue(info.err().contains("samples stand for 100.0 % of the threads' time"), info::err);
  }

  @Test
  void exportsHaveTheSumsOfTheText() throws IOException {
    Path file = Files.writeString(directory.resolve("exported.perf"), text());
    Run callgrind = Run.of("export", "callgrind", file);
    assertEquals(0, callgrind.status(), callgrind::err);
    assertTrue(callgrind.out().matches("(?s).*\n(totals|summary): " + 7 * MS + "\\b.*"), callgrind::out);
    Run speedscope = Run.of("export", "speedscope", file);
    assertEquals(0, speedscope.status(), speedscope::err);
    Map<?, ?> profile = (Map<?, ?>) ((List<?>) Json.object(speedscope.out()).get("profiles")).get(0);
    double length = ((Number) profile.get("endValue")).doubleValue() - ((Number) profile.get("startValue")).doubleValue();
    assertEquals(7 * MS, length, 1);
    Path half = Files.writeString(directory.resolve("half.perf"), text().replace("1000000 cpu", " 500000 cpu"));
    Run compare = Run.of("compare", "profile", file, half);
    assertEquals(0, compare.status(), compare::err);
    assertTrue(compare.out().contains("hot"), compare::out);
  }

  @Test
  void onlyFilesOfPerfAreTakenForSome() throws IOException {
    PerfFormat format = new PerfFormat(Agent::named);
    Map<String, String> others = Map.of("notes.perf", "hello\n", "list.txt", "1 2 3\n", "empty.perf", "",
        "log.txt", "12:00:01 server 12 started: yes\n", "table.csv", "a,1,2.5:\n");
    for (Map.Entry<String, String> other : others.entrySet()) {
      assertFalse(format.isTrace(Files.writeString(directory.resolve(other.getKey()), other.getValue())), other.getKey());
    }
    for (String text : List.of("java 12688 [002] 6544038.708352: cpu-clock: \n\t7f a (b)\n", "PERFILE2",
        "    perf 1 1.000001: sched:sched_switch: a:1 [120] S ==> b:2 [120]\n",
        "a b 1/2 1.000001:   17 cycles:u:  7f a+0x1 (b)\n", "java 12688 [002] cpu-clock: \n",
        "x 1 0.000000: PERF_RECORD_COMM: x:1/1\n")) {
      assertTrue(format.isTrace(Files.writeString(directory.resolve("some"), text)), text);
    }
  }

  @Test
  void aFileWithoutSamplesIsRefusedWithItsName() throws IOException {
    Path file = Files.writeString(directory.resolve("none.perf"), "# captured on : today\n");
    Run run = Run.of("info", file);
    assertEquals(1, run.status());
    assertTrue(run.err().contains(file + " is no file of perf"), run::err);
  }
}
