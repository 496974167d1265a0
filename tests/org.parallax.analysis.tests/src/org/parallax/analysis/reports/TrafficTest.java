package org.parallax.analysis.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.events.Partners;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Who sends what to whom, and what that tells of clocks. */
class TrafficTest {
  private static final int WORLD = 1;

  @TempDir Path directory;

  private TraceBuilder trace;

  private TracedThread rank(int rank) {
    return trace.process(rank).thread(0);
  }

  private interface Use {
    void of(ApplicationAnalysis analysis) throws TraceException;
  }

  private static void open(Path path, Use use) throws TraceException {
    try (Trace opened = Trace.open(path)) {
      use.of(new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0)));
    }
  }

  private static List<String> rows(Table table, String... columns) {
    List<String> rows = new ArrayList<>();
    for (Row row : table.rows()) {
      StringBuilder text = new StringBuilder(row.name());
      for (String column : columns) {
        text.append(' ').append(row.values().get(table.column(column)));
      }
      rows.add(text.toString());
    }
    return rows;
  }

  /** Rank 2 is on another machine, whose clock shows 500 ns too much. */
  private void messages() {
    trace = new TraceBuilder(directory.resolve("trace"));
    for (int rank = 0; rank < 3; rank++) {
      trace.process(rank < 2 ? "m" : "n", "/opt/p").mpi(7, rank, 3);
    }
    rank(0).enter(0, "a").leave(1000)
        .send(1000, 1020, "MPI_Send", WORLD, 1, 0, 8)
        .send(1030, 1050, "MPI_Send", WORLD, 1, 5, 100)
        .send(1060, 1080, "MPI_Send", WORLD, 2, 0, 30)
        .receive(2000, 2010, "MPI_Recv", WORLD, 2, 0, 4);
    rank(1).enter(0, "b").leave(900)
        .receive(900, 1030, "MPI_Recv", WORLD, 0, 0, 8)
        .enter(1030, "b").leave(1200)
        .receive(1200, 1210, "MPI_Recv", WORLD, 0, 5, 100);
    rank(2).enter(0, "c").leave(1500)
        .receive(1500, 1600, "MPI_Recv", WORLD, 0, 0, 30)
        .send(2100, 2120, "MPI_Send", WORLD, 0, 0, 4);
  }

  @Test
  void messagesBetweenProcesses() throws TraceException {
    messages();
    open(trace.write(), analysis -> {
      Table table = TrafficReport.of(analysis, Level.PROCESS, null, Progress.NONE);
      assertEquals(List.of(
          "Msg: m:p[0]->m:p[1] m:p[0] m:p[1] 2 108 54.0 105 30 100",
          "Msg: m:p[0]->n:p[2] m:p[0] n:p[2] 1 30 30.0 540 540 0",
          "Msg: n:p[2]->m:p[0] n:p[2] m:p[0] 1 4 4.0 -90 -90 10"),
          rows(table, "from", "to", "messages", "bytes", "meanBytes", "meanTime", "shortest",
              "receiverWait"));
      assertEquals(142, table.total());
    });
  }

  @Test
  void onlyWhatIsReceivedInThePhase() throws TraceException {
    messages();
    open(trace.write(), analysis -> {
      Table table = TrafficReport.of(
          analysis.during(new Phase("part", new Window(950, 1100))), Level.PROCESS, null,
          Progress.NONE);
      assertEquals(List.of("Msg: m:p[0]->m:p[1] 1 8 50"),
          rows(table, "messages", "bytes", "receiverWait"));
    });
  }

  @Test
  void meansAreNotKnownOfAPhaseWithWaitsButNoMessage() throws TraceException {
    messages();
    open(trace.write(), analysis -> {
      Table table = TrafficReport.of(
          analysis.during(new Phase("part", new Window(950, 1000))), Level.PROCESS, null,
          Progress.NONE);
      assertEquals(List.of("Msg: m:p[0]->m:p[1] 0 0 50   "), rows(table, "messages", "bytes",
          "receiverWait", "meanBytes", "meanTime", "shortest"));
    });
  }

  @Test
  void nodesThatSendOrReceive() throws TraceException {
    messages();
    open(trace.write(), analysis -> {
      var tree = ProgramTree.logical(analysis.application());
      var machine = tree.children().stream().filter(node -> node.name().equals("n")).findFirst();
      assertEquals(List.of("Msg: m->n 1 30", "Msg: n->m 1 4"), rows(TrafficReport.of(
          analysis, Level.MACHINE, machine.orElseThrow(), Progress.NONE), "messages", "bytes"));
    });
  }

  @Test
  void clocksOfTwoMachines() throws TraceException {
    messages();
    open(trace.write(), analysis -> {
      Table table = ClocksReport.of(analysis, null, Progress.NONE);
      // With 540 ns there and -90 back they took 450 together, or 225 each: 315 too much there.
      assertEquals(List.of("m 2 0 30   ", "m, n 2 1 540 -90 315 225"),
          rows(table, "messages", "early", "there", "back", "ahead", "within"));
      assertEquals(4, table.total());
      // A quarter of 450 ns is the least latency: 112 ns after the send at 2100.
      assertEquals(List.of("m   0 0 0 203", "m, n   1 90 0 203"),
          rows(table, "drift", "driftWithin", "violations", "largest", "left", "moved"));
    });
  }

  @Test
  void bytesOfPipes() throws TraceException {
    trace = new TraceBuilder(directory.resolve("trace"));
    for (int i = 0; i < 2; i++) {
      TracedProcess process = trace.process("m", "/opt/p");
      process.stream(1, 99, "pipe");
      process.region("read");
      process.region("write");
    }
    rank(0).enter(0, "a").leave(100).write(100, 120, "write", 1, 0, 10)
        .write(200, 210, "write", 1, 10, 20);
    rank(1).enter(0, "b").leave(50).read(50, 130, "read", 1, 0, 10)
        .read(140, 220, "read", 1, 10, 20);
    open(trace.write(), analysis -> assertEquals(
        List.of("Stream: m:p (pid 1000)->m:p (pid 1001) 2 30 25 110"),
        rows(TrafficReport.of(analysis, Level.PROCESS, null, Progress.NONE), "messages", "bytes",
            "meanTime", "receiverWait")));
  }

  /** What events say of each receive, added up by hand, is what the replay matches. */
  @Test
  void randomPrograms() throws Exception {
    for (int seed = 1; seed <= 30; seed++) {
      Path path = RandomPrograms.write(seed, directory.resolve("random" + seed), 5, 300);
      try (Trace opened = Trace.open(path)) {
        Map<String, Long> received = new TreeMap<>();
        for (ProcessTrace process : opened.processes()) {
          for (ThreadTrace thread : process.threads()) {
            addReceived(process, thread, received);
          }
        }
        ApplicationAnalysis analysis =
            new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0));
        Map<String, Long> flows = new TreeMap<>();
        analysis.traffic(Progress.NONE).flows().stream()
            .filter(flow -> flow.kind() == ArcKind.MESSAGE && flow.messages() > 0).forEach(flow -> {
              int from = rank(analysis, flow.from());
              int to = rank(analysis, flow.to());
              flows.merge(from + ">" + to + " messages", flow.messages(), Long::sum);
              flows.merge(from + ">" + to + " bytes", flow.bytes(), Long::sum);
              assertTrue(flow.early() == 0 && flow.shortestNs() >= 0, "no clock is wrong");
            });
        assertTrue(!flows.isEmpty());
        assertEquals(received, flows, "seed " + seed);
        Table threads = TrafficReport.of(analysis, Level.THREAD, null, Progress.NONE);
        for (Level level : List.of(Level.PROCESS, Level.MACHINE, Level.APPLICATION)) {
          Table table = TrafficReport.of(analysis, level, null, Progress.NONE);
          assertEquals(threads.total(), table.total());
          for (String column : List.of("messages", "bytes", "receiverWait", "senderWait")) {
            assertEquals(sum(threads, column), sum(table, column), level + " " + column);
          }
        }
      }
    }
  }

  private static int rank(ApplicationAnalysis analysis, int thread) {
    return analysis.traffic(Progress.NONE).threads().get(thread).process().mpi().worldRank();
  }

  private static long sum(Table table, String column) {
    int index = table.column(column);
    return table.rows().stream().mapToLong(row -> (Long) row.values().get(index)).sum();
  }

  private static void addReceived(
      ProcessTrace process, ThreadTrace thread, Map<String, Long> received) {
    EventCursor cursor = thread.cursor();
    while (cursor.next()) {
      if (cursor.kind() == Kind.RECEIVE) {
        int from = process.communicator(cursor.operand())
            .peerWorldRank(Kind.peer(cursor.payload(0)));
        String pair = from + ">" + process.mpi().worldRank();
        received.merge(pair + " messages", 1L, Long::sum);
        received.merge(pair + " bytes", cursor.payload(1), Long::sum);
      }
    }
  }

  @Test
  void matrixHasWhatTheTableHas() throws Exception {
    int several = 0;
    for (long seed = 1; seed <= 20; seed++) {
      Path path = RandomPrograms.write(seed, directory.resolve("matrix" + seed), 4, 120);
      try (Trace opened = Trace.open(path)) {
        ApplicationAnalysis analysis =
            new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0));
        for (Level level : List.of(Level.MACHINE, Level.PROCESS, Level.THREAD)) {
          Table table = TrafficReport.of(analysis, level, null, Progress.NONE);
          TrafficMatrix matrix = TrafficMatrix.of(analysis, level, null, Progress.NONE);
          Map<String, List<Long>> expected = new TreeMap<>();
          for (Row row : table.rows()) {
            String pair = row.values().get(0) + " " + row.values().get(1);
            List<Long> sums = expected.computeIfAbsent(pair, each -> new ArrayList<>(
                List.of(0L, 0L, 0L, 0L)));
            for (int i = 0; i < sums.size(); i++) {
              int column = table.column(
                  List.of("messages", "bytes", "receiverWait", "senderWait").get(i));
              sums.set(i, sums.get(i) + (Long) row.values().get(column));
            }
          }
          Map<String, List<Long>> cells = new TreeMap<>();
          for (TrafficMatrix.Cell cell : matrix.cells()) {
            cells.put(matrix.parts().get(cell.from()).name() + " "
                + matrix.parts().get(cell.to()).name(), List.of(
                    cell.value(TrafficMatrix.Metric.MESSAGES),
                    cell.value(TrafficMatrix.Metric.BYTES),
                    cell.value(TrafficMatrix.Metric.RECEIVER_WAIT),
                    cell.value(TrafficMatrix.Metric.SENDER_WAIT)));
            assertEquals(cell, matrix.cell(cell.from(), cell.to()));
          }
          assertEquals(expected, cells, "seed " + seed + " " + level);
          several += cells.size();
        }
      }
    }
    assertTrue(several > 100, "pairs: " + several);
  }

  @Test
  void partsOfAMatrixAreAllThatCouldCommunicate() throws TraceException {
    messages();
    open(trace.write(), analysis -> {
      TrafficMatrix matrix =
          TrafficMatrix.of(analysis, Level.PROCESS, null, Progress.NONE);
      assertEquals(List.of("m:p[0]", "m:p[1]", "n:p[2]"),
          matrix.parts().stream().map(TrafficMatrix.Part::name).toList());
      assertEquals(100, matrix.cell(0, 1).value(TrafficMatrix.Metric.RECEIVER_WAIT));
      assertEquals(105, matrix.cell(0, 1).value(TrafficMatrix.Metric.MEAN_TIME));
      assertEquals(null, matrix.cell(1, 0));
      assertEquals(108, matrix.largest(TrafficMatrix.Metric.BYTES));
      assertEquals(4, matrix.least(TrafficMatrix.Metric.BYTES));
    });
  }

  /** Each send and the receive that took it are each other's other end. */
  @Test
  void otherEndsOfMessages() throws TraceException {
    messages();
    open(trace.write(), analysis -> {
      List<ProcessTrace> processes = analysis.workload().processes();
      int found = 0;
      for (ProcessTrace process : processes) {
        ThreadTrace thread = process.threads().get(0);
        EventCursor cursor = thread.cursor();
        while (cursor.next()) {
          if (Partners.isMessage(cursor.kind())) {
            Partners.Found other =
                Partners.of(processes, thread, cursor.position(), Progress.NONE);
            EventCursor there = other.thread().cursor();
            there.seek(other.position());
            assertEquals(cursor.kind() == Kind.SEND ? Kind.RECEIVE : Kind.SEND, there.kind());
            assertEquals(cursor.payload(1), there.payload(1), "bytes");
            Partners.Found back =
                Partners.of(processes, other.thread(), other.position(), Progress.NONE);
            assertEquals(thread, back.thread());
            assertEquals(cursor.position(), back.position());
            found++;
          }
        }
      }
      assertEquals(8, found);
    });
  }

  /** On random programs: as many bytes, from who says so to whom, and back again. */
  @Test
  void otherEndsOfRandomMessages() throws Exception {
    int found = 0;
    for (long seed = 1; seed <= 12; seed++) {
      Path path = RandomPrograms.write(seed, directory.resolve("ends" + seed), 4, 160);
      try (Trace opened = Trace.open(path)) {
        ApplicationAnalysis analysis =
            new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0));
        List<ProcessTrace> processes = analysis.workload().processes();
        for (ProcessTrace process : processes) {
          for (ThreadTrace thread : process.threads()) {
            EventCursor cursor = thread.cursor();
            while (cursor.next()) {
              if (cursor.kind() != Kind.RECEIVE) {
                continue;
              }
              Partners.Found other =
                  Partners.of(processes, thread, cursor.position(), Progress.NONE);
              if (other == null) {
                continue;
              }
              EventCursor there = other.thread().cursor();
              there.seek(other.position());
              String message = "seed " + seed + ", " + thread + " at " + cursor.timeNs();
              assertEquals(Kind.SEND, there.kind(), message);
              assertEquals(cursor.payload(1), there.payload(1), message);
              Partners.Found back =
                  Partners.of(processes, other.thread(), other.position(), Progress.NONE);
              assertEquals(thread, back.thread(), message);
              assertEquals(cursor.payload(1), at(back).payload(1), message);
              found++;
            }
          }
        }
      }
    }
    assertTrue(found > 50, "messages: " + found);
  }

  private static EventCursor at(Partners.Found event) {
    EventCursor cursor = event.thread().cursor();
    cursor.seek(event.position());
    return cursor;
  }
}
