package org.parallax.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Finding.Severity;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** Files of a trace of four ranks that are removed, emptied or cut. */
class AbsenceTest {
  private static final int BLOCK = EventFile.BLOCK_BYTES;

  @TempDir
  Path directory;

  private TraceBuilder builder;

  @BeforeEach
  void fourRanks() {
    builder = new TraceBuilder(directory.resolve("trace")).blockSlots(64).mpiJob("node1", "/opt/ring", 4);
    for (int rank = 0; rank < 4; rank++) {
      TracedThread main = builder.process(rank).thread(0).threadBegin(0, -1);
      for (int i = 0; i < 100; i++) {
        main.event(10 + i, Kind.SAMPLE, 0);
      }
      builder.process(rank).thread(1, 0, "helper").threadBegin(20, 0).threadEnd(40);
      main.create(200, 201, "main/pthread_create", 1).threadEnd(300);
    }
  }

  private List<Absence> absences(Path trace) throws Exception {
    TraceChecker.Result checked = TraceChecker.check(trace);
    try (Trace opened = Trace.open(trace)) {
      assertEquals(checked.absences(), opened.absences());
      checked.absences().forEach(absence ->
          assertTrue(opened.warnings().contains("incomplete: " + absence.text() + ". " + Absence.MEANING + ". "
              + absence.nextStep()), opened.warnings()::toString));
      assertEquals(checked.count(Severity.ERROR) > 0, opened.isDamaged());
    }
    return checked.absences();
  }

  private static void assertTells(List<Absence> absences, String who, String fact, boolean isCertain) {
    assertEquals(1, absences.size(), absences::toString);
    assertEquals(who, absences.get(0).who());
    assertTrue(absences.get(0).fact().contains(fact), absences::toString);
    assertEquals(isCertain, absences.get(0).isCertain());
  }

