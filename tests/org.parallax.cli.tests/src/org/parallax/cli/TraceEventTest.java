package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.record.Agent;
import org.parallax.record.formats.TraceEventFormat;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Traces of Chrome and Perfetto in the reports, and those that Parallax exported itself. */
@ExtendWith(BuiltPrograms.class)
class TraceEventTest {
  private static final long MS = 1_000_000;
  private static final int WORLD = 1;
  private static final int MUTEX = 1;
  private static final int RANKS = 3;

  @TempDir static Path directory;

  @BeforeAll
  static void find() {
    assumeTrue(Files.isExecutable(BuiltPrograms.DIRECTORY.resolve("parallax-perfetto")), "the native programs are not built");
  }

  /** Messages that come late, and a lock that a thread of each rank holds. */
  private static Path writeTrace(Path target) {
    TraceBuilder builder = new TraceBuilder(target);
    builder.mpiJob("node1", "/opt/ring", RANKS);
    for (int rank = 0; rank < RANKS; rank++) {
      TracedProcess process = builder.process(rank).noCpuClock();
      List.of("main", "step", "worker").forEach(process::region);
      int lock = process.syncObject(MUTEX, 0x1000);
      TracedThread main = process.thread(0).threadBegin(0, -1).enter(0, "main").enter(MS, "main/step");
      for (int round = 0; round < 5; round++) {
        long from = 10 * MS * round + rank * MS + 2 * MS;
        if (rank > 0) {
          main.receive(10 * MS * round + 2 * MS, from + 345, "main/step/MPI_Recv", WORLD, rank - 1, 7, 4096);
        }
        if (rank < RANKS - 1) {
          main.send(from + MS - 1000, from + MS, "main/step/MPI_Send", WORLD, rank + 1, 7, 4096);
        }
      }
      main.leave(60 * MS).acquire(60 * MS, 85 * MS + 1, "main/pthread_mutex_lock", lock, 2).release(86 * MS, lock, 2)
          .leave(100 * MS).threadEnd(100 * MS);
      process.thread(1, 0, "helper").threadBegin(14 * MS, 0).enter(14 * MS, "worker")
          .acquire(15 * MS, 15 * MS, "worker/pthread_mutex_lock", lock, 1).release(85 * MS, lock, 1).leave(90 * MS)
          .threadEnd(90 * MS);
      process.exit(100 * MS, 0);
    }
    return builder.write();
  }

  /** The slices of an export by process, thread, name, begin and duration; and how many arrows it has. */
  private static Map<String, Integer> slices(Path trace) {
    Run run = Run.of("export", "chrome", "--scope", "global", trace);
    assertEquals(0, run.status(), run::err);
    Map<String, String> names = new HashMap<>();
    Map<String, Integer> slices = new TreeMap<>();
    for (Object each : (List<?>) Json.object(run.out()).get("traceEvents")) {
      Map<?, ?> event = (Map<?, ?>) each;
      String process = event.get("pid") + " ";
      if (event.get("ph").equals("M")) {
        String name = ((Map<?, ?>) event.get("args")).get("name").toString();
        names.put(process + (event.get("name").equals("process_name") ? "" : event.get("tid")), name);
      } else if (event.get("ph").equals("X")) {
        String where = names.get(process).replace("localhost: ", "") + ", " + names.get(process + event.get("tid"));
        slices.merge(where + ": " + event.get("name") + " " + event.get("ts") + " " + event.get("dur"), 1, Integer::sum);
      } else if (event.get("ph").equals("s")) {
        slices.merge("arrows", 1, Integer::sum);
      }
    }
    return slices;
  }

  private static Map<String, String> profile(Path trace) {
    Run run = Run.of("report", "profile", "--scope", "global", trace, "--format", "json");
    assertEquals(0, run.status(), run::err);
    Map<String, String> times = new TreeMap<>();
    for (Object each : (List<?>) Json.object(run.out()).get("rows")) {
      Map<?, ?> row = (Map<?, ?>) each;
      if (!row.get("name").equals("[flow]")) {
        times.merge((String) row.get("name"), row.get("time") + " " + row.get("inclusive"), (a, b) -> a + " and " + b);
      }
    }
    return times;
  }

