package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.record.Agent;
import org.parallax.trace.Collective;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Traces that are written as archives of OTF2 give the same answers when they are read again. */
@ExtendWith(BuiltPrograms.class)
class ExportRoundTripTest {
  private static final int RANKS = 4;
  private static final long MS = 1_000_000;
  private static final int WORLD = 1;
  private static final int MUTEX = 1;

  @TempDir static Path directory;
  private static Path trace;
  private static Path archive;
  private static Run exported;

  @BeforeAll
  static void exportTrace() {
    assumeTrue(Files.isExecutable(BuiltPrograms.DIRECTORY.resolve("parallax-otf2")), "libotf2-trace-dev is not installed");
    trace = writeTrace();
    archive = directory.resolve("archive");
    exported = Run.of("export", "otf2", trace, "-o", archive);
    assertEquals(0, exported.status(), exported::err);
  }

  /** A ring of late senders, collectives blocking and not, and a thread of each rank that holds a lock. */
  private static Path writeTrace() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("run1")).tsc(2_100_000_000L);
    builder.mpiJob("node1", "/opt/ring", RANKS);
    for (int rank = 0; rank < RANKS; rank++) {
      TracedProcess process = builder.process(rank).noCpuClock();
      List.of("main", "step", "worker").forEach(process::region);
      int lock = process.syncObject(MUTEX, 0x1000);
      int metric = process.metric(false, true, "residual", "K");
      TracedThread main = process.thread(0).threadBegin(0, -1).enter(MS, "main")
          .collective(2 * MS, (8 + RANKS) * MS, "main/MPI_Init", WORLD, Collective.INIT, Kind.NO_ROOT, 0, 0);
      long from = 20 * MS + rank * 3 * MS;
      main.create(13 * MS, 14 * MS, "main/pthread_create", 1).enter(15 * MS, "main/step");
      if (rank > 0) {
        main.receive(16 * MS, from, "main/step/MPI_Recv", WORLD, rank - 1, 7, 4096);
      }
      if (rank < RANKS - 1) {
        main.send(from + MS, from + MS + MS / 10, "main/step/MPI_Send", WORLD, rank + 1, 7, 4096);
      }
      long round = 50 * MS;
      main.irecv(round, round + 1000, "main/step/MPI_Irecv", WORLD, (rank + 1) % RANKS, 8, 100 + rank)
          .isend(round + MS * (rank + 1), round + MS * (rank + 1) + 2000, "main/step/MPI_Isend", WORLD,
              (rank + RANKS - 1) % RANKS, 8, 1 << 20, 200 + rank)
          .waitReceive(round + 5 * MS, round + 10 * MS, "main/step/MPI_Wait", WORLD, (rank + 1) % RANKS, 8, 1 << 20,
              100 + rank)
          .waitSend(round + 10 * MS, round + 10 * MS + 500, "main/step/MPI_Wait", 200 + rank)
          .event(round + 11 * MS, Kind.VALUE, metric, Double.doubleToRawLongBits(rank / 2.0) & 0xFFFFFFFFL,
              Double.doubleToRawLongBits(rank / 2.0) >>> 32);
      long sequence = main.icollective(70 * MS + rank * MS, 70 * MS + rank * MS + 300, "main/step/MPI_Iallreduce", WORLD,
          Collective.ALLREDUCE, Kind.NO_ROOT, 8, 8);
      main.waitCollective(75 * MS, 76 * MS, "main/step/MPI_Wait", WORLD, Collective.ALLREDUCE, Kind.NO_ROOT, 8, 8,
          sequence).leave(77 * MS);
      main.acquire(80 * MS, 85 * MS, "main/pthread_mutex_lock", lock, 2).release(86 * MS, lock, 2)
          .join(87 * MS, 90 * MS, "main/pthread_join", 1)
          .collective(91 * MS + rank * MS, 96 * MS, "main/MPI_Bcast", WORLD, Collective.BCAST, 0,
              rank == 0 ? 64 : 0, rank == 0 ? 0 : 64)
          .leave(100 * MS).threadEnd(100 * MS);
      process.thread(1, 0, "helper").threadBegin(14 * MS, 0).enter(14 * MS, "worker")
          .acquire(15 * MS, 15 * MS, "worker/pthread_mutex_lock", lock, 1).release(85 * MS, lock, 1).leave(90 * MS)
          .threadEnd(90 * MS);
      process.exit(100 * MS, 0);
    }
    return builder.write();
  }

  /** Call paths that were walked, with samples: calling contexts in the archive. */
  private static Path writeWalkedTrace() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("walked"));
    builder.mpiJob("node1", "/opt/ring", RANKS);
    for (int rank = 0; rank < RANKS; rank++) {
      TracedProcess process = builder.process(rank).noCpuClock().setting("sample-clock", "wall");
      TracedThread main = process.thread(0).threadBegin(0, -1).sample(MS, "main/init");
      for (int round = 0; round < 20; round++) {
        long from = (2 + round * 10) * MS;
        main.sample(from, round % 2 == 0 ? "main/solve" : "main/solve/inner")
            .sample(from + MS, "main/solve/inner")
            .send(from + (1 + rank) * MS, from + (1 + rank) * MS + 5000, "main/exchange/MPI_Send", WORLD,
                (rank + 1) % RANKS, 7, 4096)
            .receive(from + (1 + rank) * MS + 20_000, from + 6 * MS, "main/exchange/MPI_Recv", WORLD, (rank + RANKS - 1) % RANKS, 7, 4096);
      }
      main.sample(203 * MS, "main").threadEnd(204 * MS);
      process.exit(204 * MS, 3);
    }
    return builder.write();
  }

  @Test
  void walkedCallPathsAndSamplesAreTheSame() {
    Path walked = writeWalkedTrace();
    Path written = directory.resolve("contexts");
    Run run = Run.of("export", "otf2", walked, "-o", written);
    assertEquals(0, run.status(), run::err);
    assertEquals("", run.err().replaceAll("parallax: warning: the archive has no records.*\n", ""));
    for (String report : List.of("profile", "waits")) {
      Map<String, Long> expected = rows(walked, report);
      assertFalse(expected.isEmpty(), report);
      assertSame(expected, rows(written, report), report);
    }
    // The import does not tell call sites of one function apart, which changes to whom time without samples belongs.
    Map<String, Long> path = rows(walked, "critical-path");
    Map<String, Long> pathAgain = rows(written, "critical-path");
    assertEquals(sum(path), sum(pathAgain), 1000.0);
    for (String name : List.of("MPI_Recv node1:ring[3] null", "Msg: node1:ring[3]->node1:ring[0] node1:ring[0] null")) {
      assertEquals(path.get(name), pathAgain.get(name), 1000.0, name);
    }
    assertEquals(Run.of("export", "collapsed", walked).out(), Run.of("export", "collapsed", written).out());
  }

  private static long sum(Map<String, Long> rows) {
    return rows.values().stream().mapToLong(Long::longValue).sum();
  }

  private static Map<String, Long> rows(Path of, String... report) {
    List<Object> line = new ArrayList<>(List.of("report"));
    line.addAll(List.of(report));
    line.addAll(List.of(of, "--format", "json"));
    Run run = Run.of(line.toArray());
    assertEquals(0, run.status(), run::err);
    Map<String, Long> rows = new TreeMap<>();
    for (Object each : (List<?>) Json.object(run.out()).get("rows")) {
      Map<?, ?> row = (Map<?, ?>) each;
      rows.merge(row.get("name") + " " + row.get("where") + " " + row.get("procedure"),
          ((Number) row.get("time")).longValue(), Long::sum);
    }
    return rows;
  }

  /** Clocks of ticks are converted to nanoseconds, which rounds. */
  private static void assertSame(Map<String, Long> expected, Map<String, Long> found, String what) {
    assertEquals(expected.keySet(), found.keySet(), what);
    expected.forEach((name, ns) -> assertEquals(ns, found.get(name), 200.0, what + " " + name));
  }

  @Test
  void waitsAreTheSame() {
    Map<String, Long> waits = rows(trace, "waits");
    assertTrue(waits.keySet().stream().anyMatch(name -> name.startsWith("late sender")), waits::toString);
    assertTrue(waits.keySet().stream().anyMatch(name -> name.startsWith("lock contention")), waits::toString);
    assertTrue(waits.keySet().stream().anyMatch(name -> name.startsWith("join wait")), waits::toString);
    assertSame(waits, rows(archive, "waits"), "waits");
  }

  @Test
  void theProfileIsTheSame() {
    assertSame(rows(trace, "profile"), rows(archive, "profile"), "profile");
  }

  @Test
  void theCriticalPathIsTheSame() {
    assertSame(rows(trace, "critical-path"), rows(archive, "critical-path"), "critical path");
  }

  @Test
  void aSecondExportWritesTheSameRecords() throws Exception {
    Path again = directory.resolve("again");
    Run run = Run.of("export", "otf2", archive, "-o", again);
    assertEquals(0, run.status(), run::err);
    assertEquals(records(archive), records(again));
  }

  /** The names and times of records as the field's own program prints them. */
  private static List<String> records(Path of) throws IOException, InterruptedException {
    Process print = new ProcessBuilder("otf2-print", of.resolve("traces.otf2").toString()).redirectErrorStream(true)
        .start();
    String out = new String(print.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, print.waitFor(), out);
    assertFalse(out.toLowerCase().contains("error") || out.contains("INVALID"), out);
    return out.lines().filter(line -> line.matches("[A-Z_]+ +\\d+ .*")).map(line -> line.replaceAll("<\\d+>", ""))
        .toList();
  }

  @Test
  void theFieldsProgramReadsAllRecords() throws Exception {
    assumeTrue(Stream.of(System.getenv("PATH").split(":")).anyMatch(each -> Files.isExecutable(Path.of(each, "otf2-print"))),
        "otf2-tools is not installed");
    List<String> records = records(archive);
    for (String kind : List.of("PROGRAM_BEGIN", "ENTER", "LEAVE", "MPI_SEND", "MPI_RECV", "MPI_ISEND", "MPI_IRECV",
        "MPI_ISEND_COMPLETE", "MPI_IRECV_REQUEST", "MPI_COLLECTIVE_BEGIN", "MPI_COLLECTIVE_END",
        "NON_BLOCKING_COLLECTIVE_REQUEST", "NON_BLOCKING_COLLECTIVE_COMPLETE", "THREAD_CREATE", "THREAD_BEGIN",
        "THREAD_WAIT", "THREAD_ACQUIRE_LOCK", "THREAD_RELEASE_LOCK", "METRIC", "PROGRAM_END")) {
      assertTrue(records.stream().anyMatch(line -> line.startsWith(kind + " ")), kind + records);
    }
    assertTrue(records.stream().anyMatch(line -> line.startsWith("MPI_RECV ") && line.contains("4096")), records::toString);
  }

  @Test
  void timesThatWereCorrectedAreWritten() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("two-machines")).tsc(2_100_000_000L)
        .clock("node2", ns -> ns + 3 * MS);
    for (int rank = 0; rank < 2; rank++) {
      builder.process("node" + (rank + 1), "/opt/heat").mpi(7, rank, 2);
    }
    TracedThread receiver = builder.process(0).thread(0).threadBegin(0, -1);
    TracedThread sender = builder.process(1).thread(0).threadBegin(0, -1);
    for (long ns = 10 * MS; ns < 100 * MS; ns += 10 * MS) {
      sender.send(ns, ns + MS / 100, "main/MPI_Send", WORLD, 0, 0, 8);
      receiver.receive(ns - MS, ns + MS, "main/MPI_Recv", WORLD, 1, 0, 8);
    }
    Path shifted = builder.endThreads().write();
    Map<String, Long> recorded = rows(shifted, "waits");
    assertEquals(0, Run.of("clocks", shifted).status());
    Map<String, Long> corrected = rows(shifted, "waits");
    assertNotEquals(recorded, corrected);
    Path written = directory.resolve("corrected");
    assertEquals(0, Run.of("export", "otf2", shifted, "-o", written).status());
    assertSame(corrected, rows(written, "waits"), "waits");
  }

  @Test
  void badInputIsAnsweredAndLeavesNothing() throws IOException {
    Run exists = Run.of("export", "otf2", trace, "-o", archive);
    assertEquals(1, exists.status());
    assertTrue(exists.err().contains("archive exists already; remove it or choose another name with -o"), exists::err);
    assertEquals(2, Run.of("export", "otf2", trace).status());
    assertEquals(2, Run.of("export", "otf2", trace, "--phase", "0%..50%", "-o", directory.resolve("x")).status());
    Run none = Run.of("export", "otf2", trace, "-o", directory.resolve("no/archive"));
    assertEquals(1, none.status());
    assertTrue(none.err().contains("cannot be written: there is no directory"), none::err);
    System.setProperty(Agent.RECORDER_PROPERTY, directory.resolve("parallax-record").toString());
    try {
      Run missing = Run.of("export", "otf2", trace, "-o", directory.resolve("missing"));
      assertEquals(1, missing.status());
      assertTrue(missing.err().contains("Install Debian's libotf2-trace-dev"), missing::err);
    } finally {
      BuiltPrograms.use();
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertTrue(files.noneMatch(each -> each.getFileName().toString().matches("missing|\\.parallax-export.*")));
    }
  }
}
