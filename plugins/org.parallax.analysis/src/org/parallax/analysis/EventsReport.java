package org.parallax.analysis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.parallax.analysis.graph.Window;
import org.parallax.model.TreeNode;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * The trace browser: the events around a moment, of all threads together, in the order of time.
 *
 * <p>The rows' names count from the moment: 0 is the first event that is not before it. Columns:
 * {@code time}, {@code thread}, {@code kind}, {@code what} it is about, {@code partner},
 * {@code bytes} and {@code details}.
 *
 * <p>Cost: a search by time in each thread, and log T for each event that is looked at with T
 * threads; without filters these are the events that are shown.
 */
public final class EventsReport {
  private static final int PROGRESS_EVENTS = 1 << 14;

  private static final List<Column> COLUMNS = List.of(
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("thread", "thread", Unit.TEXT),
      new Column("kind", "kind", Unit.TEXT),
      new Column("what", "what", Unit.TEXT),
      new Column("partner", "partner", Unit.TEXT),
      new Column("bytes", "bytes", Unit.BYTES),
      new Column("details", "details", Unit.TEXT));

  /**
   * What is wanted.
   *
   * @param atNs the moment, on the time base of the analysis
   * @param count how many events, half of them before the moment where there are so many
   * @param kinds numbers of {@link Kind}; empty for all
   * @param text to be found in an event's line: thread, kind, what, partner and details, separated
   *     by single spaces; null for all
   */
  public record Wanted(long atNs, int count, Set<Integer> kinds, Pattern text) {}

  /** A thread and where it is read. */
  private record Place(ThreadTrace thread, int order, EventCursor cursor) {}

  private final EventText words;
  private final Wanted wanted;
  private final Window window;
  private final Progress progress;
  private long looked;

  private EventsReport(ApplicationAnalysis analysis, Wanted wanted, Progress progress) {
    words = new EventText(analysis);
    this.wanted = wanted;
    window = analysis.window();
    this.progress = progress;
  }

  /** @return the names of the kinds of events, by their numbers */
  public static Map<String, Integer> kinds() {
    Map<String, Integer> kinds = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (int kind = 1; kind < Kind.COUNT; kind++) {
      kinds.put(Kind.name(kind), kind);
    }
    return kinds;
  }

  /**
   * Makes the table.
   *
   * @param node to whose threads it is limited; null for all
   */
  public static Table of(
      ApplicationAnalysis analysis, TreeNode node, Wanted wanted, Progress progress) {
    Scope scope = new Scope(analysis, node);
    List<ThreadTrace> threads = new ArrayList<>();
    for (ProcessTrace process : analysis.workload().processes()) {
      process.threads().stream().filter(thread -> thread.slotCount() > 0
          && scope.has(analysis.workload().thread(process, thread.id()))).forEach(threads::add);
    }
    EventsReport report = new EventsReport(analysis, wanted, progress);
    progress.begin("Looking for events", 0);
    List<Row> after = report.after(threads);
    Deque<Row> before = report.before(threads, wanted.count() - Math.min(after.size(),
        wanted.count() - wanted.count() / 2));
    List<Row> rows = new ArrayList<>(before);
    rows.addAll(after.subList(0, Math.min(after.size(), wanted.count() - before.size())));
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      rows.set(i, new Row(Integer.toString(i - before.size()), row.subject(), null, row.values()));
    }
    Map<String, String> parameters = analysis.parameters();
    parameters.put("at", Long.toString(wanted.atNs()));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    if (!wanted.kinds().isEmpty()) {
      parameters.put("kind", String.join(",",
          new TreeSet<>(wanted.kinds()).stream().map(Kind::name).toList()));
    }
    if (wanted.text() != null) {
      parameters.put("text", wanted.text().pattern());
    }
    return new Table("events", "Events (" + analysis.name() + ")", analysis.traceNames(),
        parameters, "event", Unit.COUNT, 0, -1, COLUMNS, rows, List.of());
  }

  private List<Row> after(List<ThreadTrace> threads) {
    PriorityQueue<Place> next = new PriorityQueue<>(
        Comparator.<Place>comparingLong(place -> place.cursor.timeNs())
            .thenComparingInt(Place::order));
    for (int i = 0; i < threads.size(); i++) {
      EventCursor cursor = threads.get(i).cursor();
      if (cursor.seekTime(Math.max(wanted.atNs(), window.beginNs()))) {
        next.add(new Place(threads.get(i), i, cursor));
      }
    }
    List<Row> rows = new ArrayList<>();
    while (rows.size() < wanted.count() && !next.isEmpty()) {
      Place place = next.poll();
      if (place.cursor.timeNs() > window.endNs()) {
        break;
      }
      Row row = row(place);
      if (row != null) {
        rows.add(row);
      }
      if (place.cursor.next()) {
        next.add(place);
      }
    }
    return rows;
  }

  private Deque<Row> before(List<ThreadTrace> threads, int count) {
    PriorityQueue<Place> next = new PriorityQueue<>(
        Comparator.<Place>comparingLong(place -> place.cursor.timeNs())
            .thenComparingInt(Place::order).reversed());
    for (int i = 0; i < threads.size(); i++) {
      EventCursor cursor = threads.get(i).cursor();
      cursor.seekTime(wanted.atNs());
      if (cursor.previous()) {
        next.add(new Place(threads.get(i), i, cursor));
      }
    }
    Deque<Row> rows = new ArrayDeque<>();
    while (rows.size() < count && !next.isEmpty()) {
      Place place = next.poll();
      if (place.cursor.timeNs() < window.beginNs()) {
        break;
      }
      Row row = row(place);
      if (row != null) {
        rows.addFirst(row);
      }
      if (place.cursor.previous()) {
        next.add(place);
      }
    }
    return rows;
  }

  /** @return null for an event that is not wanted */
  private Row row(Place place) {
    if (++looked % PROGRESS_EVENTS == 0) {
      progress.check();
    }
    int kind = place.cursor.kind();
    if (!window.contains(place.cursor.timeNs())
        || !wanted.kinds().isEmpty() && !wanted.kinds().contains(kind)) {
      return null;
    }
    EventText.Words event = words.of(place.thread.process(), place.cursor);
    String where = words.where(place.thread);
    if (wanted.text() != null && !wanted.text().matcher(String.join(" ", where, Kind.name(kind),
        event.what(), event.partner(), event.details())).find()) {
      return null;
    }
    return Row.of("", null, place.cursor.timeNs(), where, Kind.name(kind), event.what(),
        event.partner(), event.bytes(), event.details());
  }
}
