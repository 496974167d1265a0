package org.parallax.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The launches that are recorded, and those that were since the start. Safe for threads. */
public final class Measurements {
  /** Those that have ended are forgotten one by one when there are more. */
  private static final int MOST_ENDED = 100;
  private static final Measurements INSTANCE = new Measurements();

  private final List<Measurement> all = new ArrayList<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  private Measurements() {
  }

  public static Measurements get() {
    return INSTANCE;
  }

  /** The newest first. */
  public synchronized List<Measurement> all() {
    return List.copyOf(all);
  }

  /** @param listener called on any thread, often; must return at once */
  public void addListener(Runnable listener) {
    listeners.add(listener);
  }

  public void removeListener(Runnable listener) {
    listeners.remove(listener);
  }

  void add(Measurement measurement) {
    synchronized (this) {
      all.add(0, measurement);
      List<Measurement> ended = all.stream().filter(Measurement::hasEnded).toList();
      if (ended.size() > MOST_ENDED) {
        all.removeAll(ended.subList(MOST_ENDED, ended.size()));
      }
    }
    changed();
  }

  /** Forgets those that have ended; what they recorded stays. */
  public void removeEnded() {
    synchronized (this) {
      all.removeIf(Measurement::hasEnded);
    }
    changed();
  }

  void changed() {
    listeners.forEach(Runnable::run);
  }
}
