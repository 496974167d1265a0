package org.parallax.planted;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.analysis.replay.WaitState;

/**
 * Who waited for whom in a run of a random script, found from the times that the program itself took.
 *
 * <p>A wait lasts from the begin of a step to the begin of the step of another actor, a thread or a rank, that let it
 * end. The origin of each moment of a wait is the other actor, or, while that one waited itself, the one for which it
 * waited.
 */
final class ScriptWaits {
  /**
   * A step with its times.
   *
   * @param index of the step in the script of its actor, from 0; -1 for the barrier at the start
   */
  record Timed(int actor, int index, long beginNs, long endNs) {}

  /** Time lost by an actor, in all waits of a state. */
  record Key(int actor, WaitState state) {}

  /** Time lost by an actor that is due to another one. */
  record Origin(int actor, WaitState state, int origin) {}

  private record Wait(int actor, WaitState state, long beginNs, long untilNs, int cause) {}

  private final Map<Integer, List<Wait>> waits = new TreeMap<>();
  private final Map<Key, Integer> counts = new HashMap<>();

  /** @param output lines of ACTOR NUMBER BEGIN END, where 0 is the number of the barrier at the start */
  static List<Timed> read(String output) {
    List<Timed> steps = new ArrayList<>();
    for (String line : output.lines().toList()) {
      String[] words = line.split(" ");
      steps.add(new Timed(Integer.parseInt(words[0]), Integer.parseInt(words[1]) - 1, Long.parseLong(words[2]),
          Long.parseLong(words[3])));
    }
    return steps;
  }

  /** A step that could not end before another one had begun. */
  void add(WaitState state, Timed waiting, Timed cause) {
    add(state, waiting.actor(), waiting.beginNs(), Math.min(cause.beginNs(), waiting.endNs()), cause.actor());
  }

  /** An actor that waited for what another one did at a time; no wait if that time is before it began. */
  void add(WaitState state, int actor, long beginNs, long untilNs, int cause) {
    counts.merge(new Key(actor, state), 1, Integer::sum);
    if (untilNs > beginNs) {
      List<Wait> list = waits.computeIfAbsent(actor, k -> new ArrayList<>());
      list.add(new Wait(actor, state, beginNs, untilNs, cause));
      list.sort(Comparator.comparingLong(Wait::beginNs));
    }
  }

  /** A step that could not end before all others had begun. */
  void addLast(WaitState state, Timed waiting, List<Timed> others) {
    add(state, waiting, Collections.max(others, Comparator.comparingLong(Timed::beginNs)));
  }

  /** Steps that all end when the last of them has begun. */
  void addMeeting(WaitState state, List<Timed> all) {
    all.forEach(each -> addLast(state, each, all));
  }

  /** @return nanoseconds by actor and state */
  Map<Key, Long> sums() {
    Map<Key, Long> sums = new HashMap<>();
    waits.values().forEach(list -> list.forEach(wait ->
        sums.merge(new Key(wait.actor(), wait.state()), wait.untilNs() - wait.beginNs(), Long::sum)));
    return sums;
  }

  /** @return how many steps could have waited, by actor and state */
  int count(int actor, WaitState state) {
    return counts.getOrDefault(new Key(actor, state), 0);
  }

  /** @return nanoseconds by actor, state and origin */
  Map<Origin, Long> origins() {
    Map<Origin, Long> origins = new HashMap<>();
    waits.values().forEach(list -> list.forEach(wait -> {
      Map<Integer, Long> ofOne = new HashMap<>();
      addOrigins(wait.cause(), wait.beginNs(), wait.untilNs(), ofOne);
      ofOne.forEach((origin, ns) -> origins.merge(new Origin(wait.actor(), wait.state(), origin), ns, Long::sum));
    }));
    return origins;
  }

  private void addOrigins(int actor, long fromNs, long toNs, Map<Integer, Long> into) {
    long atNs = fromNs;
    for (Wait wait : waits.getOrDefault(actor, List.of())) {
      long begin = Math.max(atNs, wait.beginNs());
      long until = Math.min(toNs, wait.untilNs());
      if (until > begin) {
        into.merge(actor, begin - atNs, Long::sum);
        addOrigins(wait.cause(), begin, until, into);
        atNs = until;
      }
    }
    into.merge(actor, toNs - atNs, Long::sum);
  }
}
