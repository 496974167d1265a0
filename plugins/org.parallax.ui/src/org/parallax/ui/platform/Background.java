package org.parallax.ui.platform;

/** Threads that do what can take seconds and that nobody waits for. */
public final class Background {
  private Background() {
  }

  /** Begins a thread that does not keep the virtual machine from ending. */
  public static Thread run(String name, Runnable action) {
    Thread thread = new Thread(action, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
