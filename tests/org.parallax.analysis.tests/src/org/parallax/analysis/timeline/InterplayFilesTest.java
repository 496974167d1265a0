package org.parallax.analysis.timeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.internal.KeptFilesTest;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.Replay;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Collective;
import org.parallax.trace.IndexPlace;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** Waits, messages and the critical path, kept on disk: the same as those of a replay, or not used. */
class InterplayFilesTest {
  private static final int STEP = 16;
  private static final String PATH_NAME = "alone";

  @TempDir Path directory;

  /** Ranks that send each other messages around a ring, and wait for each other in barriers; all of them end. */
  private Path program(long seed) {
    Random random = new Random(seed);
    TraceBuilder builder = new TraceBuilder(directory.resolve("t" + seed));
    int ranks = 2 + random.nextInt(4);
    TracedThread[] threads = new TracedThread[ranks];
    long[] now = new long[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      threads[rank] = builder.process("node" + rank % 2, "/opt/ring").mpi(7, rank, ranks).thread(0).threadBegin(0, -1);
    }
    for (int step = 0; step < 60; step++) {
      for (int rank = 0; rank < ranks; rank++) {
        now[rank] += 1 + random.nextInt(500);
        threads[rank].sample(now[rank], random.nextBoolean() ? "main/solve" : "main/solve/relax");
        int to = (rank + 1) % ranks;
        threads[rank].send(now[rank] + 1, now[rank] + 3, "main/MPI_Send", 1, to, step, 1 + random.nextInt(1_000));
      }
      long[] sent = now.clone();
      for (int rank = 0; rank < ranks; rank++) {
        int from = (rank + ranks - 1) % ranks;
        long end = Math.max(now[rank] + 10, sent[from] + 20 + random.nextInt(50));
        threads[rank].receive(now[rank] + 4, end, "main/MPI_Recv", 1, from, step, 8);
        now[rank] = end;
      }
      if (step % 7 == 6) {
        long last = Arrays.stream(now).max().orElseThrow() + 5;
        for (int rank = 0; rank < ranks; rank++) {
          threads[rank].collective(now[rank] + 1, last, "main/MPI_Barrier", 1, Collective.BARRIER, Kind.NO_ROOT, 0, 0);
          now[rank] = last;
        }
      }
    }
    builder.endThreads();
    return builder.write();
  }

