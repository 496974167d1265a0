package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.record.Agent;
import org.parallax.record.formats.ParaverFormat;
import org.parallax.trace.Collective;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Traces of Paraver in the reports, beside the same program as a trace of Parallax. */
@ExtendWith(BuiltPrograms.class)
class ParaverTest {
  private static final long MS = 1_000_000;
  private static final int WORLD = 1;
  private static final int RANKS = 3;
  private static final int ROUNDS = 5;
  private static final long END = 70 * MS;

  @TempDir static Path directory;

  @BeforeAll
  static void find() {
    assumeTrue(Files.isExecutable(BuiltPrograms.DIRECTORY.resolve("parallax-paraver")), "the native programs are not built");
  }

  /** When a message of a round leaves a rank: each rank comes 1 ms later than the one before. */
  private static long sendTime(int round, int rank) {
    return 10 * MS * round + rank * MS + 3 * MS;
  }

  private static long receiveEnd(int round, int rank) {
    return sendTime(round, rank) - MS + 345;
  }

  /** Messages that come late by 345 ns to 2 ms, one of them to a posted receive, and a broadcast for which all wait. */
  private static Path writeTrace(Path target) {
    TraceBuilder builder = new TraceBuilder(target);
    builder.mpiJob("node1", "ring", RANKS);
    for (int rank = 0; rank < RANKS; rank++) {
      TracedProcess process = builder.process(rank).noCpuClock();
      List.of("main", "step").forEach(process::region);
      TracedThread main = process.thread(0).threadBegin(0, -1).enter(0, "main").enter(MS, "main/step");
      for (int round = 0; round < ROUNDS; round++) {
        long begin = 10 * MS * round + 2 * MS;
        if (rank > 0 && round == 1) {
          main.irecv(begin, begin + 100, "main/step/MPI_Irecv", WORLD, rank - 1, 7, 4).waitReceive(begin + 200,
              receiveEnd(round, rank), "main/step/MPI_Wait", WORLD, rank - 1, 7, 4096, 4);
        } else if (rank > 0) {
          main.receive(begin, receiveEnd(round, rank), "main/step/MPI_Recv", WORLD, rank - 1, 7, 4096);
        }
        if (rank < RANKS - 1) {
          main.send(sendTime(round, rank) - 1000, sendTime(round, rank), "main/step/MPI_Send", WORLD, rank + 1, 7, 4096);
        }
      }
      main.collective(60 * MS + (RANKS - rank) * MS, 64 * MS, "main/step/MPI_Bcast", WORLD,
          Collective.BCAST, 0, rank == 0 ? 800 : 0, rank == 0 ? 0 : 800);
      main.leave(65 * MS).leave(END).threadEnd(END);
      process.exit(END, 0);
    }
    return builder.write();
  }

  private static Path writeParaver(String name) throws IOException {
    PrvText text = new PrvText(RANKS);
    for (int rank = 0; rank < RANKS; rank++) {
      text.enter(0, rank, "main").enter(MS, rank, "step");
      for (int round = 0; round < ROUNDS; round++) {
        long begin = 10 * MS * round + 2 * MS;
        long end = receiveEnd(round, rank);
        if (rank > 0 && round == 1) {
          text.mpi(begin, begin + 100, rank, PrvText.POINT_TO_POINT, 4).mpi(begin + 200, end, rank, PrvText.POINT_TO_POINT, 5);
        } else if (rank > 0) {
          text.mpi(begin, end, rank, PrvText.POINT_TO_POINT, 2).state(begin, end, rank, 3);
        }
        if (rank < RANKS - 1) {
          long sent = sendTime(round, rank);
          text.mpi(sent - 1000, sent, rank, PrvText.POINT_TO_POINT, 1).message(rank, sent - 1000, sent, rank + 1,
              round == 1 ? begin + 100 : begin, receiveEnd(round, rank + 1), 4096, 7);
        }
      }
      text.mpi(60 * MS + (RANKS - rank) * MS, 64 * MS, rank, PrvText.COLLECTIVE, 7, 50100001, rank == 0 ? 800 : 0, 50100002,
          rank == 0 ? 0 : 800, 50100004, 1);
      text.leave(65 * MS, rank).leave(END, rank);
    }
    return text.write(directory, name);
  }

  /** The rows of a report, without what a trace of another tool does not have. */
  private static List<Map<String, Object>> rows(String report, Path trace) {
    Run run = Run.of("report", report, trace, "--format", "json");
    assertEquals(0, run.status(), run::err);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Object each : (List<?>) Json.object(run.out()).get("rows")) {
      Map<String, Object> row = new TreeMap<>();
      ((Map<?, ?>) each).forEach((key, value) -> row.put((String) key, value));
      rows.add(row);
    }
    return rows;
  }

  @Test
  void theSameProgramGivesTheSameReports() throws IOException {
    Path own = writeTrace(directory.resolve("ring"));
    Path paraver = writeParaver("ring");
    for (String report : List.of("profile", "waits", "critical-path", "comm")) {
      assertEquals(rows(report, own), rows(report, paraver), report);
    }
    List<Map<String, Object>> waits = rows("waits", paraver);
    assertTrue(waits.stream().anyMatch(row -> "late sender".equals(row.get("name"))), waits::toString);
    assertTrue(waits.stream().anyMatch(row -> String.valueOf(row.get("procedure")).contains("MPI_Bcast")), waits::toString);
    Run check = Run.of("check", paraver);
    assertEquals(0, check.status(), check::out);
  }

  @Test
  void infoCountsTheRecordsAndReportsWarnOfDamage() throws IOException {
    Path file = writeParaver("cut");
    String text = Files.readString(file);
    Files.writeString(file, text.substring(0, text.length() - 5));
    Run info = Run.of("info", file);
    assertTrue(info.out().matches("(?s).*\ncommunication +10 +10 +0\n.*"), info::out);
    Run report = Run.of("report", "profile", file);
    long line = text.lines().count();
    assertTrue(report.err().contains(file + ", line " + line + ": the file ends in the line"), report::err);
  }

  @Test
  void aPackedTraceOpensAndChangedNamesAreRead() throws IOException {
    Path plain = writeParaver("packed");
    Path file = directory.resolve("packed.prv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      Files.copy(plain, out);
    }
    assertTrue(rows("profile", file).stream().anyMatch(row -> "step".equals(row.get("name"))));
    Path labels = directory.resolve("packed.pcf");
    Files.writeString(labels, Files.readString(labels).replace("step", "iteration"));
    assertTrue(rows("profile", file).stream().anyMatch(row -> "iteration".equals(row.get("name"))));
  }

  @Test
  void otherFilesAreNoTraces() throws IOException {
    ParaverFormat format = new ParaverFormat(Agent::named);
    assertFalse(format.isTrace(Files.writeString(directory.resolve("a.prv.txt"), "#Paraver")));
    assertFalse(format.isTrace(Files.createDirectories(directory.resolve("folder.prv"))));
    Path file = Files.writeString(directory.resolve("no.prv"), "hello");
    assertTrue(format.isTrace(file));
    Run run = Run.of("info", file);
    assertEquals(1, run.status());
    assertTrue(run.err().contains(file + " is no trace of Paraver: line 1 does not begin with #Paraver: hello"), run::err);
  }
}
