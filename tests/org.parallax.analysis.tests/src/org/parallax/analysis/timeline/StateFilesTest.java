package org.parallax.analysis.timeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.internal.KeptFilesTest;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.SampledThreads;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.IndexPlace;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/** What threads do when, kept on disk: the same pictures as from the events, or not used. */
class StateFilesTest {
  private static final int STEP = 16;

  @TempDir Path directory;

  private Path program(long seed) {
    Path target = directory.resolve("t" + seed);
    return seed % 3 == 0 ? SampledThreads.write(seed, target, 3, 300) : RandomPrograms.write(seed, target, 3, 300);
  }

  private static ProgramTimeline timeline(Trace trace, boolean isKept) {
    ApplicationAnalysis analysis = ApplicationAnalysis.global(SessionBuilder.of(trace).getApplications());
    return new ProgramTimeline(
        analysis.name(), analysis.workload(), analysis.threads(), analysis::replay, STEP, isKept ? "all" : null);
  }

  private static ProgramTimeline read(Trace trace, boolean isKept) {
    ProgramTimeline timeline = timeline(trace, isKept);
    timeline.read(new int[0], () -> { }, Progress.NONE);
    return timeline;
  }

  private static List<Path> files(Path trace) throws IOException {
    try (Stream<Path> files = Files.list(trace.resolve(IndexPlace.DIRECTORY))) {
      return files.filter(file -> file.toString().endsWith(".states")).sorted().toList();
    }
  }

  private static List<Path> eventFiles(Path trace) throws IOException {
    try (Stream<Path> files = Files.list(trace)) {
      return files.filter(file -> file.toString().endsWith(".evt")).sorted().toList();
    }
  }

  private static StateIndex kept(ProgramTimeline timeline, ThreadRecord record) {
    return new StateFiles(timeline.workload().procedures(), STEP).read(record);
  }

  private static List<ThreadRecord> keepable(ProgramTimeline timeline) {
    return timeline.threads().stream().filter(record -> IndexPlace.of(record.thread()) != null).toList();
  }

  /** Pictures of random parts of the time, exact ones and those of shares, and all that a tip tells. */
  static void assertSame(ProgramTimeline expected, ProgramTimeline found, long seed, String what) {
    Random random = new Random(seed);
    int threads = expected.threads().size();
    int[][] lanes = IntStream.range(0, threads + 1)
        .mapToObj(i -> i < threads ? new int[] {i} : IntStream.range(0, threads).toArray()).toArray(int[][]::new);
    long begin = expected.beginNs();
    long length = expected.endNs() - begin;
    for (int round = 0; round < 12; round++) {
      long from = begin - length / 10 + random.nextLong(length);
      long to = from + 1 + random.nextLong(round % 2 == 0 ? length : 1 + length / 20);
      int columns = 1 + random.nextInt(200);
      for (boolean exact : new boolean[] {true, false}) {
        StateColumns columnsExpected = expected.states(lanes, from, to, columns, exact, Progress.NONE);
        StateColumns columnsFound = found.states(lanes, from, to, columns, exact, Progress.NONE);
        assertEquals(columnsExpected.quality(), columnsFound.quality());
        assertArrayEquals(columnsExpected.states(), columnsFound.states(), what);
      }
      for (int[] lane : lanes) {
        assertEquals(expected.shares(lane, from, to), found.shares(lane, from, to), what);
      }
      int thread = random.nextInt(threads);
      assertEquals(expected.at(thread, from), found.at(thread, from), what);
      if (expected.isRead(thread)) {
        int state = random.nextInt(expected.stateCount());
        assertEquals(expected.occurrences(thread, Progress.NONE).next(each -> each == state, from),
            found.occurrences(thread, Progress.NONE).next(each -> each == state, from), what);
      }
    }
    assertArrayEquals(expected.longest(100), found.longest(100), what);
  }

