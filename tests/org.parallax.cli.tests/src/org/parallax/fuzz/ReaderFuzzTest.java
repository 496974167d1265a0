package org.parallax.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.parallax.model.files.ExperimentFile;
import org.parallax.model.files.SessionFile;
import org.parallax.record.profiles.CaliperReader;
import org.parallax.record.profiles.CubeReader;
import org.parallax.record.profiles.Profile;
import org.parallax.record.profiles.ProfileTrace;
import org.parallax.trace.ClockFile;
import org.parallax.trace.EventCursor;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.TimeMap;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceChecker;
import org.parallax.trace.TraceException;
import org.parallax.trace.series.SeriesException;
import org.parallax.trace.series.SeriesReader;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.json.JsonException;
import org.parallax.tuning.model.ModelException;
import org.parallax.tuning.model.ModelFile;

/**
 * Readers get sound inputs that were changed at random. They must end, throw only what they promise, and allocate
 * at most a constant and a multiple of the input's size.
 *
 * <p>The system properties {@code parallax.inputs}, the number for each reader, and {@code parallax.seed}, that of the
 * first input, make longer runs.
 */
@Timeout(7200)
class ReaderFuzzTest {
  private static final int INPUTS = Integer.getInteger("parallax.inputs", 60);
  private static final long FIRST_SEED = Long.getLong("parallax.seed", 1);
  private static final Path ROOT = Path.of(System.getProperty("parallax.root", "."));
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long MOST_CPU_NS = 20_000_000_000L;
  private static final String TRACE = "trace: ";
  private static final String CLOCKS = "clocks";
  /** Files that no trace of the corpus has, and what stands in them; that of the clocks is made for each trace. */
  private static final Map<String, String> MADE = Map.of(CLOCKS, "",
      "imported", "parallax-imported\t1\nformat\tOTF2 3.0\nrecord\tEnter\t10\t2\nattribute\tA\t3\t0\n"
          + "definition\tParadigm\t4\nwarning\ta location has no end\n",
      "profile", "parallax-profile\t1\nmetric\tbytes_sent\tbytes\tsum\nmetric\tpower [W]\tnumber\tmax\nthread\t1000\t0\n"
          + "0\t1\t4096\n1\t2\t1.5\n",
      "alpha.outcomes", "end\t1000\t0\t5000000\nend\t1001\t139\t6000000\nunrecorded\tlibc\t/opt/a program\n");
  private static final long OF_ANY = 8L << 20;
  /** Numbers of definitions are dense arrays, and those up to 2^21 are taken in a file of any size. */
  private static final long OF_NUMBERS = 512L << 20;

  @TempDir
  Path directory;

  static List<FuzzedReader> readers() throws IOException {
    Path golden = ROOT.resolve("native/format/golden");
    List<Path> models = files(ROOT.resolve("plugins/org.parallax.tuning/src/org/parallax/tuning/model"), ".yaml");
    List<FuzzedReader> readers = new ArrayList<>();
    for (String suffix : List.of(".def", ".evt", "manifest", "symbols", CLOCKS, "imported", "profile", "alpha.outcomes")) {
      // The one with the largest numbers that definitions may have takes long.
      List<Path> corpus = files(golden, MADE.containsKey(suffix) ? "messages/manifest" : suffix).stream()
          .filter(file -> !file.getParent().endsWith("corners")).toList();
      readers.add(new FuzzedReader(TRACE + suffix, corpus, !suffix.startsWith("."), OF_NUMBERS, ReaderFuzzTest::readTrace));
    }
    Path own = ROOT.resolve("tests/org.parallax.cli.tests/resources/fuzz");
    readers.add(new FuzzedReader("series", files(golden, ".series"), true, OF_ANY, ReaderFuzzTest::readSeries));
    readers.add(new FuzzedReader("tuning model", models, true, OF_ANY, ReaderFuzzTest::readModel));
    readers.add(new FuzzedReader("JSON line", files(own, ".json"), true, OF_ANY, ReaderFuzzTest::readJson));
    readers.add(new FuzzedReader("session", files(own, ".parallax"), true, OF_ANY,
        file -> readOrRefuse(() -> SessionFile.read(file).getRuns().forEach(run -> SessionFile.trace(file, run)))));
    readers.add(new FuzzedReader("experiment", files(ROOT.resolve("tests/org.parallax.studies/resources/recorded/experiments"),
        ".experiment"), true, OF_ANY, file -> readOrRefuse(() -> ExperimentFile.read(file))));
    readers.add(new FuzzedReader("Cube profile", files(own, ".cubex"), false, OF_ANY,
        file -> readProfile(file, () -> CubeReader.read(file, Progress.NONE))));
    readers.add(new FuzzedReader("Caliper profile", files(own, ".cali"), true, OF_ANY,
        file -> readProfile(file, () -> CaliperReader.read(file, Progress.NONE))));
    return readers;
  }

