package org.parallax.analysis.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.calls.CallTreeReport;
import org.parallax.analysis.events.EventsReport;
import org.parallax.analysis.reports.ProfileReport;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.ReportText;
import org.parallax.analysis.timeline.ProgramTimeline.Activity;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** How much of a call had no processor: in the timeline, in the events, and in tables. */
class LostInCallsTest {
  private static final long MS = 1_000_000;

  @TempDir Path directory;

  /** A call from 10 to 110 ms, without a processor for 70 ms before 90 ms, and one of 10 ms that had it; then a loss outside. */
  private LoadedSession session(boolean hasClock) throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("lost" + hasClock));
    TracedProcess process = trace.process("node1", "/opt/waiter");
    if (!hasClock) {
      process.noCpuClock();
    }
    TracedThread thread = process.thread(0);
    thread.threadBegin(0, -1).sample(5 * MS, "main/work").enter(10 * MS, "main/MPI_Waitall");
    if (hasClock) {
      thread.lost(90 * MS, 70 * MS);
    }
    thread.leave(110 * MS).sample(115 * MS, "main/work").enter(120 * MS, "main/MPI_Waitall")
        .leave(130 * MS).sample(140 * MS, "main/work");
    if (hasClock) {
      thread.lost(180 * MS, 30 * MS);
    }
    thread.sample(190 * MS, "main/work").threadEnd(200 * MS);
    process.exit(200 * MS, 0);
    return SessionBuilder.open(List.of(trace.write()), Progress.NONE);
  }

  private static Activity at(LoadedSession session, long ns) {
    ProgramTimeline timeline = new ApplicationAnalysis(session.getApplications().get(0)).timeline();
    timeline.read(new int[] {0}, () -> { }, Progress.NONE);
    return timeline.at(0, ns);
  }

  @Test
  void theTimelineTellsItOfCalls() throws Exception {
    LoadedSession session = session(true);
    try {
      Activity call = at(session, 50 * MS);
      assertEquals(10 * MS, call.beginNs());
      assertEquals(110 * MS, call.endNs());
      assertEquals(70 * MS, call.lostNs(), 10);
      assertEquals(70 * MS, at(session, 100 * MS).lostNs(), 10);
      assertEquals(0, at(session, 125 * MS).lostNs());
      assertEquals(Activity.NO_CALL, at(session, 5 * MS).lostNs());
      assertEquals(Activity.NO_CALL, at(session, 170 * MS).lostNs(), "it is a state of its own");
    } finally {
      session.traces().forEach(trace -> trace.close());
    }
  }

  @Test
  void withoutAClockItIsNotKnown() throws Exception {
    LoadedSession session = session(false);
    try {
      assertEquals(Activity.UNKNOWN, at(session, 50 * MS).lostNs());
      assertEquals(List.of("in main", "in main"), leaves(session));
    } finally {
      session.traces().forEach(trace -> trace.close());
    }
  }

  private static List<String> leaves(LoadedSession session) {
    Table events = EventsReport.of(new ApplicationAnalysis(session.getApplications().get(0)), null,
        new EventsReport.Wanted(0, 10, Set.of(Kind.LEAVE), null), Progress.NONE);
    return events.rows().stream()
        .map(row -> (String) row.values().get(events.column("details"))).toList();
  }

  @Test
  void theEndOfACallTellsIt() throws Exception {
    LoadedSession session = session(true);
    try {
      assertEquals(List.of("took 100.000 ms, 70.000 ms of it without a processor, in main", "in main"),
          leaves(session));
    } finally {
      session.traces().forEach(trace -> trace.close());
    }
  }

  private static Object value(Table table, String name, String column) {
    return table.rows().stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow()
        .values().get(table.column(column));
  }

  @Test
  void tablesTellItIfTheCpuTimeOfAllProcessesIsKnown() throws Exception {
    for (boolean hasClock : new boolean[] {true, false}) {
      LoadedSession session = session(hasClock);
      try {
        ApplicationAnalysis analysis = new ApplicationAnalysis(session.getApplications().get(0));
        Table profile = ProfileReport.of(analysis, Level.PROCEDURE, null, Progress.NONE);
        Table processes = ProfileReport.of(analysis, Level.PROCESS, null, Progress.NONE);
        Table tree = CallTreeReport.of(analysis, null, 0, Progress.NONE);
        Table less = CallTreeReport.of(analysis, null, 100, Progress.NONE);
        for (Table table : List.of(profile, tree)) {
          assertEquals(hasClock ? 70 * MS : "", value(table, "MPI_Waitall", "noProcessor"));
        }
        assertEquals(hasClock ? 100 * MS : "", processes.rows().get(0).values().get(
            processes.column("noProcessor")));
        assertEquals(hasClock ? 100 * MS : "", value(less, "(less)", "noProcessor"));
        assertEquals(hasClock ? 30 * MS : null, hasClock ? value(profile, "(off CPU)", "noProcessor") : null);
        // Columns of text repeat nothing.
        assertFalse(ReportText.print(profile, 10).contains("no processor"));
      } finally {
        session.traces().forEach(trace -> trace.close());
      }
    }
  }
}
