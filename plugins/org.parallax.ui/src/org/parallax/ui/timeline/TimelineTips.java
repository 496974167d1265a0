package org.parallax.ui.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.timeline.MessageLines;
import org.parallax.analysis.timeline.PathPieces;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.analysis.timeline.StateColumns;
import org.parallax.model.program.Procedures;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;

/** Tells what is under the pointer. It reads events, so a job finds it out. */
final class TimelineTips extends Job {
  private static final int MOST_STATES = 3;
  private static final int MOST_MESSAGES = 2;
  private static final int FRAMES = 12;

  /** What is pointed at. */
  private record Place(TimelineDrawing drawing, TimelineLayout.Band band, int column) {}

  private final TimelineControl control;
  private volatile Place wanted;
  private Place told;
  private String text;

  TimelineTips(TimelineControl control) {
    super(Messages.subject);
    this.control = control;
    setSystem(true);
  }

  /** The text for a position as far as it is known already; it is shown later where it is not. */
  String at(int x, int y) {
    Place place = place(x, y);
    if (place == null) {
      wanted = null;
      TimelineDrawing drawn = control.drawn();
      return drawn == null ? null : new PhaseMarks(drawn.scene(), drawn.layout()).at(x, y);
    }
    if (!place.equals(told)) {
      wanted = place;
      text = null;
      told = null;
      schedule();
    }
    return text;
  }

  /** Keeps nothing of what was told. */
  void clear() {
    cancel();
    wanted = null;
    told = null;
    text = null;
  }

  private Place place(int x, int y) {
    TimelineDrawing drawing = control.drawn();
    if (drawing == null) {
      return null;
    }
    TimelineLayout layout = drawing.layout();
    int row = layout.rowAt(y, drawing.scene().scroll());
    int column = x - layout.plot().x;
    TimelineLayout.Band band = row < 0 ? null : drawing.band(row);
    return band == null || column < 0 || column >= layout.plot().width ? null
        : new Place(drawing, band, column);
  }

  @Override
  protected IStatus run(IProgressMonitor monitor) {
    Place place = wanted;
    if (place != null) {
      String found = describe(place.drawing, place.band, place.column);
      UiThread.later(() -> {
        if (place.equals(wanted) && place.drawing == control.drawn()
            && !control.canvas().isDisposed()) {
          told = place;
          text = found;
          if (!Objects.equals(found, control.canvas().getToolTipText())) {
            control.canvas().setToolTipText(found);
          }
        }
      });
    }
    return Status.OK_STATUS;
  }

  @Override
  public boolean belongsTo(Object family) {
    return family == OpenSession.current();
  }

  /** What the threads of some lanes do in a column of a drawing; null for nothing. */
  static String describe(TimelineDrawing drawing, TimelineLayout.Band band, int column) {
    Lanes lanes = drawing.scene().lanes();
    int[] threads = lanes.threads(band.fromRow(), band.toRow());
    if (threads.length == 1) {
      return describe(drawing, threads[0], column);
    }
    TimelineScene scene = drawing.scene();
    TimeWindow window = scene.window();
    int columns = drawing.states().columns();
    long from = StateColumns.beginNs(window.beginNs(), window.endNs(), columns, column);
    long to = StateColumns.beginNs(window.beginNs(), window.endNs(), columns, column + 1);
    List<ProgramTimeline.Share> shares =
        scene.timeline().shares(threads, from, Math.max(from + 1, to));
    if (shares.isEmpty()) {
      return null;
    }
    String first = lanes.rows().get(band.fromRow()).name();
    String name = NLS.bind(Messages.tipThreads, band.isOneLane() ? first
        : NLS.bind(Messages.tipLanes, first, lanes.rows().get(band.toRow() - 1).name()),
        threads.length);
    return NLS.bind(Messages.tipAt, name, TimeAxis.exact(scene.told(from + (to - from) / 2)))
        + "\n" + shares(scene, shares);
  }

