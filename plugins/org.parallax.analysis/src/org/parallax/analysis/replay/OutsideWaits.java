package org.parallax.analysis.replay;

import java.util.BitSet;
import org.parallax.trace.CallPaths;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Region;

/** The calls of a process that wait for the world outside of it: for descriptors, connections, signals. */
final class OutsideWaits {
  private final BitSet paths = new BitSet();

  OutsideWaits(ProcessTrace process) {
    CallPaths all = process.callPaths();
    for (int path = 1; path < all.count(); path++) {
      if (all.kind(path) == CallPaths.REGION && isOne(process.region((int) all.value(path)))) {
        paths.set(path);
      }
    }
  }

  /** The agent has these names for all of their kin. */
  private static boolean isOne(Region region) {
    return region != null && switch (region.name()) {
      case "poll", "select", "epoll_wait", "accept", "connect" -> region.group() == Region.Group.STREAM;
      case "pause", "sigsuspend", "sigtimedwait", "sigwait", "sigwaitinfo",
          "wait", "waitpid", "wait3", "wait4", "waitid" -> region.group() == Region.Group.PROCESS;
      default -> false;
    };
  }

  /** @return true for the path of a call that does nothing but wait, if it takes long */
  boolean contains(int path) {
    return path >= 0 && paths.get(path);
  }
}
