package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.record.Agent;

/** Archives of OTF2 with answers known by construction ({@code archive_writer.cpp}), in the reports. */
@ExtendWith(BuiltPrograms.class)
class Otf2Test {
  private static final double TOLERANCE_NS = 2000;

  @TempDir static Path directory;

  @BeforeAll
  static void writeArchives() throws IOException, InterruptedException {
    Path writer = BuiltPrograms.DIRECTORY.resolve("parallax-otf2-archives");
    assumeTrue(Files.isExecutable(writer), "libotf2-trace-dev is not installed");
    assertEquals(0, new ProcessBuilder(writer.toString(), directory.toString()).start().waitFor());
  }

  @Test
  void waitsOfMessagesAndCollectivesAreFound() {
    for (String clock : List.of("late", "clock")) {  // of 1 GHz and of 2.095197 GHz
      Map<String, Double> waits = waits(directory.resolve(clock).resolve("late.otf2"));
      // 3 ms in MPI_Recv and 4 ms in MPI_Wait.
      assertEquals(7e6, waits.get("late sender node1:late[1]"), TOLERANCE_NS, clock);
      assertEquals(5e6, waits.get("wait at barrier node0:late[0]"), TOLERANCE_NS, clock);
      assertEquals(2e6, waits.get("wait at barrier node1:late[1]"), TOLERANCE_NS, clock);
      assertEquals(3, waits.size(), waits::toString);
    }
  }

  @Test
  void waitsOfThreadsAreFound() {
    Map<String, Double> waits = waits(directory.resolve("threads"));
    assertEquals(Map.of("lock contention node0:MPI Rank 0", 6e6, "join wait node0:MPI Rank 0", 7e6), waits);
    Map<String, Double> team = waits(directory.resolve("team"));
    assertEquals(16e6, team.get("thread barrier node0:MPI Rank 0"), TOLERANCE_NS);
    assertEquals(11e6, team.get("task wait node0:MPI Rank 0"), TOLERANCE_NS);  // between the two regions
  }

  @Test
  void waitsOfOneSidedCommunicationAreFound() {
    Map<String, Double> waits = waits(directory.resolve("window"));
    assertEquals(5e6, waits.get("wait at fence node0:window.otf2[0]"), TOLERANCE_NS);
    assertEquals(3e6, waits.get("late post node0:window.otf2[0]"), TOLERANCE_NS);
    assertEquals(4e6, waits.get("late complete node1:window.otf2[1]"), TOLERANCE_NS);
    assertEquals(6e6, waits.get("lock contention, window node1:window.otf2[1]"), TOLERANCE_NS);
    assertEquals(4, waits.size(), waits::toString);
    Run bytes = Run.of("report", "comm", directory.resolve("window"), "--format", "csv");
    assertTrue(bytes.out().contains(",800,"), bytes::out);
    assertEquals(0, Run.of("check", directory.resolve("window")).status());
  }

  @Test
  void waitsForTasksAreFound() {
    Map<String, Double> waits = waits(directory.resolve("tasks"));
    String where = " node0:MPI Rank 0";
    assertEquals(Map.of("late task" + where, 7e6, "task wait" + where, 4e6, "thread barrier" + where, 2e6), waits);
    assertEquals(8e6, profile(directory.resolve("tasks")).get("work"), TOLERANCE_NS);
  }

  @Test
  void parallelRegionsOfOldArchivesAreFound() {
    assertEquals(waits(directory.resolve("team")), waits(directory.resolve("old")));
  }

  @Test
  void samplesAndMeasuredCallsAddUp() {
    Map<String, Double> profile = profile(directory.resolve("samples"));
    assertEquals(30e6, profile.get("solve"), TOLERANCE_NS);
    assertEquals(10e6, profile.get("print"), TOLERANCE_NS);
    assertEquals(5e6, profile.get("pthread_mutex_lock"), TOLERANCE_NS);
    Run info = Run.of("info", directory.resolve("samples"));
    assertTrue(info.out().contains("samples      40 (1000 requested"), info::out);
  }

  private static Map<String, Double> profile(Path archive) {
    Run run = Run.of("report", "profile", archive, "--format", "json");
    assertEquals(0, run.status(), run::err);
    Map<String, Double> times = new HashMap<>();
    for (Object each : (List<?>) Json.object(run.out()).get("rows")) {
      Map<?, ?> row = (Map<?, ?>) each;
      times.put((String) row.get("name"), ((Number) row.get("time")).doubleValue());
    }
    return times;
  }

