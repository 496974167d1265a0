package org.parallax.ui.open;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.core.runtime.preferences.IEclipsePreferences;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchListener;
import org.eclipse.ui.PlatformUI;
import org.osgi.service.prefs.BackingStoreException;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenRun;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.SessionState;

/**
 * Writes down which traces are open, whenever that changes, so that they come back at the next start, also
 * after the workbench was killed. If it was killed or hung while it reopened them, it asks before it reopens
 * them again. On the UI thread only.
 */
final class ReopenedTraces implements OpenSession.Listener {
  private static final String KEY = "openTraces";
  /** Whether they are being reopened, or were when the workbench ended. */
  private static final String REOPENING = "isReopening";
  /** A workbench that handles events so long after the traces were read does not hang because of them. */
  private static final int PROVEN_MS = 2_000;
  private static final IEclipsePreferences STORE = InstanceScope.INSTANCE.getNode(Ids.BUNDLE);

  @Override
  public void stateChanged(SessionState before, SessionState now) {
    if (!now.traces().equals(before.traces())) {
      write(now);
    }
  }

  /** Reopens what was open at the end of the last start; returns at once, or when a person has answered. */
  static void reopen(Shell shell) {
    List<Path> former = read();
    if (former.isEmpty()) {
      return;
    }
    if (STORE.getBoolean(REOPENING, false) && !isWanted(shell, former)) {
      STORE.remove(REOPENING);
      write(OpenSession.current().state());
      return;
    }
    STORE.putBoolean(REOPENING, true);
    flush();
    Job job = OpenSession.current().open(former);
    Runnable proven = () -> {
      STORE.remove(REOPENING);
      flush();
    };
    job.addJobChangeListener(new JobChangeAdapter() {
      @Override
      public void done(IJobChangeEvent event) {
        UiThread.later(() -> Display.getCurrent().timerExec(PROVEN_MS, proven));
      }
    });
    PlatformUI.getWorkbench().addWorkbenchListener(new IWorkbenchListener() {
      @Override
      public boolean preShutdown(IWorkbench workbench, boolean forced) {
        return true;
      }

      @Override
      public void postShutdown(IWorkbench workbench) {
        proven.run();
      }
    });
  }

  private static boolean isWanted(Shell shell, List<Path> former) {
    String names = String.join("\n", former.stream().map(Path::toString).toList());
    return MessageDialog.open(MessageDialog.QUESTION, shell, Messages.reopenTitle,
        NLS.bind(Messages.reopenAgain, names), SWT.NONE, Messages.reopenOpen, Messages.reopenNot) == 0;
  }

  /** @return what was open and still exists, in the order of opening: traces, session files and directories of launches */
  static List<Path> read() {
    return STORE.get(KEY, "").lines().filter(line -> !line.isBlank()).map(Path::of).filter(Files::exists).toList();
  }

  static void write(SessionState now) {
    List<Path> open = now.traces().stream().map(Trace::directory).toList();
    Collection<Path> sources = sources(open, OpenSession.current().runs().all());
    STORE.put(KEY, String.join("\n", sources.stream().map(Path::toString).toList()));
    flush();
  }

  private static void flush() {
    try {
      STORE.flush();
    } catch (BackingStoreException e) {
      UiLog.log(NLS.bind(Messages.notWritten, e.getMessage()), e);
    }
  }

  /** In place of traces what named them, as far as all that it named is still open. */
  static Collection<Path> sources(List<Path> open, List<OpenRun> runs) {
    Set<Path> incomplete = new HashSet<>();
    for (OpenRun run : runs) {
      if (!open.containsAll(run.traces())) {
        incomplete.add(run.source());
      }
    }
    Set<Path> sources = new LinkedHashSet<>();
    for (Path trace : open) {
      sources.add(runs.stream()
          .filter(run -> run.traces().contains(trace) && !incomplete.contains(run.source()))
          .map(OpenRun::source).findFirst().orElse(trace));
    }
    return sources;
  }
}
