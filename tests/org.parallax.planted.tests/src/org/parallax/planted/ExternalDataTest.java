package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.metrics.MetricsReport;
import org.parallax.analysis.phases.ProgramPhases;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.trace.Progress;

/** What monitors see of a real program, by their clocks, and what the trace says, by its own. */
class ExternalDataTest {
  private static final double NS = 1e9;
  /** Readings are 4 ms apart, and other programs can come between a reading and its time. */
  private static final double TOLERANCE_S = 0.06;

  @TempDir Path directory;

  private static double row(ApplicationAnalysis analysis, Level level, String name) {
    Table table = MetricsReport.of(analysis, level, null, Progress.NONE);
    return ((Number) table.rows().stream().filter(row -> row.name().equals(name)).findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in " + table)).values().get(0))
        .doubleValue() / NS;
  }

  /** A monitor of the time that the kernel says a process has run. */
  private String monitor(Path pidFile) throws Exception {
    Path script = Files.writeString(directory.resolve("run.py"), String.join("\n", "import time",
        "print('parallax-series 1\\nobject application phases\\nmetric run counter s\\ndata')",
        "while True:",
        "  try:",
        "    with open('/proc/%s/schedstat' % open('" + pidFile + "').read().strip()) as file:",
        "      ns = int(file.read().split()[0])",
        "      print('%.6f %.9f' % (time.time(), ns / 1e9), flush=True)",
        "  except (OSError, IndexError): pass",
        "  time.sleep(0.004)", ""));
    return "exec python3 " + script;
  }

  @Test
  void whatTheyGrowByInAPhaseIsWhatTheProgramDidInIt() throws Exception {
    Path pidFile = directory.resolve("pid");
    try (Recording run = Recording.of(directory,
        List.of("--monitor=50", "--external", monitor(pidFile)),
        List.of("sh", "-c", "echo $$ > " + pidFile + "; exec " + Recording.program("phases")
            + " 400"))) {
      ApplicationAnalysis analysis = run.analysis();
      assertEquals(List.of(), analysis.traceWarnings().stream()
          .filter(warning -> warning.contains("external")).toList());
      ProgramPhases phases = ProgramPhases.of(analysis, null, Progress.NONE);
      Window first = phases.window("solve", 1);
      Window second = phases.window("solve", 2);
      Window pause = new Window(first.endNs(), second.beginNs());
      // In the first phase the script is still being started.
      for (Window window : List.of(first, second, pause)) {
        ApplicationAnalysis part = analysis.during(new Phase("part", window));
        double cpu = row(part, Level.APPLICATION, "CPU time");
        double seen = row(part, Level.APPLICATION, "external:run");
        assertEquals(cpu, seen, TOLERANCE_S, "from " + window.beginNs());
        // All of the machine did at least that, and no more than it has processors.
        double machine = row(part, Level.MACHINE, "external:cpu-user")
            + row(part, Level.MACHINE, "external:cpu-system");
        double seconds = (window.endNs() - window.beginNs()) / NS;
        assertTrue(machine > cpu - TOLERANCE_S, machine + " for " + cpu);
        assertTrue(machine < seconds * Runtime.getRuntime().availableProcessors() + TOLERANCE_S,
            machine + " in " + seconds);
      }
      assertTrue(row(analysis.during(new Phase("solve", phases.window("solve"))),
          Level.APPLICATION, "external:run") > 3 * TOLERANCE_S, "there is something to see");
    }
  }
}
