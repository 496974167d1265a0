package org.parallax.launch.tuning;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.osgi.util.NLS;
import org.parallax.tuning.session.Replay;
import org.parallax.tuning.session.SessionException;

/** The sessions of tuning that run, and those that are looked at. Safe for threads. */
public final class TuningSessions {
  /** Those that have ended are forgotten one by one when there are more. */
  private static final int MOST_ENDED = 20;
  private static final TuningSessions INSTANCE = new TuningSessions();

  private final List<TuningSession> all = new ArrayList<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  private TuningSessions() {
  }

  public static TuningSessions get() {
    return INSTANCE;
  }

  /** The newest first. */
  public synchronized List<TuningSession> all() {
    return List.copyOf(all);
  }

  /** @param listener called on any thread when a session comes, begins or ends; must return at once */
  public void addListener(Runnable listener) {
    listeners.add(listener);
  }

  public void removeListener(Runnable listener) {
    listeners.remove(listener);
  }

  void add(TuningSession session) {
    synchronized (this) {
      all.add(0, session);
      List<TuningSession> ended = all.stream().filter(each -> each != session && !each.isLive()).toList();
      if (ended.size() > MOST_ENDED) {
        all.removeAll(ended.subList(MOST_ENDED, ended.size()));
      }
    }
    changed();
  }

  /**
   * Decides again from a recorded session, so that it can be looked at; takes as long as reading it.
   *
   * @return the session at its end
   * @throws SessionException when there is none, or it cannot be read
   */
  public TuningSession open(Path directory) throws SessionException {
    Replay.Result replay = Replay.of(directory);
    TuningSession session = new TuningSession(String.valueOf(directory.getFileName()), directory, replay.state());
    if (!replay.differences().isEmpty()) {
      session.tell(NLS.bind(Messages.differs, replay.differences().get(0)));
    }
    session.end();
    add(session);
    return session;
  }

  /** Forgets those that do not run; what was recorded stays. */
  public void removeEnded() {
    synchronized (this) {
      all.removeIf(each -> !each.isLive());
    }
    changed();
  }

  void changed() {
    listeners.forEach(Runnable::run);
  }
}
