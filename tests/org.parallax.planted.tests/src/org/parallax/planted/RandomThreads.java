package org.parallax.planted;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.parallax.analysis.replay.WaitState;

/**
 * A random script for the program {@code random_waits}: threads with delays, semaphores of all ways, locks and
 * barriers.
 *
 * <p>The steps are drawn in one order in which they could be executed one after the other: a wait comes after its
 * post, and a critical section holds nothing that blocks. Therefore no script has a deadlock.
 */
final class RandomThreads {
  /** How a counting object is made, and the state in which a thread waits for it. */
  enum Way {
    SEM(WaitState.SEMAPHORE_WAIT), CONDITION(WaitState.CONDITION_WAIT), COUNTING(WaitState.FUTEX_WAIT),
    PIPE(WaitState.STREAM_WAIT), EVENTFD(WaitState.EVENTFD_WAIT), SYSV(WaitState.SEMAPHORE_WAIT),
    QUEUE(WaitState.QUEUE_WAIT), MUTEX(WaitState.LOCK_CONTENTION), BARRIER(WaitState.THREAD_BARRIER);

    final WaitState state;

    Way(WaitState state) {
      this.state = state;
    }

    boolean counts() {
      return this != MUTEX && this != BARRIER;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * An object that threads synchronize with.
   *
   * @param threads that take part in a barrier; the only one that waits for an object that counts
   */
  record Shared(int number, Way way, List<Integer> threads) {}

  /** @param shared null for a delay */
  record Step(String what, Shared shared, long ns) {}

  private static final List<Way> COUNTING = List.of(Way.values()).stream().filter(Way::counts).toList();

  private final Map<Integer, List<Step>> steps = new TreeMap<>();
  private final List<Shared> objects = new ArrayList<>();

  /** @param seed the same one makes the same script */
  RandomThreads(long seed) {
    Random random = new Random(seed);
    int threads = 2 + random.nextInt(5);
    for (int thread = 0; thread < threads; thread++) {
      steps.put(thread, new ArrayList<>());
      // Each has a step, so that the program starts it.
      delay(thread, random);
    }
    int counters = 1 + random.nextInt(4);
    for (int i = 0; i < counters; i++) {
      add(COUNTING.get(random.nextInt(COUNTING.size())), List.of(random.nextInt(threads)));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      add(Way.MUTEX, List.of());
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      List<Integer> some = new ArrayList<>(steps.keySet());
      Collections.shuffle(some, random);
      add(Way.BARRIER, List.copyOf(some.subList(0, 2 + random.nextInt(threads - 1))));
    }
    int[] posted = new int[objects.size()];
    for (int left = 20 + random.nextInt(40); left > 0; left--) {
      int thread = random.nextInt(threads);
      Shared shared = objects.get(random.nextInt(objects.size()));
      if (random.nextInt(3) > 0) {
        delay(thread, random);
      } else if (shared.way() == Way.MUTEX) {
        step(thread, "lock", shared);
        delay(thread, random);
        step(thread, "unlock", shared);
      } else if (shared.way() == Way.BARRIER) {
        shared.threads().forEach(each -> step(each, "barrier", shared));
      } else if (posted[shared.number()] > 0 && random.nextBoolean()) {
        posted[shared.number()]--;
        step(shared.threads().get(0), "wait", shared);
      } else if (thread != shared.threads().get(0)) {
        posted[shared.number()]++;
        step(thread, "post", shared);
      }
    }
    for (Shared shared : objects) {
      for (int left = posted[shared.number()]; left > 0; left--) {
        step(shared.threads().get(0), "wait", shared);
      }
    }
  }

  private void add(Way way, List<Integer> threads) {
    objects.add(new Shared(objects.size(), way, threads));
  }

  private void delay(int thread, Random random) {
    steps.get(thread).add(new Step("delay", null, 200_000 + random.nextInt(6_000_000)));
  }

  private void step(int thread, String what, Shared shared) {
    steps.get(thread).add(new Step(what, shared, 0));
  }

  /** @return what the program reads */
  String text() {
    StringBuilder text = new StringBuilder();
    for (Shared shared : objects) {
      text.append("object ").append(shared.number()).append(' ').append(shared.way().word()).append(' ')
          .append(shared.threads().size()).append('\n');
    }
    steps.forEach((thread, list) -> list.forEach(step -> text.append(thread).append(' ').append(step.what())
        .append(' ').append(step.shared() == null ? step.ns() : step.shared().number()).append('\n')));
    return text.toString();
  }

  /**
   * Who waited for whom: the k-th wait of a semaphore for the k-th post, an acquisition of a lock for the unlock
   * before it, each at a barrier for the last.
   *
   * @param output of the program
   */
  ScriptWaits waits(String output) {
    Map<Shared, List<ScriptWaits.Timed>> byObject = new HashMap<>();
    List<ScriptWaits.Timed> start = new ArrayList<>();
    for (ScriptWaits.Timed timed : ScriptWaits.read(output)) {
      if (timed.index() < 0) {
        start.add(timed);
      } else if (stepOf(timed).shared() != null) {
        byObject.computeIfAbsent(stepOf(timed).shared(), k -> new ArrayList<>()).add(timed);
      }
    }
    ScriptWaits waits = new ScriptWaits();
    waits.addMeeting(Way.BARRIER.state, start);
    byObject.forEach((shared, all) -> {
      if (shared.way() == Way.BARRIER) {
        addMeetings(waits, all);
      } else if (shared.way() == Way.MUTEX) {
        List<ScriptWaits.Timed> locks = sorted(all, "lock", Comparator.comparingLong(ScriptWaits.Timed::endNs));
        List<ScriptWaits.Timed> unlocks =
            sorted(all, "unlock", Comparator.comparingLong(ScriptWaits.Timed::beginNs));
        for (int i = 1; i < locks.size(); i++) {
          waits.add(shared.way().state, locks.get(i), unlocks.get(i - 1));
        }
      } else {
        Comparator<ScriptWaits.Timed> byBegin = Comparator.comparingLong(ScriptWaits.Timed::beginNs);
        List<ScriptWaits.Timed> posts = sorted(all, "post", byBegin);
        List<ScriptWaits.Timed> takes = sorted(all, "wait", byBegin);
        for (int i = 0; i < takes.size(); i++) {
          waits.add(shared.way().state, takes.get(i), posts.get(i));
        }
      }
    });
    return waits;
  }

  private Step stepOf(ScriptWaits.Timed timed) {
    return steps.get(timed.actor()).get(timed.index());
  }

  private List<ScriptWaits.Timed> sorted(
      List<ScriptWaits.Timed> all, String what, Comparator<ScriptWaits.Timed> order) {
    return all.stream().filter(timed -> stepOf(timed).what().equals(what)).sorted(order).toList();
  }

  private static void addMeetings(ScriptWaits waits, List<ScriptWaits.Timed> all) {
    Map<Integer, List<ScriptWaits.Timed>> byThread = new TreeMap<>();
    all.forEach(timed -> byThread.computeIfAbsent(timed.actor(), k -> new ArrayList<>()).add(timed));
    int generations = byThread.values().iterator().next().size();
    for (int i = 0; i < generations; i++) {
      int generation = i;
      waits.addMeeting(Way.BARRIER.state, byThread.values().stream().map(list -> list.get(generation)).toList());
    }
  }
}
