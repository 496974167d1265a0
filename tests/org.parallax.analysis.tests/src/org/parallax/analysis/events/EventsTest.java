package org.parallax.analysis.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/** The trace browser on random programs, against sorting all events. */
class EventsTest {
  private static final int PROGRAMS = 20;

  private record Event(long timeNs, int thread, long position, int kind) {}

  @TempDir Path directory;

  private static List<Event> all(List<ProcessTrace> processes, Set<Integer> kinds) {
    List<Event> all = new ArrayList<>();
    int number = 0;
    for (ProcessTrace process : processes) {
      for (ThreadTrace thread : process.threads()) {
        EventCursor cursor = thread.cursor();
        while (cursor.next()) {
          if (kinds.isEmpty() || kinds.contains(cursor.kind())) {
            all.add(new Event(cursor.timeNs(), number, cursor.position(), cursor.kind()));
          }
        }
        number++;
      }
    }
    all.sort(Comparator.comparingLong(Event::timeNs).thenComparingInt(Event::thread)
        .thenComparingLong(Event::position));
    return all;
  }

  @Test
  void theEventsAroundAnyMoment() throws Exception {
    int full = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Random random = new Random(seed);
      Path path = RandomPrograms.write(seed, directory.resolve("t" + seed), 3, 200);
      LoadedSession session = SessionBuilder.open(List.of(path), Progress.NONE);
      try {
        ApplicationAnalysis analysis = ApplicationAnalysis.global(session.getApplications());
        long end = session.traces().get(0).durationNs();
        for (int round = 0; round < 20; round++) {
          Set<Integer> kinds = round % 2 == 0 ? Set.of() : Set.of(Kind.SEND, Kind.SAMPLE);
          List<Event> events = all(analysis.workload().processes(), kinds);
          long at = random.nextLong(end + 2);
          int count = 1 + random.nextInt(30);
          Table table = EventsReport.of(analysis, null,
              new EventsReport.Wanted(at, count, kinds, null), Progress.NONE);
          int first = (int) events.stream().filter(event -> event.timeNs < at).count();
          int after = Math.min(events.size() - first, count - count / 2);
          int from = Math.max(0, first - (count - after));
          int to = Math.min(events.size(), from + count);
          List<Event> expected = events.subList(from, to);
          String message = "seed " + seed + ", round " + round;
          assertEquals(expected.stream().map(Event::timeNs).toList(),
              table.rows().stream().map(row -> row.values().get(0)).toList(), message);
          assertEquals(expected.stream().map(event -> Kind.name(event.kind)).toList(),
              table.rows().stream().map(row -> row.values().get(2)).toList(), message);
          if (!table.rows().isEmpty()) {
            assertEquals(Integer.toString(from - first), table.rows().get(0).name(), message);
          }
          full += table.rows().size() == count ? 1 : 0;
        }
      } finally {
        SessionBuilder.close(session);
      }
    }
    assertTrue(full > 10 * PROGRAMS, "tables are full: " + full);
  }

  /** Page by page, from the begin to the end and back, each event is seen once. */
  @Test
  void pagesHaveEachEventOnce() throws Exception {
    int ties = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Path path = RandomPrograms.write(seed, directory.resolve("p" + seed), 3, 60);
      LoadedSession session = SessionBuilder.open(List.of(path), Progress.NONE);
      try {
        ApplicationAnalysis analysis = ApplicationAnalysis.global(session.getApplications());
        for (Set<Integer> kinds : List.of(Set.<Integer>of(), Set.of(Kind.SEND, Kind.SAMPLE))) {
          List<Event> events = all(analysis.workload().processes(), kinds);
          for (int count : new int[] {1, 7, 50}) {
            EventsReport.Wanted wanted =
                new EventsReport.Wanted(Long.MIN_VALUE / 2, count, kinds, null);
            Table page = EventsReport.of(analysis, null, wanted, Progress.NONE);
            List<Row> forward = new ArrayList<>();
            while (!page.rows().isEmpty()) {
              forward.addAll(page.rows());
              page = EventsReport.after(analysis, null, wanted,
                  forward.get(forward.size() - 1), Progress.NONE);
            }
            assertSame(events, forward, 0, "forward, seed " + seed);
            EventsReport.Wanted end = new EventsReport.Wanted(Long.MAX_VALUE, count, kinds, null);
            page = EventsReport.of(analysis, null, end, Progress.NONE);
            List<Row> backward = new ArrayList<>();
            while (!page.rows().isEmpty()) {
              backward.addAll(0, page.rows());
              page = EventsReport.before(analysis, null, end, backward.get(0), Progress.NONE);
            }
            assertSame(events, backward, -events.size(), "backward, seed " + seed);
          }
          for (int i = 1; i < events.size(); i++) {
            ties += events.get(i).timeNs == events.get(i - 1).timeNs ? 1 : 0;
          }
        }
      } finally {
        SessionBuilder.close(session);
      }
    }
    assertTrue(ties > 100, "events at one moment: " + ties);
  }

  private static void assertSame(
      List<Event> events, List<Row> rows, long first, String message) {
    assertEquals(events.size(), rows.size(), message);
    for (int i = 0; i < rows.size(); i++) {
      EventsReport.Event subject = (EventsReport.Event) rows.get(i).subject();
      assertEquals(events.get(i).timeNs, subject.timeNs(), message);
      assertEquals(events.get(i).position, subject.position(), message);
      assertEquals(Long.toString(first + i), rows.get(i).name(), message);
    }
  }
}
