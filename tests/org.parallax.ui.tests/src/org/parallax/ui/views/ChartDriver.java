package org.parallax.ui.views;

import java.nio.file.Path;
import java.util.List;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IWorkbenchPage;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;

/** What a person does to charts. */
public final class ChartDriver {
  private ChartDriver() {
  }

  /** A view as after the first start, in sight. */
  public static <V extends IViewPart> V fresh(Class<V> type, String id) throws Exception {
    Workbench.page().hideView(Workbench.page().findViewReference(id));
    IViewPart view = Workbench.page().showView(id, null, IWorkbenchPage.VIEW_ACTIVATE);
    Workbench.settle();
    return type.cast(view);
  }

  public static void open(Path... traces) {
    OpenSession.current().open(List.of(traces));
    Workbench.await("the traces",
        () -> OpenSession.current().state().traces().size() == traces.length);
    Workbench.settle();
  }

  /** Selects an open run by the name of its trace. */
  public static void select(String trace) {
    OpenSession.current().setScope(OpenSession.current().state().trees().stream()
        .filter(tree -> tree.application().isPresent()
            && tree.application().get().getTrace().directory().endsWith(trace))
        .findFirst().orElseThrow());
    Workbench.settle();
  }

  public static void mouse(Control control, int type, int x, int y, int mask, int count) {
    Event event = new Event();
    event.x = x;
    event.y = y;
    event.button = type == SWT.MouseVerticalWheel || type == SWT.MouseMove ? 0 : 1;
    event.stateMask = mask;
    event.count = count;
    control.notifyListeners(type, event);
  }

  public static void click(Control control, int x, int y) {
    mouse(control, SWT.MouseDown, x, y, 0, 1);
    mouse(control, SWT.MouseUp, x, y, SWT.BUTTON1, 1);
    Workbench.settle();
  }

  public static void drag(Control control, int fromX, int toX, int y, int mask) {
    mouse(control, SWT.MouseDown, fromX, y, mask, 1);
    mouse(control, SWT.MouseMove, (fromX + toX) / 2, y, mask | SWT.BUTTON1, 0);
    mouse(control, SWT.MouseMove, toX, y, mask | SWT.BUTTON1, 0);
    mouse(control, SWT.MouseUp, toX, y, mask | SWT.BUTTON1, 1);
    Workbench.settle();
  }

  public static void wheel(Control control, int x, int y, int mask, int count) {
    mouse(control, SWT.MouseVerticalWheel, x, y, mask, count);
    Workbench.settle();
  }

  public static void key(Control control, int code, char character, int mask) {
    Event event = new Event();
    event.keyCode = code;
    event.character = character;
    event.stateMask = mask;
    control.notifyListeners(SWT.KeyDown, event);
    Workbench.settle();
  }

  /** Types a name into a dialog that comes, and presses OK. */
  public static void answer(String title, String text) {
    Workbench.window().getShell().getDisplay().timerExec(50, () -> {
      Shell dialog = Workbench.dialog(title);
      if (dialog == null) {
        answer(title, text);
        return;
      }
      Workbench.find(dialog, Text.class, each -> each.isEnabled()
          && (each.getStyle() & SWT.READ_ONLY) == 0).get(0).setText(text);
      Workbench.press(Workbench.button(dialog, "OK"));
    });
  }

  /** Saves what a canvas shows. */
  public static void save(ChartCanvas canvas, Path file) throws Exception {
    Job job = canvas.save(file);
    Workbench.await(file + " to be written", () -> job.getResult() != null);
  }
}
