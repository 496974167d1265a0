package org.parallax.ui.open;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.core.runtime.preferences.IEclipsePreferences;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.osgi.util.NLS;
import org.osgi.service.prefs.BackingStoreException;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.session.OpenRun;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.SessionState;

/**
 * Writes down which traces are open, whenever that changes, so that they come back at the next start, also
 * after the workbench was killed. On the UI thread only.
 */
final class ReopenedTraces implements OpenSession.Listener {
  private static final String KEY = "openTraces";
  private static final IEclipsePreferences STORE = InstanceScope.INSTANCE.getNode(Ids.BUNDLE);

  @Override
  public void stateChanged(SessionState before, SessionState now) {
    if (!now.traces().equals(before.traces())) {
      write(now);
    }
  }

  /** @return what was open and still exists, in the order of opening: traces, session files and directories of launches */
  static List<Path> read() {
    return STORE.get(KEY, "").lines().filter(line -> !line.isBlank()).map(Path::of).filter(Files::exists).toList();
  }

  static void write(SessionState now) {
    List<Path> open = now.traces().stream().map(Trace::directory).toList();
    Collection<Path> sources = sources(open, OpenSession.current().runs().all());
    STORE.put(KEY, String.join("\n", sources.stream().map(Path::toString).toList()));
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
