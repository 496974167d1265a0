package org.parallax.analysis.events;

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
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
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

  /**
   * What the rows are about.
   *
   * @param thread of the model; null where the trace has one that it does not
   * @param trace where the event is read
   * @param position in the thread's events
   * @param procedure in which it is, or the next caller that has source; null where the event does
   *     not say
   */
  public record Event(ProgramThread thread, ThreadTrace trace, long position, long timeNs,
      Procedure procedure) {}

  /** A thread and where it is read. */
  private record Reader(ThreadTrace thread, int order, EventCursor cursor) {}

  private final ApplicationAnalysis analysis;
  private final Scope scope;
  private final List<ThreadTrace> threads = new ArrayList<>();
  private final EventText words;
  private final Wanted wanted;
  private final Window window;
  private final Progress progress;
  private long looked;

  private EventsReport(
      ApplicationAnalysis analysis, TreeNode node, Wanted wanted, Progress progress) {
    this.analysis = analysis;
    words = new EventText(analysis);
    this.wanted = wanted;
    window = analysis.window();
    this.progress = progress;
    scope = new Scope(analysis, node);
    for (ProcessTrace process : analysis.workload().processes()) {
      process.threads().stream().filter(thread -> thread.slotCount() > 0
          && scope.has(analysis.workload().thread(process, thread.id()))).forEach(threads::add);
    }
    progress.begin("Searching for events", 0);
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
    EventsReport report = new EventsReport(analysis, node, wanted, progress);
    List<Row> after = report.after(wanted.atNs(), wanted.count(), each -> true, each -> false);
    Deque<Row> before = report.before(wanted.atNs(),
        wanted.count() - Math.min(after.size(), wanted.count() - wanted.count() / 2));
    List<Row> rows = new ArrayList<>(before);
    rows.addAll(after.subList(0, Math.min(after.size(), wanted.count() - before.size())));
    return report.table(rows, -before.size());
  }

  /** @return the first {@link Wanted#count} events that come after a row, wherever the moment is */
  public static Table after(ApplicationAnalysis analysis, TreeNode node, Wanted wanted, Row row,
      Progress progress) {
    EventsReport report = new EventsReport(analysis, node, wanted, progress);
    Event event = (Event) row.subject();
    return report.table(report.after(event.timeNs(), wanted.count(),
        each -> report.order(each, event) > 0, each -> false), Long.parseLong(row.name()) + 1);
  }

  /** @return the last {@link Wanted#count} events that come before a row, wherever the moment is */
  public static Table before(ApplicationAnalysis analysis, TreeNode node, Wanted wanted, Row row,
      Progress progress) {
    EventsReport report = new EventsReport(analysis, node, wanted, progress);
    Event event = (Event) row.subject();
    List<Row> same = report.after(event.timeNs(), Integer.MAX_VALUE, each -> true,
        each -> report.order(each, event) >= 0);
    same = same.subList(Math.max(0, same.size() - wanted.count()), same.size());
    List<Row> rows =
        new ArrayList<>(report.before(event.timeNs(), wanted.count() - same.size()));
    rows.addAll(same);
    return report.table(rows, Long.parseLong(row.name()) - rows.size());
  }

  /** Compares by time, then by thread, then by position. */
  private int order(Reader reader, Event event) {
    int time = Long.compare(reader.cursor.timeNs(), event.timeNs());
    int thread = time != 0 ? time
        : Integer.compare(reader.order, threads.indexOf(event.trace()));
    return thread != 0 ? thread : Long.compare(reader.cursor.position(), event.position());
  }

  private Table table(List<Row> found, long first) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      Row row = found.get(i);
      rows.add(new Row(Long.toString(first + i), row.subject(), null, row.values()));
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

  /** Reads on from a moment, from what is wanted to where it ends. */
  private List<Row> after(
      long fromNs, int count, Predicate<Reader> isWanted, Predicate<Reader> isEnd) {
    PriorityQueue<Reader> next = new PriorityQueue<>(
        Comparator.<Reader>comparingLong(place -> place.cursor.timeNs())
            .thenComparingInt(Reader::order));
    for (int i = 0; i < threads.size(); i++) {
      EventCursor cursor = threads.get(i).cursor();
      if (cursor.seekTime(Math.max(fromNs, window.beginNs()))) {
        next.add(new Reader(threads.get(i), i, cursor));
      }
    }
    List<Row> rows = new ArrayList<>();
    while (rows.size() < count && !next.isEmpty()) {
      Reader place = next.poll();
      if (place.cursor.timeNs() > window.endNs() || isEnd.test(place)) {
        break;
      }
      Row row = isWanted.test(place) ? row(place) : null;
      if (row != null) {
        rows.add(row);
      }
      if (place.cursor.next()) {
        next.add(place);
      }
    }
    return rows;
  }

  private Deque<Row> before(long untilNs, int count) {
    PriorityQueue<Reader> next = new PriorityQueue<>(
        Comparator.<Reader>comparingLong(place -> place.cursor.timeNs())
            .thenComparingInt(Reader::order).reversed());
    for (int i = 0; i < threads.size(); i++) {
      EventCursor cursor = threads.get(i).cursor();
      cursor.seekTime(untilNs);
      if (cursor.previous()) {
        next.add(new Reader(threads.get(i), i, cursor));
      }
    }
    Deque<Row> rows = new ArrayDeque<>();
    while (rows.size() < count && !next.isEmpty()) {
      Reader place = next.poll();
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
  private Row row(Reader place) {
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
    event = words.withLoss(event, place.thread, place.cursor);
    Event subject = new Event(
        analysis.workload().thread(place.thread.process(), place.thread.id()), place.thread,
        place.cursor.position(), place.cursor.timeNs(),
        words.procedure(place.thread.process(), place.cursor));
    return Row.of("", subject, place.cursor.timeNs(), where, Kind.name(kind), event.what(),
        event.partner(), event.bytes() == EventText.NO_BYTES ? "" : (Object) event.bytes(), event.details());
  }
}
