package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.testing.TraceBuilder;

/** Sessions on the command line. */
class SessionTest {
  @TempDir Path directory;

  private Path trace(String name, long ns) {
    TraceBuilder builder = new TraceBuilder(directory.resolve(name));
    builder.mpiJob("node1", "/opt/" + name, 1);
    builder.process(0).thread(0).threadBegin(0, -1).sample(ns, "work");
    return builder.write();
  }

  @Test
  void itIsMadeShownAndReported() throws Exception {
    Path file = directory.resolve("two.parallax");
    Run made = Run.of("session", file, "--replay", trace("a", 1000), "--compare", trace("b", 2000),
        "--active", "./server  --port 1");
    assertEquals("""
        a                    replay      a
        b                    comparison  b
        server               active      server.trace (not recorded yet: --run)
                                         ./server  --port 1
        """, made.out());
    assertEquals(made.out(), Run.of("session", file).out());
    assertTrue(Run.of("report", "metrics", file).err().contains("server.trace"));
    assertEquals(0, Run.of("session", file, "--remove", "server").status());
    Map<String, Object> table = Json.object(Run.of("report", "metrics", "--level", "application",
        "--format", "json", file).out());
    Map<?, ?> elapsed = (Map<?, ?>) ((List<?>) table.get("rows")).get(0);
    // What is there for comparison is no part of the workload, but what it is compared with.
    assertEquals(List.of(1000L, 2000L),
        List.of(elapsed.get("value.new"), elapsed.get("value.base")));
    assertTrue(Run.of("report", "metrics", "--scope", "global", file).out()
        .startsWith("Difference: a less b, Metrics (b)"));
  }

  @Test
  void runsAreRecordedAgainAndOldTracesStay() throws Exception {
    Path recorder = directory.resolve("recorder");
    Files.writeString(recorder, "#!/bin/sh\necho \"$@\" >> lines\n"
        + "while [ \"$1\" != -o ]; do shift; done; mkdir \"$2\" && shift 3 && exec \"$@\"\n");
    assertTrue(recorder.toFile().setExecutable(true));
    String before = System.setProperty("parallax.record", recorder.toString());
    try {
      Path file = directory.resolve("one.parallax");
      Run.of("session", file, "--active", "exit 3", "--name", "x");
      Run run = Run.of("session", file, "--run");
      assertEquals(1, run.status());
      assertTrue(run.err().contains("x exited with status"), run.err());
      Run.of("session", file, "--run");
      assertTrue(Files.isDirectory(directory.resolve("x.trace"))
          && Files.isDirectory(directory.resolve("x.trace-2")));
      assertTrue(Files.readString(file).contains("x.trace-2"));
      Run.of("session", file, "--run", "--sample-hz", "1000", "--monitor", "--external", "a b",
          "--external", "c", "--end-all");
      String lines = Files.readString(directory.resolve("lines"));
      assertTrue(lines.contains(
          "--sample-hz 1000 --monitor=10 --external a b --external c --end-all --quiet -o "), lines);
      Run wrong = Run.of("session", file, "--monitor=5");
      assertEquals(2, wrong.status());
      assertTrue(wrong.err().contains("option --monitor is for recording; add --run"), wrong.err());
    } finally {
      if (before == null) {
        System.clearProperty("parallax.record");
      } else {
        System.setProperty("parallax.record", before);
      }
    }
  }

  @Test
  void badInputIsAnswered() {
    assertEquals(2, Run.of("session", directory.resolve("file")).status());
    Path file = directory.resolve("s.parallax");
    assertTrue(Run.of("session", file).err().contains("there is no session file"));
    assertTrue(Run.of("session", file, "--replay", directory.resolve("none")).err()
        .contains("there is no trace in"));
    Run.of("session", file, "--replay", trace("a", 1000));
    assertTrue(Run.of("session", file, "--remove", "b").err().contains("did you mean a?"));
    assertTrue(Run.of("session", file, "--run").err().contains("has no active run"));
  }
}
