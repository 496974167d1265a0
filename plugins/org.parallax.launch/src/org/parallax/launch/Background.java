package org.parallax.launch;

/** Threads that do what can take seconds and that nobody waits for. */
final class Background {
  private Background() {
  }

  static Thread run(String name, Runnable action) {
    Thread thread = new Thread(action, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
