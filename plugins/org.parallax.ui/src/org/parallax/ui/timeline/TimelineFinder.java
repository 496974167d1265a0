package org.parallax.ui.timeline;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.eclipse.jface.dialogs.InputDialog;
import org.eclipse.jface.window.Window;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.text.Moment;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.analysis.timeline.StateColumns;
import org.parallax.model.program.Application;
import org.parallax.model.program.Workload;
import org.parallax.ui.platform.Texts;

/** Goes from the cursor of a timeline to what its current thread does before or after, to times and bookmarks. */
final class TimelineFinder {
  private final TimelineControl control;
  private final LongConsumer cursor;
  private FindJob job;
  /** The state that is looked for; NONE for that at the cursor. */
  private int sought = StateColumns.NONE;
  private ProgramTimeline soughtIn;

  /** @param cursor moves the cursor of all views */
  TimelineFinder(TimelineControl control, LongConsumer cursor) {
    this.control = control;
    this.cursor = cursor;
  }

  /** A person points at a state: it is looked for from now on. */
  void setSought(int state) {
    sought = state;
    soughtIn = control.scene() == null ? null : control.scene().timeline();
  }

  /** Forgets what is no longer shown. */
  void clear() {
    if (job != null) {
      job.cancel();
      job = null;
    }
    sought = StateColumns.NONE;
    soughtIn = null;
  }

  /** Where searches begin: the cursor, or the begin of what is in sight. */
  private long from() {
    return control.cursorNs() != null ? control.cursorNs() : control.scene().window().beginNs();
  }

  /** Goes to the next or the last state, wait or message of the current thread. */
  void find(FindJob.Sought what, boolean forward) {
    TimelineScene scene = control.scene();
    if (scene == null || scene.current() < 0) {
      return;
    }
    if (job != null) {
      job.cancel();
    }
    int[] threads = scene.lanes().threadsOf(scene.current());
    int state = state(scene.current());
    if (what == FindJob.Sought.STATE && state == StateColumns.NONE) {
      control.setFound(Messages.findNoState);
      return;
    }
    String name = switch (what) {
      case STATE -> scene.timeline().name(state);
      case WAIT -> Messages.findWait;
      case MESSAGE -> Messages.findMessage;
    };
    String lane = scene.lanes().rows().get(scene.current()).name();
    FindJob.Question question =
        new FindJob.Question(what, state, threads, from(), forward);
    if (!FindJob.isKnown(scene.timeline(), question)) {
      control.setFound(NLS.bind(Messages.findReading, name, lane));
    }
    FindJob[] asked = new FindJob[1];
    asked[0] = new FindJob(scene.timeline(), question,
        found -> found(asked[0], scene, found, NLS.bind(
            forward ? Messages.findNoNext : Messages.findNoPrevious, name, lane)),
        reason -> tell(asked[0], scene, reason));
    job = asked[0];
    job.schedule();
  }

  private int state(int row) {
    if (sought != StateColumns.NONE && soughtIn == control.scene().timeline()) {
      return sought;
    }
    TimelineDrawing drawn = control.drawn();
    setSought(drawn == null ? StateColumns.NONE : drawn.stateOfRow(row,
        (int) drawn.scene().window().place(from(), drawn.states().columns())));
    return sought;
  }

  private void found(FindJob by, TimelineScene asked, OptionalLong found, String none) {
    if (tell(by, asked, found.isPresent() ? "" : none)) {
      found.ifPresent(cursor::accept);
    }
  }

  /** @return false if a person has asked for something else, or shows something else */
  private boolean tell(FindJob by, TimelineScene asked, String text) {
    boolean isCurrent = job == by && !control.canvas().isDisposed() && control.scene() != null
        && control.scene().timeline() == asked.timeline();
    if (isCurrent) {
      job = null;
      control.setFound(text);
    }
    return isCurrent;
  }

  /** Asks for a time and goes there. */
  void goToTime(ApplicationAnalysis analysis) {
    TimelineScene scene = control.scene();
    if (scene == null) {
      return;
    }
    boolean isAlone = scene.frame().isAlone();
    InputDialog dialog = new InputDialog(control.canvas().getShell(), Messages.goToTitle,
        isAlone ? Messages.goToQuestion : Messages.goToAlignedQuestion, "", text -> {
          try {
            moment(text.strip(), scene, analysis);
            return null;
          } catch (Moment.NoMoment e) {
            return text.isBlank() ? "" : Texts.sentence(e.getMessage());
          }
        });
    if (dialog.open() == Window.OK) {
      try {
        cursor.accept(moment(dialog.getValue().strip(), scene, analysis));
      } catch (Moment.NoMoment e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Times are told from where runs are aligned; a percentage is one of this run. */
  private static long moment(String text, TimelineScene scene, ApplicationAnalysis analysis) {
    if (scene.frame().isAlone() || text.endsWith("%")) {
      return Moment.of(text, analysis);
    }
    long ns = Moment.signed(text) + scene.frame().originNs();
    if (ns < scene.all().beginNs() || ns > scene.all().endNs()) {
      throw Moment.outside(text, analysis);
    }
    return ns;
  }

  /** The marks of what is shown, in its time. */
  private Bookmarks bookmarks() {
    Workload workload = control.scene().timeline().workload();
    Application application = workload.applications().get(0);
    return new Bookmarks(application.getTrace(), workload.movedNs(application));
  }

  /** Marks the moment of the cursor, or takes its mark off. */
  void toggleBookmark() {
    TimelineScene scene = control.scene();
    if (scene == null || control.cursorNs() == null) {
      control.setFound(scene == null ? "" : Messages.bookmarkNoCursor);
      return;
    }
    bookmarks().toggle(control.cursorNs(), scene.current() < 0 ? ""
        : scene.lanes().rows().get(scene.current()).name());
    showBookmarks();
  }

  /** Draws the bookmarks of what is shown. */
  void showBookmarks() {
    control.setBookmarks(control.scene() == null ? List.of()
        : List.copyOf(bookmarks().all().keySet()));
  }

  /** Goes to the next bookmark, or to the last one. */
  void goToBookmark(boolean forward) {
    if (control.scene() == null) {
      return;
    }
    NavigableMap<Long, String> marks = bookmarks().all();
    Long to = forward ? marks.higherKey(from()) : marks.lowerKey(from());
    control.setFound(to == null ? Messages.bookmarkNone : "");
    if (to != null) {
      cursor.accept(to);
    }
  }

  /** Adds the bookmarks of what is shown to a menu, each of which goes there. */
  void fill(Menu menu) {
    for (MenuItem item : menu.getItems()) {
      item.dispose();
    }
    for (Map.Entry<Long, String> mark : bookmarks().all().entrySet()) {
      MenuItem item = new MenuItem(menu, SWT.PUSH);
      item.setText(NLS.bind(Messages.bookmark, TimeAxis.exact(control.scene().told(mark.getKey())), mark.getValue())
          .replace("&", "&&"));
      item.addListener(SWT.Selection, event -> cursor.accept(mark.getKey()));
    }
  }
}
