package org.parallax.studies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of small recorded inputs, and what makes a study fail. */
class RecordedTest {
  private static final Path RECORDED = Path.of("resources/recorded").toAbsolutePath();

  @TempDir
  Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Runs a command line, whose first argument is the table's name, with its output in the fields. */
  private int run(Object... arguments) {
    List<String> words = new ArrayList<>();
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    return Main.run(words, new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  /** A copy of what was recorded, to change. */
  private Path copy(String study) throws IOException {
    Path from = RECORDED.resolve(study);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path to = folder.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(to);
        } else {
          Files.copy(file, to);
        }
      }
    }
    return folder;
  }

  /** Replaces texts (pattern, replacement) in a file of the copy. */
  private void edit(String file, String pattern, String replacement) throws IOException {
    Path path = folder.resolve(file);
    String before = Files.readString(path);
    String after = before.replaceAll(pattern, replacement);
    assertTrue(!after.equals(before), pattern + " is not in " + file);
    Files.writeString(path, after);
  }

  @ParameterizedTest
  @CsvSource({"hybrid-path,hybrid,1000,expected-path.txt", "hybrid-table,hybrid,,expected-table.txt",
      "clock,clock,,expected.txt", "psim,psim,,expected.txt", "storage,storage,,expected.txt",
      "server,server,vm,expected.txt", "quicksort,quicksort,2us,expected.txt", "ring,ring,,expected.txt"})
  void theTableOfARecordingIsAsExpected(String table, String study, String more, String expected) throws IOException {
    Path inputs = RECORDED.resolve(study);
    int status = more == null ? run(table, inputs) : run(table, inputs, more);
    assertEquals(Files.readString(inputs.resolve(expected)), text(out));
    assertEquals("", text(err));
    assertEquals(0, status);
  }

  private int runExperiments(Path inputs, String length) {
    return run("experiments", inputs, inputs.resolve("program.cpp"), 8, 24, length);
  }

  @Test
  void theBenchmarkOfExperimentsIsAsExpected() throws IOException {
    Path inputs = RECORDED.resolve("experiments");
    assertEquals(0, runExperiments(inputs, "--short"), () -> text(out));
    assertEquals(Files.readString(inputs.resolve("expected.txt")), text(out));
  }

  /** A short run is not judged; a whole one with these values has the wrong ranking. */
  @Test
  void aWrongRankingFailsInAWholeRun() throws IOException {
    assertEquals(1, runExperiments(RECORDED.resolve("experiments"), "--full"));
    assertTrue(text(out).contains("the ranking by virtual speed-ups is not the true one"), () -> text(out));
    assertTrue(text(err).startsWith("parallax: the benchmark of experiments has failed"), () -> text(err));
  }

  @Test
  void aMissingValueFailsInAShortRun() throws IOException {
    Path inputs = copy("experiments");
    edit("delay.csv", "hash,", "hasch,");
    assertEquals(1, runExperiments(inputs, "--short"));
    assertTrue(text(out).contains("\ndelay has no value of hash\n"), () -> text(out));
  }

  @Test
  void theTimeOfARoundIsTheLeast() throws IOException {
    Path times = Files.writeString(folder.resolve("truth.tsv"), "0\tbase\t900\n0\tf\t10\n0\tbase\t800\n");
    assertEquals(0, run("round-time", times, 8));
    assertEquals("100\n", text(out));
  }

  @Test
  void theProcessWithTheMostCpuTimeIsNamed() {
    assertEquals(0, run("storage-process", RECORDED.resolve("storage/processes.csv")));
    assertEquals("sm_server (pid 3274)\n", text(out));
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
      "hybrid-path;hybrid;endl.1.csv;MPI_Allreduce;MPI_Other;1000;neither std::endl nor MPI_Allreduce is in the tree",
      "hybrid-table;hybrid;sampled.1.csv;MPI_Probe;MPI_Other;;MPI_Probe is not in both trees",
      "clock;clock;join.csv;_(join|buffers|shuffle|relation)|blk;;;fewer than 4 of the paper's procedures are on the "
          + "critical path",
      "psim;psim;gang1.profile.csv;spin_barrier;spin;;no barriers in the profile",
      "storage;storage;tree.csv;regenLog;other;;regenLog is not in the call tree of the server's main thread",
      "server;server;postgresql/server.txt;startup;started;vm;the recovery of the log, for which the server waits at "
          + "first, is not on its path",
      "server;server;postgresql/procedures.csv;pglz_;lz_;vm;the consumer's path does not name what was planted in the "
          + "producer's session",
      "server;server;postgresql/gprof.txt;StartupXLOG;Startup;vm;the process that recovers the log is not in "
          + "StartupXLOG",
      "quicksort;quicksort;first.csv;swap,[0-9]+,;swap,1,;2us;the largest effect is that of code1, not that of swap",
      "ring;ring;screening.csv;(?m)^c,[-0-9.]+,;c,0,;;the largest effect is that of"})
  void aWrongAnswerFails(String table, String study, String file, String pattern, String replacement, String more,
      String message) throws IOException {
    Path inputs = copy(study);
    edit(file, pattern, replacement == null ? "" : replacement);
    assertEquals(1, more == null ? run(table, inputs) : run(table, inputs, more), () -> text(out));
    assertTrue(text(err).startsWith("parallax: " + message), () -> text(err));
  }

  @Test
  void aMissingFileIsNamed() {
    assertEquals(1, run("clock", folder));
    assertTrue(text(err).contains("join.csv"), () -> text(err));
  }

  @Test
  void aWrongTableIsAnsweredWithTheTablesThereAre() {
    assertEquals(2, run("clok", folder));
    assertEquals(2, run("clock"));
    assertEquals(2, run());
    assertTrue(text(err).startsWith("parallax: there is no table \"clok "), () -> text(err));
    assertTrue(text(err).contains("the tables are: clock experiments "), () -> text(err));
  }
}