  private static ApplicationAnalysis analysis(Trace trace) {
    return new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0));
  }

  private static ProgramTimeline timeline(ApplicationAnalysis analysis, Function<Progress, Replay> replay, String pathName) {
    return new ProgramTimeline(
        analysis.name(), analysis.workload(), analysis.threads(), replay, STEP, pathName);
  }

  private static ProgramTimeline read(ApplicationAnalysis analysis, Function<Progress, Replay> replay, String pathName) {
    ProgramTimeline timeline = timeline(analysis, replay, pathName);
    timeline.read(new int[0], () -> { }, Progress.NONE);
    timeline.readInterplay(Progress.NONE);
    timeline.readPath(Progress.NONE);
    return timeline;
  }

  private static ProgramTimeline read(Trace trace, boolean isKept) {
    ApplicationAnalysis analysis = analysis(trace);
    return read(analysis, analysis::replay, isKept ? PATH_NAME : null);
  }

  private static Replay none(Progress progress) {
    throw new AssertionError("the path is kept");
  }

  private static boolean isKept(Trace trace) {
    ApplicationAnalysis analysis = analysis(trace);
    return new InterplayFiles(
        analysis.threads(), new StateFiles(analysis.workload().procedures(), STEP), PATH_NAME).read() != null;
  }

  private static List<Path> files(Path trace, String suffix) throws Exception {
    try (Stream<Path> files = Files.list(trace.resolve(IndexPlace.DIRECTORY))) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  private static void assertSame(ProgramTimeline expected, ProgramTimeline found, long seed, String what) {
    StateFilesTest.assertSame(expected, found, seed, what);
    assertArrayEquals(expected.waitNs(Progress.NONE), found.waitNs(Progress.NONE), what);
    assertEquals(expected.warnings(), found.warnings(), what);
    Random random = new Random(seed);
    int[] all = IntStream.range(0, expected.threads().size()).toArray();
    long begin = expected.beginNs();
    long length = expected.endNs() - begin;
    for (int round = 0; round < 20; round++) {
      long from = begin + random.nextLong(length);
      long to = from + 1 + random.nextLong(length);
      int most = 1 + random.nextInt(60);
      assertEquals(expected.messages(all, from, to, most), found.messages(all, from, to, most), what);
      assertEquals(expected.path(from, to, most), found.path(from, to, most), what);
    }
    assertEquals(expected.path(begin, begin + length, 1 << 20), found.path(begin, begin + length, 1 << 20), what);
  }

  @Test
  void whatIsReadFromFilesIsWhatAReplayFinds() throws Exception {
    long messages = 0;
    long waits = 0;
    for (long seed = 1; seed <= 6; seed++) {
      Path path = program(seed);
      try (Trace trace = Trace.open(path)) {
        ProgramTimeline direct = read(trace, false);
        assertFalse(Files.exists(path.resolve(IndexPlace.DIRECTORY)));
        assertFalse(isKept(trace));
        assertSame(direct, read(trace, true), seed, "first, seed " + seed);
        assertTrue(isKept(trace));
        assertEquals(direct.threads().size(), files(path, ".waits").size());
        assertEquals(1, files(path, ".path").size());
      }
      try (Trace trace = Trace.open(path)) {
        ProgramTimeline second = read(analysis(trace), InterplayFilesTest::none, PATH_NAME);
        ProgramTimeline direct = read(trace, false);
        assertSame(direct, second, seed, "second, seed " + seed);
        // Whatever is read first.
        ProgramTimeline waitsFirst = timeline(analysis(trace), InterplayFilesTest::none, PATH_NAME);
        waitsFirst.readInterplay(Progress.NONE);
        waitsFirst.readPath(Progress.NONE);
        waitsFirst.read(new int[0], () -> { }, Progress.NONE);
        StateFilesTest.assertSame(direct, waitsFirst, seed, "waits first");
        second.forget();
        second.read(new int[0], () -> { }, Progress.NONE);
        second.readInterplay(Progress.NONE);
        StateFilesTest.assertSame(direct, second, seed, "again");
        int[] all = IntStream.range(0, direct.threads().size()).toArray();
        messages += direct.messages(all, direct.beginNs(), direct.endNs() + 1, 1 << 20).count();
        waits += Arrays.stream(direct.waitNs(Progress.NONE)).sum();
      }
    }
    assertTrue(messages > 100 && waits > 0, messages + " messages, " + waits + " ns of waits");
  }

  @Test
  void filesAreUsedOnlyTogetherAndOnlyOfExactlyTheseEvents() throws Exception {
    Path path = program(2);
    try (Trace trace = Trace.open(path)) {
      ProgramTimeline direct = read(trace, false);
      read(trace, true);
      List<Path> waits = files(path, ".waits");
      byte[] right = Files.readAllBytes(waits.get(1));
      byte[] damaged = right.clone();
      damaged[damaged.length / 2] ^= 1;
      for (byte[] wrong : new byte[][] {damaged, Arrays.copyOf(right, right.length - 1), Files.readAllBytes(waits.get(0))}) {
        Files.write(waits.get(1), wrong);
        assertFalse(isKept(trace));
        Files.write(waits.get(1), right);
        assertTrue(isKept(trace));
      }
      Files.delete(waits.get(1));
      assertFalse(isKept(trace));
      assertSame(direct, read(trace, true), 1, "replaced");
      assertArrayEquals(right, Files.readAllBytes(waits.get(1)));
      // Another program of the same events has another path.
      ApplicationAnalysis analysis = analysis(trace);
      StateFiles states = new StateFiles(analysis.workload().procedures(), STEP);
      assertNotNull(new InterplayFiles(analysis.threads(), states, PATH_NAME).readPath());
      assertNull(new InterplayFiles(analysis.threads(), states, "other").readPath());
      // And waits of fewer threads are others.
      assertNull(new InterplayFiles(analysis.threads().subList(0, 1), states, PATH_NAME).read());
      // The events of one thread have changed: the waits of none are known.
      try (Stream<Path> events = Files.list(path)) {
        for (Path file : events.filter(each -> each.toString().endsWith(".evt")).toList()) {
          FileTime before = Files.getLastModifiedTime(file);
          boolean isOfProgram = IntStream.range(0, waits.size()).anyMatch(i -> waits.get(i).getFileName().toString()
              .equals(file.getFileName().toString().replace(".evt", ".waits")));
          Files.setLastModifiedTime(file, FileTime.fromMillis(5_000));
          assertEquals(!isOfProgram, isKept(trace), file.toString());
          Files.setLastModifiedTime(file, before);
        }
      }
      assertTrue(isKept(trace));
    }
  }

  @Test
  void aFileThatCannotBeWrittenIsToldOfOnceAndHarmsNothing() throws Exception {
    Path path = program(5);
    try (Trace trace = Trace.open(path)) {
      read(trace, true);
      for (Path file : Stream.concat(files(path, ".waits").stream(), files(path, ".path").stream()).toList()) {
        Files.delete(file);
        KeptFilesTest.refuseWrites(file);
      }
      ProgramTimeline timeline = read(trace, true);
      StateFilesTest.assertSame(read(trace, false), timeline, 1, "without files");
      assertEquals(1, timeline.warnings().stream().filter(each -> each.contains(".waits.new")).count(),
          timeline.warnings().toString());
      assertEquals(List.of(), files(path, ".waits"));
    }
  }
}
