package org.parallax.analysis.time;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.internal.KeptFilesTest;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.trace.IndexPlace;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.TimeMap;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** Metrics over time that are kept on disk: the same as those from the events, or not used. */
class TimesFilesTest {
  private static final int STEPS = 800;
  /** The place of a byte of an event in a file of events. */
  private static final int AN_EVENT = 80;
  /** The place of that of a closed block. */
  private static final int A_FLAG = 6;
  private static final ThreadMetric[] OWN = Arrays.stream(ThreadMetric.values())
      .filter(metric -> metric.kind() != ThreadMetric.Kind.WAIT).toArray(ThreadMetric[]::new);

  @TempDir Path directory;

  private static TimeIndex index(Trace trace) {
    return new TimeIndex(List.of(trace.processes()), 0);
  }

  private Path program(long seed) {
    return RandomPrograms.write(seed, directory.resolve("t" + seed), 3, STEPS);
  }

  private static List<Path> files(Path trace) throws Exception {
    try (Stream<Path> files = Files.list(trace.resolve(IndexPlace.DIRECTORY))) {
      return files.sorted().toList();
    }
  }

  /** Threads of which something can be kept: the program of the trace has ended in the midst of others. */
  private static List<ThreadTimes> keepable(TimeIndex index) {
    List<ThreadTimes> found =
        index.threads(Progress.NONE).stream().filter(times -> IndexPlace.of(times.thread()) != null).toList();
    assertTrue(found.size() > 2);
    return found;
  }

  /** What is in the file, or null if it is not used. */
  private static ThreadTimes kept(ThreadTrace thread) {
    return new TimesFiles().read(thread);
  }

  private static void assertSame(ThreadTimes expected, ThreadTimes found, Random random, String what) {
    long begin = expected.thread().beginNs();
    long length = Math.max(1, expected.thread().endNs() - begin);
    for (int round = 0; round < 10; round++) {
      long from = begin + random.nextLong(length);
      long[] moments = random.longs(1 + random.nextInt(40), from - 5, from + 1 + random.nextLong(length)).sorted()
          .distinct().toArray();
      assertArrayEquals(expected.at(moments, OWN), found.at(moments, OWN), what);
    }
    assertEquals(expected.values().keySet(), found.values().keySet(), what);
    for (Map.Entry<Integer, ThreadTimes.Values> entry : expected.values().entrySet()) {
      ThreadTimes.Values other = found.values().get(entry.getKey());
      assertEquals(entry.getValue().count(), other.count());
      for (long i = 0; i < other.count(); i++) {
        assertEquals(entry.getValue().timeNs(i), other.timeNs(i));
        assertEquals(entry.getValue().bits(i), other.bits(i));
      }
    }
  }