  private static void cut(Path file, long sizeBytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      assertTrue(channel.size() > sizeBytes);
      channel.truncate(sizeBytes);
    }
  }

  @Test
  void nothingIsMissing() throws Exception {
    builder.property("processes", "4").property("event-files", "8");
    assertEquals(List.of(), absences(builder.write()));
  }

  @Test
  void anEventFileIsMissing() throws Exception {
    Path trace = builder.write();
    Files.delete(trace.resolve("node1.1000.0.0.evt"));
    assertTells(absences(trace), "ring[0] (pid 1000 on node1)",
        "it has no events: the event file node1.1000.0.0.evt is missing", true);
    assertFalse(TraceChecker.check(trace).isSound());
  }

  @Test
  void noEventWasKept() throws Exception {
    Path trace = builder.property("transport", "discard").write();
    for (int rank = 0; rank < 4; rank++) {
      Files.delete(trace.resolve("node1.100" + rank + ".0.0.evt"));
    }
    assertTells(absences(trace), "all events", "they were not kept", true);
  }

  @Test
  void theFileOfASecondThreadIsMissing() throws Exception {
    Path trace = builder.write();
    Files.delete(trace.resolve("node1.1002.0.1.evt"));
    assertTells(absences(trace), "ring[2] (pid 1002 on node1), thread 1", "node1.1002.0.1.evt is missing",
        true);
  }

  @Test
  void anEventFileIsEmpty() throws Exception {
    Path trace = builder.write();
    cut(trace.resolve("node1.1001.0.0.evt"), 0);
    assertTells(absences(trace), "ring[1] (pid 1001 on node1)", "node1.1001.0.0.evt is empty", true);
  }

  @Test
  void anEventFileIsCutBetweenBlocks() throws Exception {
    Path trace = builder.write();
    cut(trace.resolve("node1.1003.0.0.evt"), BLOCK);
    assertTells(absences(trace), "ring[3] (pid 1003 on node1)",
        "it has no events after the first block: the event file node1.1003.0.0.evt is cut short", true);
  }

  @Test
  void aDefinitionsFileIsMissingOrEmpty() throws Exception {
    Path trace = builder.write();
    Files.write(trace.resolve("node1.1003.0.def"), new byte[0]);
    List<Absence> found = absences(trace);
    assertEquals("process node1.1003.0: its events cannot be read, because its definitions file "
        + "node1.1003.0.def is empty", found.get(0).text());
    assertEquals("rank 3 of 4 (ring)", found.get(1).who());
    assertFalse(String.join("\n", Trace.open(trace).warnings()).contains("there was no space"));
    Files.delete(trace.resolve("node1.1003.0.def"));
    assertTrue(absences(trace).get(0).text().endsWith("node1.1003.0.def is missing"));
  }

  @Test
  void aRankHasNoFiles() throws Exception {
    Path trace = withoutFirst(builder.write());
    assertTells(absences(trace), "rank 0 of 4 (ring)", "or the recorder did not start this rank", false);
    assertTrue(TraceChecker.check(trace).isSound(), "it may never have been recorded");
  }

  @Test
  void aRankHasLostItsFiles() throws Exception {
    Path trace = withoutFirst(builder.property("processes", "4").write());
    assertTells(absences(trace), "rank 0 of 4 (ring)", "not in the trace: the files are missing", true);
  }

  /** Rank 2 of four has no part in MPI; rank 3 has, and is lost. */
  @Test
  void withSessionsAloneTheMembersOfCommunicatorsAreExpected() throws Exception {
    builder = new TraceBuilder(directory.resolve("sessions"));
    for (int rank = 0; rank < 2; rank++) {
      builder.process("node1", "/opt/ring").mpiSessions(7, rank, 4)
          .communicator(2, 4, 70, rank, 0, new int[][] {{0, 1, 4}}, new int[0][], "mpi://WORLD")
          .communicator(3, 2, 71, rank, 0, new int[][] {{0, 1, 2}}, new int[0][], "")
          .thread(0).threadBegin(0, -1).threadEnd(9);
    }
    assertEquals(List.of(), absences(builder.write()));
    builder.process(0).communicator(4, 1, 72, 0, 1, new int[][] {{0, 1, 1}}, new int[][] {{3, 1, 1}}, "");
    assertTells(absences(builder.write()), "rank 3 of 4 (ring)", "not in the trace", false);
  }

  @Test
  void theSymbolsAreMissing() throws Exception {
    Path trace = builder.property("processes", "4").write();
    assertEquals(List.of(), TraceChecker.check(trace).findings());
    Files.delete(trace.resolve(Symbols.FILE_NAME));
    assertEquals(List.of("there is no file symbols"),
        TraceChecker.check(trace).findings().stream().map(Finding::fact).toList());
  }

  private static Path withoutFirst(Path trace) throws IOException {
    for (String ending : List.of("def", "0.evt", "1.evt")) {
      Files.delete(trace.resolve("node1.1000.0." + ending));
    }
    return trace;
  }

  @Test
  void aProcessThatNobodyNamesHasLostItsFiles() throws Exception {
    assertTells(absences(builder.property("processes", "6").write()), "2 processes",
        "the run had 6 processes", true);
    assertTells(absences(new TraceBuilder(directory.resolve("other")).property("processes", "1")
        .property("event-files", "3").mpiJob("node1", "/opt/one", 1).write()), "3 threads",
        "the run had 3 of them", true);
  }

  /** A daemon that outlives the run writes its files later. */
  @Test
  void moreFilesThanTheRunHadAreNoLoss() throws Exception {
    assertEquals(List.of(), absences(builder.property("processes", "2").property("event-files", "1")
        .write()));
  }

  @Test
  void aChildWithoutEventsIsNoLoss() throws Exception {
    TraceBuilder other = new TraceBuilder(directory.resolve("fork")).property("processes", "1");
    other.process("node1", "/bin/sh").region("fork");
    other.process(0).thread(0).threadBegin(0, -1).createProcess(1, 2, "main/fork", 4711, 0)
        .threadEnd(9);
    assertEquals(List.of(), absences(other.write()));
  }

  @Test
  void aThreadOfARuntimeHasNoEvents() throws Exception {
    builder.process(0).record(4).u32(7).u32(1007).u32(1).u32(1).u64(builder.ticks(0)).string("progress")
        .end();
    assertEquals(List.of(), absences(builder.write()));
  }

  /** While a process runs, a thread can be between its definition and its first event. */
  @Test
  void aLiveProcessHasLostNothing() throws Exception {
    builder.live().process(2).killed();
    Path trace = builder.write();
    Files.delete(trace.resolve("node1.1002.0.1.evt"));
    assertEquals(List.of(), absences(trace));
  }

  @Test
  void aKilledProcessMayHaveHadNoEvents() throws Exception {
    builder.seenEnd("node1", 1002, 9, 400).process(2).killed();
    Path trace = builder.write();
    Files.delete(trace.resolve("node1.1002.0.1.evt"));
    assertTells(absences(trace), "ring[2] (pid 1002 on node1), thread 1",
        "is missing, or the process was killed at this moment", false);
  }

  @Test
  void eventsThatTheTraceCountsAsLostAreToldOnce() throws Exception {
    builder.process(1).record(19).u64(builder.ticks(5)).u64(builder.ticks(9)).u64(12).u64(0).u64(0)
        .u16(1).u16(0).u32(28).end();
    Path trace = builder.write();
    Files.delete(trace.resolve("node1.1001.0.1.evt"));
    assertEquals(List.of(), absences(trace));
  }
}