  @Test
  void filesParametersAndAttributesAreFound() {
    Path archive = directory.resolve("files");
    assertEquals(Map.of("polling, unknown cause node0:files.otf2[0]", 2e6), waits(archive));
    String events = Run.of("report", "events", archive).out();
    for (String event : List.of("5,000 bytes, read", "3,000 bytes, write", "phase=solve")) {
      assertTrue(events.contains(event), () -> event + " in " + events);
    }
    String metrics = Run.of("report", "metrics", archive, "--format", "csv").out();
    assertTrue(metrics.matches("(?s).*File bytes written[^\n]*\\b3000\\b.*"), metrics);
    Run info = Run.of("info", archive);
    assertTrue(info.out().matches("(?s).*\ncells +1 +1 +0\nlabel +1 +0 +1\n.*"), info::out);
    assertTrue(info.out().contains("cells, step"), info::out);
  }

  private static Map<String, Double> waits(Path archive) {
    Run run = Run.of("report", "waits", archive, "--format", "json");
    assertEquals(0, run.status(), run::err);
    Map<String, Double> waits = new HashMap<>();
    for (Object each : (List<?>) Json.object(run.out()).get("rows")) {
      Map<?, ?> row = (Map<?, ?>) each;
      waits.merge(row.get("name") + " " + row.get("where"), ((Number) row.get("time")).doubleValue(), Double::sum);
    }
    return waits;
  }

  @Test
  void theCriticalPathFollowsTheLateSender() {
    // main of rank 0 to 13 ms, over the message to rank 1, and so on; rank 0 ends last.
    Run run = Run.of("report", "critical-path", directory.resolve("late"), "--format", "json");
    assertEquals(0, run.status(), run::err);
    assertEquals(50e6, ((Number) Json.object(run.out()).get("total")).doubleValue(), TOLERANCE_NS);
    assertFalse(run.out().contains("MPI_Recv"), run::out);
  }

  @Test
  void infoTellsWhatBecameOfEachRecord() {
    Run run = Run.of("info", directory.resolve("late/late.otf2"));
    assertEquals(0, run.status(), run::err);
    assertTrue(run.out().matches("(?s).*imported     OTF2 \\d+\\.\\d+ by Planted 1.0, 46 records, 0 left out\n.*"), run::out);
    assertTrue(run.out().matches("(?s).*\nMpiIrecvRequest +1 +1 +0\n.*"), run::out);
    Run json = Run.of("info", "--format", "json", directory.resolve("late/late.otf2"));
    assertEquals(46, ((Number) ((Map<?, ?>) Json.object(json.out()).get("imported")).get("read")).intValue());
    Run check = Run.of("check", directory.resolve("late/late.otf2"));
    assertEquals(0, check.status(), check::err);
  }

  @Test
  void sourcesOfRegionsAreKnown() {
    Run run = Run.of("report", "source", directory.resolve("late"), "--format", "csv");
    assertEquals(0, run.status(), run::err);
    assertTrue(run.out().contains("/src/late.c"), run::out);
  }

  @Test
  void anArchiveIsConvertedAgainOnlyWhenItHasChanged() throws IOException {
    Path copy = Files.createDirectory(directory.resolve("copy"));
    try (Stream<Path> files = Files.walk(directory.resolve("threads"))) {
      for (Path file : files.filter(each -> !each.toString().contains(".parallax")).toList()) {
        Path target = copy.resolve(directory.resolve("threads").relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
    assertEquals(0, Run.of("info", copy).status());
    Path converted = copy.resolve(".threads.otf2.parallax");
    Path mark = Files.createFile(converted.resolve("mark"));
    assertEquals(0, Run.of("info", copy).status());
    assertTrue(Files.exists(mark));
    Files.setLastModifiedTime(copy.resolve("threads/0.evt"), FileTime.fromMillis(1_000_000));
    assertEquals(0, Run.of("info", copy).status());
    assertFalse(Files.exists(mark));
    assertTrue(Files.exists(converted.resolve("manifest")));
  }

  @Test
  void withoutTheProgramTheMessageSaysWhatToInstall() throws IOException {
    Path archive = Files.writeString(directory.resolve("none.otf2"), "");
    System.setProperty(Agent.RECORDER_PROPERTY, directory.resolve("parallax-record").toString());
    try {
      Run run = Run.of("info", archive);
      assertEquals(1, run.status(), run::out);
      assertTrue(run.err().contains("Install Debian's libotf2-trace-dev"), run::err);
    } finally {
      BuiltPrograms.use();
    }
    Run refused = Run.of("info", archive);
    assertEquals(1, refused.status(), refused::out);
    assertTrue(refused.err().contains("is not an archive of OTF2 that can be read"), refused::err);
    try (Stream<Path> left = Files.list(directory)) {
      assertTrue(left.noneMatch(each -> each.toString().contains(".none.otf2")));
    }
  }
}