  @Test
  void filesSayWhatTheEventsSay() throws Exception {
    for (long seed = 1; seed <= 8; seed++) {
      Random random = new Random(seed);
      Path path = program(seed);
      try (Trace trace = Trace.open(path)) {
        TimeIndex first = index(trace);
        first.threads(Progress.NONE);
        assertEquals(List.of(), first.warnings());
        assertEquals(keepable(first).size(), files(path).size());
        for (ThreadTimes times : keepable(first)) {
          ThreadTimes kept = kept(times.thread());
          assertNotNull(kept, times.thread() + " of seed " + seed);
          ThreadTimes direct = ThreadTimes.of(times.process(), times.thread(), Progress.NONE);
          assertSame(direct, kept, random, "seed " + seed);
          assertSame(direct, times, random, "seed " + seed);
        }
      }
      // The file is valid for whoever opens the trace anew, and is not written again.
      for (Path file : files(path)) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
      }
      try (Trace trace = Trace.open(path)) {
        for (ThreadTimes times : index(trace).threads(Progress.NONE)) {
          assertSame(ThreadTimes.of(times.process(), times.thread(), Progress.NONE), times, random, "seed " + seed);
        }
      }
      for (Path file : files(path)) {
        assertEquals(1_000, Files.getLastModifiedTime(file).toMillis(), file.toString());
      }
    }
  }

  @Test
  void valuesOfTheProgramsMetricsAreKept() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("values"));
    TracedThread thread = builder.process("n", "/opt/p").thread(0);
    Random random = new Random(5);
    for (int i = 0; i < 1_000; i++) {
      thread.event(10 + 100L * i, Kind.VALUE, 1 + i % 3, random.nextInt() & 0xffffffffL, random.nextInt() & 0xffffffffL);
    }
    builder.endThreads();
    try (Trace trace = Trace.open(builder.write())) {
      ThreadTimes read = index(trace).threads(Progress.NONE).get(0);
      assertEquals(3, read.values().size());
      assertSame(read, kept(read.thread()), random, "values");
    }
  }

  @Test
  void workThatWasEndedGoesOnWithTheOtherThreads() throws Exception {
    Path path = program(1);
    try (Trace trace = Trace.open(path)) {
      index(trace).threads(Progress.NONE);
      List<Path> all = files(path);
      assertTrue(all.size() > 2);
      for (Path file : all) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
      }
      Files.delete(all.get(1));
      index(trace).threads(Progress.NONE);
      assertEquals(all, files(path));
      for (Path file : all) {
        assertEquals(file.equals(all.get(1)), Files.getLastModifiedTime(file).toMillis() != 1_000, file.toString());
      }
    }
  }

  @Test
  void damagedAndCutFilesAreReplaced() throws Exception {
    Path path = program(2);
    try (Trace trace = Trace.open(path)) {
      ThreadTimes times = keepable(index(trace)).get(0);
      Path file = IndexPlace.of(times.thread()).file();
      byte[] right = Files.readAllBytes(file);
      Random random = new Random(9);
      for (int round = 0; round < 300; round++) {
        byte[] wrong = round % 2 == 0 ? Arrays.copyOf(right, random.nextInt(right.length)) : right.clone();
        if (round % 2 == 1) {
          wrong[random.nextInt(wrong.length)] ^= (byte) (1 << random.nextInt(8));
        }
        Files.write(file, wrong);
        assertNull(kept(times.thread()), "round " + round);
      }
      ThreadTimes again = keepable(index(trace)).get(0);
      assertArrayEquals(right, Files.readAllBytes(file));
      assertSame(times, again, random, "replaced");
    }
  }

  @Test
  void filesOfOtherEventsAreNotUsed() throws Exception {
    Path path = program(3);
    Path other = program(4);
    try (Trace trace = Trace.open(path); Trace second = Trace.open(other)) {
      index(trace).threads(Progress.NONE);
      index(second).threads(Progress.NONE);
      for (int i = 0; i < 2; i++) {
        Path file = files(path).get(i);
        Path wrong = i == 0 ? files(other).get(0) : files(path).get(2);
        Files.copy(wrong, file, StandardCopyOption.REPLACE_EXISTING);
        ThreadTrace thread = trace.processes().stream().flatMap(process -> process.threads().stream())
            .filter(each -> IndexPlace.of(each) != null && IndexPlace.of(each).file().equals(file)).findFirst().orElseThrow();
        assertNull(kept(thread), file.toString());
        Random random = new Random(i);
        for (ThreadTimes times : index(trace).threads(Progress.NONE)) {
          assertSame(ThreadTimes.of(times.process(), times.thread(), Progress.NONE), times, random, "other");
        }
        assertNotNull(kept(thread), file.toString());
      }
    }
  }

  @Test
  void staleFilesAreReplaced() throws Exception {
    Path path = program(5);
    try (Trace trace = Trace.open(path)) {
      ThreadTrace thread = keepable(index(trace)).get(0).thread();
      assertNotNull(kept(thread));
      for (String suffix : new String[] {".evt", ".def"}) {
        try (Stream<Path> files = Files.list(path)) {
          for (Path file : files.filter(each -> each.toString().endsWith(suffix)).toList()) {
            Files.setLastModifiedTime(file, FileTime.fromMillis(5_000));
          }
        }
        assertNull(kept(thread), suffix);
        index(trace).threads(Progress.NONE);
        assertNotNull(kept(thread), suffix);
      }
    }
  }

  @Test
  void timesByOtherClocksAreOthers() throws Exception {
    Path path = program(6);
    try (Trace trace = Trace.open(path)) {
      ThreadTimes times = keepable(index(trace)).get(0);
      ProcessTrace corrected = times.process().corrected(
          Map.of(times.thread().id(), TimeMap.of(new long[] {0, 1_000_000}, new long[] {0, 1_500_000})));
      ThreadTrace thread = corrected.threads().stream()
          .filter(each -> each.id() == times.thread().id()).findFirst().orElseThrow();
      assertNull(kept(thread));
      TimeIndex index = new TimeIndex(List.of(List.of(corrected)), 0);
      index.threads(Progress.NONE);
      assertNotNull(kept(thread));
      assertNull(kept(times.thread()));
    }
  }

  @Test
  void nothingIsKeptOfDamagedEvents() throws Exception {
    Path path = program(7);
    String damaged;
    int keepable;
    try (Trace trace = Trace.open(path)) {
      List<ThreadTimes> threads = keepable(index(trace));
      keepable = threads.size();
      damaged = threads.stream().map(times -> IndexPlace.of(times.thread()).file().getFileName().toString())
          .filter(name -> Files.exists(path.resolve(name + ".evt"))).findFirst().orElseThrow();
    }
    for (Path file : files(path)) {
      Files.delete(file);
    }
    try (RandomAccessFile file = new RandomAccessFile(path.resolve(damaged + ".evt").toFile(), "rw")) {
      file.seek(AN_EVENT);
      int old = file.read();
      file.seek(AN_EVENT);
      file.write(old ^ 1);
    }
    try (Trace trace = Trace.open(path)) {
      index(trace).threads(Progress.NONE);
      assertEquals(keepable - 1, files(path).size());
      assertFalse(Files.exists(path.resolve(IndexPlace.DIRECTORY).resolve(damaged)));
    }
  }

  @Test
  void eventsThatFollowedTheSnapshotOfALiveTraceAreNotForgotten() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("live"));
    TracedThread thread = builder.process("n", "/opt/p").thread(0);
    for (int i = 0; i < 1_000; i++) {
      thread.event(10 + 100L * i, Kind.VALUE, 1, i, 0);
    }
    builder.endThreads();
    Path path = builder.write();
    Path events;
    try (Stream<Path> files = Files.list(path)) {
      events = files.filter(file -> file.toString().endsWith(".evt")).findFirst().orElseThrow();
    }
    byte[] ended = Files.readAllBytes(events);
    byte[] live = ended.clone();
    live[A_FLAG] = 0;
    Arrays.fill(live, live.length / 2, live.length, (byte) 0);
    Files.write(events, live);
    try (Trace trace = Trace.open(path)) {
      Files.write(events, ended, StandardOpenOption.WRITE);  // in place, as the thread does until it ends
      index(trace).threads(Progress.NONE);
    }
    try (Trace trace = Trace.open(path)) {
      for (ThreadTimes times : index(trace).threads(Progress.NONE)) {
        assertSame(ThreadTimes.of(times.process(), times.thread(), Progress.NONE), times, new Random(1), "live");
        assertNotNull(kept(times.thread()));
      }
    }
  }

  @Test
  void processesThatWriteTheSameFilesAtOnceDoNotFail() throws Exception {
    Path path = program(8);
    try (Trace trace = Trace.open(path)) {
      List<ThreadTimes> threads = keepable(index(trace));
      List<TimesFiles> writers = List.of(new TimesFiles(), new TimesFiles());
      writers.parallelStream().forEach(writer -> {
        for (int round = 0; round < 100; round++) {
          threads.forEach(writer::write);
        }
      });
      for (TimesFiles writer : writers) {
        assertEquals(List.of(), writer.warnings());
      }
      for (ThreadTimes times : threads) {
        assertNotNull(kept(times.thread()), times.thread().toString());
      }
    }
  }

  @Test
  void fewEventsAreNotKept() throws Exception {
    Path path = program(1);
    try (Trace trace = Trace.open(path)) {
      new TimeIndex(List.of(trace.processes())).threads(Progress.NONE);
      assertFalse(Files.exists(path.resolve(IndexPlace.DIRECTORY)));
    }
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsToldOfAndHarmsNothing() throws Exception {
    Path path = program(2);
    Files.createFile(path.resolve(IndexPlace.DIRECTORY));
    try (Trace trace = Trace.open(path)) {
      assertWarned(trace, path);
    }
  }

  @Test
  void aFileThatCannotBeWrittenIsToldOfAndHarmsNothing() throws Exception {
    Path path = program(3);
    try (Trace trace = Trace.open(path)) {
      index(trace).threads(Progress.NONE);
      for (Path file : files(path)) {
        Files.delete(file);
        KeptFilesTest.refuseWrites(file);
      }
      String warning = assertWarned(trace, path);
      assertTrue(warning.contains(".new"), warning);
      assertFalse(files(path).stream().anyMatch(Files::isRegularFile), "half a file is left");
    }
  }

  private static String assertWarned(Trace trace, Path path) {
    TimeIndex index = index(trace);
    Random random = new Random(1);
    for (ThreadTimes times : index.threads(Progress.NONE)) {
      assertSame(ThreadTimes.of(times.process(), times.thread(), Progress.NONE), times, random, "without a file");
    }
    assertEquals(1, index.warnings().size());
    String warning = index.warnings().get(0);
    assertTrue(warning.startsWith("the index of the events cannot be written to " + path.resolve(IndexPlace.DIRECTORY)),
        warning);
    return warning;
  }
}