  @Test
  void picturesFromFilesAreThoseFromEvents() throws Exception {
    for (long seed = 1; seed <= 9; seed++) {
      Path path = program(seed);
      try (Trace trace = Trace.open(path)) {
        ProgramTimeline direct = read(trace, false);
        assertFalse(Files.exists(path.resolve(IndexPlace.DIRECTORY)));
        ProgramTimeline first = read(trace, true);
        assertEquals(List.of(), first.warnings());
        assertSame(direct, first, seed, "first, seed " + seed);
        assertTrue(keepable(first).size() > 1);
        assertEquals(keepable(first).size(), files(path).size());
      }
      for (Path file : files(path)) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
      }
      try (Trace trace = Trace.open(path)) {
        ProgramTimeline direct = read(trace, false);
        ProgramTimeline second = read(trace, true);
        keepable(second).forEach(record -> assertNotNull(kept(second, record)));
        assertSame(direct, second, seed, "second, seed " + seed);
        // With waits, whose sums are made from those of the file.
        direct.readInterplay(Progress.NONE);
        second.readInterplay(Progress.NONE);
        assertSame(direct, second, seed, "waits, seed " + seed);
      }
      for (Path file : files(path)) {
        assertEquals(1_000, Files.getLastModifiedTime(file).toMillis(), file.toString());
      }
    }
  }

  @Test
  void workThatWasEndedGoesOnWithTheOtherThreads() throws Exception {
    Path path = program(1);
    try (Trace trace = Trace.open(path)) {
      ProgramTimeline ended = timeline(trace, true);
      int[] keepable = keepable(ended).stream().mapToInt(ThreadRecord::index).toArray();
      assertThrows(CancellationException.class, () -> ended.read(keepable, () -> {
        throw new CancellationException();
      }, Progress.NONE));
      List<Path> some = files(path);
      assertTrue(some.size() > 0);
      for (Path file : some) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
      }
      ProgramTimeline whole = read(trace, true);
      assertEquals(keepable(whole).size(), files(path).size());
      for (Path file : files(path)) {
        assertEquals(some.contains(file), Files.getLastModifiedTime(file).toMillis() == 1_000, file.toString());
      }
    }
  }

  @Test
  void filesThatAreDamagedOrOfOtherEventsAreReplaced() throws Exception {
    Path path = program(2);
    Path other = program(4);
    try (Trace trace = Trace.open(path); Trace second = Trace.open(other)) {
      ProgramTimeline timeline = read(trace, true);
      read(second, true);
      ThreadRecord record = keepable(timeline).get(0);
      Path file = StateFiles.file(IndexPlace.of(record.thread()), StateFiles.SUFFIX);
      byte[] right = Files.readAllBytes(file);
      List<byte[]> wrong = new ArrayList<>();
      Random random = new Random(5);
      for (int i = 0; i < 20; i++) {
        wrong.add(Arrays.copyOf(right, random.nextInt(right.length)));
        byte[] damaged = right.clone();
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        wrong.add(damaged);
      }
      wrong.add(Files.readAllBytes(files(other).get(0)));
      wrong.add(Files.readAllBytes(files(path).get(1)));
      for (byte[] bytes : wrong) {
        Files.write(file, bytes);
        assertNull(kept(timeline, record));
      }
      assertSame(read(trace, false), read(trace, true), 1, "replaced");
      assertArrayEquals(right, Files.readAllBytes(file));
    }
  }

  @Test
  void filesOfOtherStepsOrProceduresAreNotUsed() throws Exception {
    Path path = program(3);
    try (Trace trace = Trace.open(path)) {
      ProgramTimeline timeline = read(trace, true);
      ThreadRecord record = keepable(timeline).get(0);
      Procedures procedures = timeline.workload().procedures();
      assertNotNull(new StateFiles(procedures, STEP).read(record));
      assertNull(new StateFiles(procedures, 2 * STEP).read(record));
      // Folded, inlined functions are no procedures of their own.
      assertEquals(isSame(record, procedures, procedures.folded()),
          new StateFiles(procedures.folded(), STEP).read(record) != null);
      for (Path file : eventFiles(path)) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(5_000));
      }
      assertNull(new StateFiles(procedures, STEP).read(record));
    }
  }

  /** Whether call paths that have the same procedure have the same also among others. */
  private static boolean isSame(ThreadRecord record, Procedures some, Procedures others) {
    int process = record.process().index();
    int count = record.process().callPaths().count();
    return IntStream.range(0, count).allMatch(one -> IntStream.range(0, count).allMatch(two ->
        (some.leaf(process, one) == some.leaf(process, two)) == (others.leaf(process, one) == others.leaf(process, two))));
  }

  @Test
  void changedContentIsRefusedWithoutHarm() throws Exception {
    Path path = program(3);
    int[] refused = {0};
    try (Trace trace = Trace.open(path)) {
      ProgramTimeline timeline = read(trace, false);
      ThreadRecord record = timeline.threads().get(0);
      Procedures procedures = timeline.workload().procedures();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      StateIndex.of(record, procedures, STEP, Progress.NONE).write(new DataOutputStream(bytes));
      Random random = new Random(7);
      for (int round = 0; round < 2_000; round++) {
        byte[] changed = bytes.toByteArray();
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        try {
          StateIndex.read(record, procedures, STEP, ByteBuffer.wrap(changed));
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
          refused[0]++;
        }
      }
    }
    assertTrue(refused[0] > 20, refused[0] + " refused");
  }

  @Test
  void aFileThatCannotBeWrittenIsToldOfAndHarmsNothing() throws Exception {
    Path path = program(5);
    try (Trace trace = Trace.open(path)) {
      read(trace, true);
      for (Path file : files(path)) {
        Files.delete(file);
        KeptFilesTest.refuseWrites(file);
      }
      ProgramTimeline timeline = read(trace, true);
      assertSame(read(trace, false), timeline, 1, "without files");
      assertEquals(1, timeline.warnings().size());
      assertTrue(timeline.warnings().get(0).contains(".new"), timeline.warnings().get(0));
      assertEquals(List.of(), files(path));
    }
  }

  @Test
  void fewEventsAndEventsThatCanStillChangeAreNotKept() throws Exception {
    Path path = program(7);
    try (Trace trace = Trace.open(path)) {
      ApplicationAnalysis.global(SessionBuilder.of(trace).getApplications()).timeline()
          .read(new int[0], () -> { }, Progress.NONE);
      assertFalse(Files.exists(path.resolve(IndexPlace.DIRECTORY)));
    }
    Path events = eventFiles(path).get(0);
    byte[] live = Files.readAllBytes(events);
    live[6] = 0;  // the block is not closed
    Files.write(events, live, StandardOpenOption.WRITE);
    try (Trace trace = Trace.open(path)) {
      ProgramTimeline timeline = read(trace, true);
      assertTrue(keepable(timeline).size() < timeline.threads().size());
      assertEquals(keepable(timeline).size(), files(path).size());
    }
  }
}
