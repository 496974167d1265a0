package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitListener;
import org.parallax.analysis.reports.ProfileReport;
import org.parallax.analysis.reports.WaitsReport;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.time.TimeCheck;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Finding;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceChecker;

/**
 * What a trace of the last events tells is what a trace of all of them tells of the same time. The whole trace has the
 * states at which blocks can be given back; its copy is cut as the agent would have cut it.
 */
class PlantedKeepLastTest {
  private static final int BLOCK_BYTES = 65536;
  private static final int AT_KEPT_FROM = 56;
  private static final int KIND_SHIFT = 57;
  private static final int KEPT_STATE = 35;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"openmpi, 1, 3000", "mpich, 2, 2500"})
  void theLastEventsTellTheSameAsAllOfThem(String mpi, String threads, String messages) throws Exception {
    try (Recording whole = Recording.of(directory, List.of("--keep-last", "1h"), List.of(Recording.mpirun(mpi), "-n", "2",
        Recording.program("thread_messages." + mpi), threads, messages))) {
      Path copy = directory.resolve("copy");
      int cut = cut(directory.resolve("trace"), copy);
      assertTrue(cut >= 2, cut + " threads with a state to begin at");
      assertEquals(List.of(), TraceChecker.check(copy, Progress.NONE).findings().stream()
          .filter(finding -> finding.severity() != Finding.Severity.INFO).toList());
      try (Trace trace = Trace.open(copy)) {
        long fromNs = trace.keptFromNs();
        assertTrue(fromNs > 0 && fromNs < trace.durationNs(), fromNs + " of " + trace.durationNs());
        List<String> last = told(trace.processes(), fromNs);
        List<String> all = told(whole.analysis().workload().processes(), fromNs);
        assertFalse(all.isEmpty());
        assertEquals(String.join("\n", all), String.join("\n", last));
        reportsAreTheSame(whole, copy, fromNs);
        assertTrue(trace.warnings().stream().anyMatch(text -> text.startsWith("only the last 1h were kept")));
      }
    }
  }

  /** Without a phase, reports on the last events are about the time for which all threads have them. */
  private static void reportsAreTheSame(Recording whole, Path copy, long fromNs) throws Exception {
    LoadedSession session = SessionBuilder.open(List.of(copy), Progress.NONE);
    try {
      ApplicationAnalysis last = new ApplicationAnalysis(session.getApplications().get(0));
      assertEquals(fromNs, last.window().beginNs());
      assertEquals(List.of(), TimeCheck.of(session.traces().get(0), Progress.NONE));
      ApplicationAnalysis all = whole.analysis().during(new Phase("last", last.window()));
      assertEquals(rows(WaitsReport.of(all, Level.THREAD, false, null, Progress.NONE), ""),
          rows(WaitsReport.of(last, Level.THREAD, false, null, Progress.NONE), ""));
      // The first sample stands for less: that before it is not there.
      assertEquals(rows(ProfileReport.of(all, Level.PROCEDURE, null, Progress.NONE), "MPI_"),
          rows(ProfileReport.of(last, Level.PROCEDURE, null, Progress.NONE), "MPI_"));
    } finally {
      SessionBuilder.close(session);
    }
  }

  /** Without shares and what is drawn of them. */
  private static String rows(Table table, String prefix) {
    return table.rows().stream().filter(row -> row.name().startsWith(prefix))
        .map(row -> row.name() + " " + row.values().stream().filter(Long.class::isInstance).toList())
        .collect(Collectors.joining("\n"));
  }

  /** What happened from a moment on, in the order of threads and times. */
  private static List<String> told(List<ProcessTrace> processes, long fromNs) {
    List<String> lines = new ArrayList<>();
    Replay replay = Replay.momentsOf(processes, Progress.NONE, new WaitListener() {
      private void tell(ThreadRecord thread, long sinceNs, Object what) {
        if (sinceNs > fromNs) {
          lines.add(thread.process().mpi().worldRank() + "." + thread.thread().id() + " " + sinceNs + " " + what);
        }
      }

      @Override
      public void waited(ThreadRecord thread, ArcKind kind, int detail, int path, long beginNs, long untilNs, long cause) {
        tell(thread, beginNs, "waits until " + untilNs + " for " + kind + " " + detail + " in " + path);
      }

      @Override
      public void began(ThreadRecord thread, long createdNs, long cause) {
        tell(thread, createdNs, "is created");
      }

      @Override
      public void received(ThreadRecord thread, ArcKind kind, long bytes, long sentNs, long receivedNs, long from) {
        tell(thread, sentNs, "gets " + bytes + " bytes at " + receivedNs);
      }

      @Override
      public void left(ThreadRecord thread, long key, long sequence, int size, int detail, int path, long beginNs,
          long endNs) {
        tell(thread, beginNs, "leaves " + sequence + " of " + size + " at " + endNs);
      }
    });
    assertEquals(List.of(), replay.warnings());
    lines.sort(null);
    return lines;
  }

  /** @return how many threads of the copy begin at a state: one of the first ones, or the last one, in turns */
  private static int cut(Path trace, Path copy) throws IOException {
    Files.createDirectories(copy);
    List<Path> files;
    try (Stream<Path> all = Files.list(trace)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    int cut = 0;
    for (Path file : files) {
      Path target = Files.copy(file, copy.resolve(file.getFileName()));
      if (!file.toString().endsWith(".evt")) {
        continue;
      }
      try (FileChannel events = FileChannel.open(target, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        List<Integer> states = states(events);
        if (!states.isEmpty()) {
          int from = states.get(cut++ % 2 == 0 ? 0 : states.size() - 1);
          events.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(from).flip(), AT_KEPT_FROM);
          for (int block = 1; block < from; block++) {
            events.write(ByteBuffer.allocate(BLOCK_BYTES), (long) block * BLOCK_BYTES);
          }
        }
      }
    }
    return cut;
  }

  private static List<Integer> states(FileChannel events) throws IOException {
    List<Integer> states = new ArrayList<>();
    ByteBuffer slot = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    for (int block = 1; (long) (block + 1) * BLOCK_BYTES <= events.size(); block++) {
      events.read(slot.clear(), (long) block * BLOCK_BYTES + 64);
      if (slot.getLong(0) >>> KIND_SHIFT == KEPT_STATE) {
        states.add(block);
      }
    }
    return states;
  }
}