  private static List<Path> files(Path directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> found = files.filter(file -> Files.isRegularFile(file) && file.toString().endsWith(suffix)).sorted().toList();
      assertFalse(found.isEmpty(), () -> directory + " has no file " + suffix);
      return found;
    }
  }

  @ParameterizedTest
  @MethodSource("readers")
  void changedInputsDoNoHarm(FuzzedReader reader) throws Exception {
    List<Path> places = new ArrayList<>();
    for (Path sound : reader.corpus()) {
      places.add(place(sound, places.size(), reader.name().replace(TRACE, "")));
      reader.read().all(places.get(places.size() - 1));
    }
    List<byte[]> corpus = new ArrayList<>();
    for (Path place : places) {
      corpus.add(Files.readAllBytes(place));
    }
    for (long seed = FIRST_SEED; seed < FIRST_SEED + INPUTS; seed++) {
      Mutator mutator = new Mutator(seed);
      int chosen = mutator.below(places.size());
      byte[] sound = corpus.get(chosen);
      byte[] changed = mutator.change(sound, reader.isText());
      if (reader.name().endsWith(".def") && mutator.below(8) > 0) {
        Mutator.checkRecords(changed);
      } else if (reader.name().endsWith(".evt") && mutator.below(4) > 0) {
        Mutator.openBlocks(changed);
      }
      Files.write(places.get(chosen), changed);
      read(reader, places.get(chosen), seed, reader.corpus().get(chosen));
      Files.write(places.get(chosen), sound);
    }
  }

  /** @return where an input is changed: a file of a trace in a copy of that trace */
  private Path place(Path sound, int number, String what) throws Exception {
    Path copy = Files.createDirectories(directory.resolve(String.valueOf(number)));
    boolean isOfTrace = Files.exists(sound.resolveSibling("manifest"));
    try (Stream<Path> files = isOfTrace ? Files.list(sound.getParent()) : Stream.of(sound)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName().toString()));
      }
    }
    return what.equals(CLOCKS) ? correct(copy) : MADE.containsKey(what) ? Files.writeString(copy.resolve(what), MADE.get(what))
        : copy.resolve(sound.getFileName().toString());
  }

  /** @return the file that corrects the times of a trace */
  private static Path correct(Path trace) throws Exception {
    try (Trace opened = Trace.open(trace)) {
      TimeMap corrections = TimeMap.of(new long[] {0, 1000, 2000}, new long[] {5, 1010, 2003});
      return ClockFile.write(opened, opened.processes().stream().map(process -> process.corrected(process.threads().stream()
          .collect(Collectors.toMap(ThreadTrace::id, thread -> corrections)))).toList());
    }
  }

  private static void read(FuzzedReader reader, Path file, long seed, Path corpus) throws IOException {
    String what = reader + ": " + ROOT.relativize(corpus) + ", seed " + seed;
    long size = 0;
    try (Stream<Path> files = Files.list(file.getParent())) {
      for (Path each : files.toList()) {
        size += Files.size(each);
      }
    }
    long most = reader.anySize() + size * FuzzedReader.PER_BYTE;
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long cpuNs = THREADS.getCurrentThreadCpuTime();
    try {
      reader.read().all(file);
    } catch (Exception | StackOverflowError | OutOfMemoryError | AssertionError e) {
      fail(what, e);
    }
    long used = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    assertTrue(used <= most, () -> what + ": " + used + " bytes were allocated, at most " + most + " are allowed");
    long ns = THREADS.getCurrentThreadCpuTime() - cpuNs;
    assertTrue(ns < MOST_CPU_NS, () -> what + ": reading took " + ns + " ns of CPU time");
  }

  /** Reads something that may be refused. */
  private interface Refusing {
    void read() throws TraceException;
  }

  private static void readOrRefuse(Refusing reader) {
    try {
      reader.read();
    } catch (TraceException e) {
      assertFalse(e.getMessage().isBlank());
    }
  }

  private static void readTrace(Path file) {
    readOrRefuse(() -> {
      try (Trace trace = Trace.open(file.getParent())) {
        for (ProcessTrace process : trace.processes()) {
          process.endNs();
          for (int path = 1; path < process.callPaths().count(); path++) {
            process.place(path);
          }
          for (ThreadTrace thread : process.threads()) {
            readThread(thread);
          }
        }
        trace.externalSeries();
        for (ProcessTrace process : trace.processes()) {
          process.threads().forEach(thread -> trace.profileValues().of(process, thread));
        }
        trace.warnings().forEach(warning -> assertFalse(warning.isBlank()));
      }
      TraceChecker.check(file.getParent());
    });
  }

  private static void readThread(ThreadTrace thread) {
    EventCursor cursor = thread.cursor();
    while (cursor.next()) {
      cursor.timeNs();
      cursor.operand();
      for (int i = cursor.payloadCount(); i >= 0; i--) {
        cursor.payload(i);
      }
    }
    cursor.seekTime(thread.beginNs() + 1);
  }

  /** Reads a profile of another tool. */
  private interface ProfileSource {
    Profile read() throws IOException;
  }

  private static void readProfile(Path file, ProfileSource source) throws IOException {
    Path written = Files.createTempDirectory(file.getParent(), "written");
    try {
      ProfileTrace.write(source.read(), file, written, Progress.NONE);
    } catch (IOException e) {
      assertFalse(e.getMessage().isBlank());
    } finally {
      try (Stream<Path> files = Files.list(written)) {
        for (Path each : files.toList()) {
          Files.delete(each);
        }
      }
      Files.delete(written);
    }
  }

  private static void readSeries(Path file) throws IOException {
    try {
      SeriesReader.read(new ByteArrayInputStream(Files.readAllBytes(file)));
    } catch (SeriesException e) {
      assertFalse(e.getMessage().isBlank());
    }
  }

  private static void readModel(Path file) throws IOException {
    try {
      ModelFile.read(file);
    } catch (ModelException e) {
      assertFalse(e.getMessage().isBlank());
    } catch (CharacterCodingException e) {
      // It is told as a file that cannot be read.
    }
  }

  private static void readJson(Path file) throws IOException {
    try {
      Json.read(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    } catch (JsonException e) {
      assertFalse(e.getMessage().isBlank());
    }
  }
}
