package org.parallax.analysis.replay;

import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Region;
import org.parallax.trace.ThreadTrace;

/**
 * What a thread takes next. Calls such as poll wait until a descriptor is ready, and do not say
 * which: it is told by what the thread then takes. Reads ahead of the replay with a cursor of its
 * own, each event once.
 */
final class NextTaken {
  private final EventCursor cursor;
  private final boolean[] polls;
  private long position = -1;
  private boolean found;

  private NextTaken(ThreadTrace thread, boolean[] polls) {
    cursor = thread.cursor();
    this.polls = polls;
  }

  /** @return null if nothing in the process waits until descriptors are ready */
  static NextTaken of(ProcessTrace process, ThreadTrace thread) {
    CallPaths paths = process.callPaths();
    boolean[] polls = null;
    for (int path = 1; path < paths.count(); path++) {
      if (paths.kind(path) == CallPaths.REGION && isPoll(process.region((int) paths.value(path)))) {
        polls = polls == null ? new boolean[paths.count()] : polls;
        polls[path] = true;
      }
    }
    return polls == null ? null : new NextTaken(thread, polls);
  }

  /** The agent has these names for all of their kin. */
  private static boolean isPoll(Region region) {
    return region != null && switch (region.name()) {
      case "poll", "select", "epoll_wait", "io_uring_poll" -> region.group() == Region.Group.STREAM;
      // They, too, end when a process does.
      case "pause", "sigsuspend", "sigtimedwait", "sigwait", "sigwaitinfo" ->
          region.group() == Region.Group.PROCESS;
      default -> false;
    };
  }

  /** @return true for calls that only wait until a descriptor is ready */
  boolean isPoll(int path) {
    return path >= 0 && path < polls.length && polls[path];
  }

  /**
   * Finds the first event after a position at which the thread takes something that was announced to
   * it, before it gives something to others or waits anew.
   *
   * @return the cursor at a StreamReceive, Wake or ProcessWait, or null if there is none
   */
  EventCursor after(long start) {
    while (position <= start) {
      if (!cursor.next()) {
        position = Long.MAX_VALUE;
        found = false;
        break;
      }
      switch (cursor.kind()) {
        case Kind.STREAM_RECEIVE, Kind.WAKE, Kind.PROCESS_WAIT -> stop(true);
        case Kind.ENTER -> {
          if (isPoll(cursor.operand())) {
            stop(false);
          }
        }
        case Kind.STREAM_SEND, Kind.SEND, Kind.PARTITIONED_SEND, Kind.SIGNAL, Kind.THREAD_CREATE, Kind.PROCESS_CREATE ->
            stop(false);
        default -> { }
      }
    }
    return found ? cursor : null;
  }

  private void stop(boolean isTaken) {
    position = cursor.position();
    found = isTaken;
  }
}