  private static double messages(Path trace) {
    Run run = Run.of("report", "comm", "--scope", "global", trace, "--format", "json");
    assertEquals(0, run.status(), run::err);
    double messages = 0;
    for (Object each : (List<?>) Json.object(run.out()).get("rows")) {
      messages += ((Number) ((Map<?, ?>) each).get("messages")).doubleValue();
    }
    return messages;
  }

  @Test
  void whatIsExportedGivesTheSameSlicesProfileAndMessages() throws IOException {
    Path trace = writeTrace(directory.resolve("run1"));
    Map<String, Integer> exported = slices(trace);
    int arrows = exported.remove("arrows");
    assertTrue(arrows > 5, () -> arrows + " arrows");  // messages, and locks
    assertTrue(exported.containsKey("node1: ring[1], main: MPI_Recv 2000.0 1000.345"), exported::toString);
    for (String format : List.of("chrome", "perfetto")) {
      Path file = directory.resolve(format.equals("chrome") ? "run1.json" : "run1.perfetto-trace");
      Run export = Run.of("export", format, trace, "-o", file);
      assertEquals(0, export.status(), export::err);
      Map<String, Integer> again = slices(file);
      again.remove("arrows");  // those of messages for which nobody waits are not exported
      assertEquals(exported, again, format);
      assertEquals(profile(trace), profile(file), format);
      assertEquals(arrows, messages(file), format);
      Run check = Run.of("check", file);
      assertEquals(0, check.status(), check::out);
    }
  }

  private static final String EVENTS = """
      [{"name": "solve", "ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 2000},
      {"name": "MPI_Recv", "ph": "X", "pid": 1, "tid": 1, "ts": 2000, "dur": 500.5, "args": {"peer": 3}},
      {"name": "sample", "ph": "P", "pid": 1, "tid": 1, "ts": 2000},
      """;

  @Test
  void theReportsShowWhatIsThereAndWarnOfTheRest() throws IOException {
    Path file = directory.resolve("cut.json");
    Files.writeString(file, EVENTS + "{\"name\": \"cu");
    assertEquals(Map.of("solve", "2000000.0 2000000.0", "MPI_Recv", "500500.0 500500.0").keySet(), profile(file).keySet());
    Run info = Run.of("info", file);
    assertTrue(info.out().contains("Trace Event Format (JSON), 3 records, 1 left out"), info::out);
    assertTrue(info.out().matches("(?s).*\npeer +1 +0 +1\n.*"), info::out);
    Run report = Run.of("report", "profile", file);
    assertTrue(report.err().contains(file + ", at byte " + Files.size(file) + ": the file ends"), report::err);
  }

  @Test
  void aPackedFileOpens() throws IOException {
    Path file = directory.resolve("packed.json.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(EVENTS.getBytes(StandardCharsets.UTF_8));
    }
    assertEquals(List.of("MPI_Recv", "solve"), new ArrayList<>(profile(file).keySet()));
  }

  @Test
  void otherFilesAreNoTraces() throws IOException {
    TraceEventFormat format = new TraceEventFormat(Agent::named);
    Map<String, String> others = Map.of("package.json", "{\"name\": \"traceEvents\"}", "list.json", "[1, 2]",
        "rows.json", "[{\"phase\": \"B\"}]", "water.json", "[{\"ph\": \"7.4\"}]",
        "events.txt", EVENTS, "empty.json", "", "bad.json.gz", "no gzip");
    for (Map.Entry<String, String> other : others.entrySet()) {
      Path file = Files.writeString(directory.resolve(other.getKey()), other.getValue());
      assertFalse(format.isTrace(file), other.getKey());
    }
    assertTrue(format.isTrace(Files.writeString(directory.resolve("go.json"), "\uFEFF {\"a\": 1,\n\"traceEvents\":[]}")));
    assertFalse(format.isTrace(Files.createDirectories(directory.resolve("folder.pftrace"))));
  }

  @Test
  void aFileThatIsNoTraceIsRefusedWithItsName() throws IOException {
    Path file = Files.writeString(directory.resolve("no.pftrace"), "hello");
    Run run = Run.of("info", file);
    assertEquals(1, run.status());
    assertTrue(run.err().contains(file + " is no trace of Chrome or Perfetto"), run::err);
  }
}