  /** What a thread does in a column of a drawing; null for nothing. */
  static String describe(TimelineDrawing drawing, int thread, int column) {
    TimelineScene scene = drawing.scene();
    int state = drawing.state(thread, column);
    if (state == StateColumns.NONE) {
      return null;
    }
    TimeWindow window = scene.window();
    int columns = drawing.states().columns();
    long from = StateColumns.beginNs(window.beginNs(), window.endNs(), columns, column);
    long to = StateColumns.beginNs(window.beginNs(), window.endNs(), columns, column + 1);
    long middle = from + (to - from) / 2;
    List<String> lines = new ArrayList<>();
    String lane = scene.lanes().rows().get(scene.lanes().rowOfThread()[thread]).name();
    String at = NLS.bind(Messages.tipAt, lane, TimeAxis.exact(scene.told(middle)));
    lines.add(scene.frame().originNs() == 0 ? at
        : NLS.bind(Messages.tipOfRun, at, TimeAxis.exact(middle)));
    List<ProgramTimeline.Share> shares =
        scene.timeline().shares(new int[] {thread}, from, Math.max(from + 1, to));
    ProgramTimeline.Activity activity = scene.timeline().at(thread, middle);
    if (shares.size() > 1) {
      lines.add(shares(scene, shares));
    } else {
      lines.add(scene.timeline().name(state));
    }
    RunDifferences differences = scene.frame().differences();
    if (differences != null && differences.of(state) != null) {
      lines.add(differences.words(state));
    }
    if (activity != null) {
      addActivity(lines, scene, thread, activity, shares.size() > 1);
      addMessages(lines, drawing, thread, Math.min(from, activity.beginNs()),
          Math.max(to, activity.endNs()));
    }
    addPath(lines, drawing, thread, from, to);
    return String.join("\n", lines);
  }

  private static String shares(TimelineScene scene, List<ProgramTimeline.Share> shares) {
    long total = Math.max(1, shares.stream().mapToLong(ProgramTimeline.Share::ns).sum());
    List<String> told = new ArrayList<>();
    for (ProgramTimeline.Share share : shares.subList(0, Math.min(MOST_STATES, shares.size()))) {
      told.add(NLS.bind(Messages.share, scene.timeline().name(share.state()),
          Math.round(100.0 * share.ns() / total)));
    }
    if (shares.size() > MOST_STATES) {
      told.add(Messages.moreStates);
    }
    return String.join(", ", told);
  }

  private static void addActivity(List<String> lines, TimelineScene scene, int thread,
      ProgramTimeline.Activity activity, boolean named) {
    Procedures procedures = scene.timeline().workload().procedures();
    int process = scene.timeline().threads().get(thread).process().index();
    int[] frames = procedures.frames(process, activity.path());
    StringBuilder path = new StringBuilder();
    int first = Math.max(0, frames.length - FRAMES);
    for (int i = first; i < frames.length; i++) {
      path.append(i == first ? first > 0 ? "\u2026 > " : "" : " > ")
          .append(procedures.get(frames[i]).name());
    }
    if (frames.length > 1 || named) {
      lines.add(path.toString());
    }
    lines.add(NLS.bind(Messages.tipTime, new Object[] {
        TimeAxis.exact(scene.told(activity.beginNs())),
        TimeAxis.exact(scene.told(activity.endNs())),
        TimeAxis.length(activity.endNs() - activity.beginNs())}));
    long lengthNs = activity.endNs() - activity.beginNs();
    if (activity.lostNs() > 0) {
      lines.add(NLS.bind(Messages.tipLost, TimeAxis.length(activity.lostNs()),
          Math.round(100.0 * activity.lostNs() / lengthNs)));
    } else if (activity.lostNs() == ProgramTimeline.Activity.UNKNOWN) {
      lines.add(Messages.tipLostUnknown);
    }
    if (activity.waiting() != null) {
      lines.add(NLS.bind(Messages.waiting, new Object[] {activity.waiting().label(),
          TimeAxis.exact(scene.told(activity.waitBeginNs())),
          TimeAxis.exact(scene.told(activity.waitEndNs())),
          TimeAxis.length(activity.waitEndNs() - activity.waitBeginNs())}));
    }
  }

  private static void addMessages(
      List<String> lines, TimelineDrawing drawing, int thread, long fromNs, long toNs) {
    if (drawing.messages() == null) {
      return;
    }
    TimelineScene scene = drawing.scene();
    int told = 0;
    for (MessageLines.Line line : drawing.messages().lines()) {
      boolean received =
          line.to() == thread && line.receivedNs() >= fromNs && line.receivedNs() <= toNs;
      boolean sent = line.from() == thread && line.sentNs() >= fromNs && line.sentNs() <= toNs;
      if ((received || sent) && told++ < MOST_MESSAGES) {
        Lanes lanes = scene.lanes();
        String partner =
            lanes.rows().get(lanes.rowOfThread()[received ? line.from() : line.to()]).name();
        lines.add(NLS.bind(received ? Messages.messageFrom : Messages.messageTo,
            new Object[] {partner, NLS.bind(Messages.bytes, line.bytes()),
                TimeAxis.exact(scene.told(line.sentNs())),
                TimeAxis.exact(scene.told(line.receivedNs()))}));
      }
    }
  }

  private static void addPath(
      List<String> lines, TimelineDrawing drawing, int thread, long fromNs, long toNs) {
    if (drawing.path() == null) {
      return;
    }
    for (PathPieces.Piece piece : drawing.path().pieces()) {
      if (piece.thread() == thread && piece.beginNs() < toNs && piece.endNs() > fromNs) {
        lines.add(Messages.pathHere);
        return;
      }
    }
  }
}
