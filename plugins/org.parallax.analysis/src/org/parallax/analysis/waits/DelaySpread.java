package org.parallax.analysis.waits;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.Progress;

/**
 * Divides waits among the delays that caused them, as {@link DelayCosts} says: from the last wait to
 * the first, so that each is divided when all that later ones pass on to it is known.
 */
final class DelaySpread {
  /** Is told of the parts of waits. */
  interface Costs {
    /**
     * @param victim the wait that the delay caused directly
     * @param directNs part of this wait
     * @param passedNs part of later waits that this one caused
     */
    void cost(DelayCosts.Delay delay, DelayCosts.Victim victim, long directNs, long passedNs);
  }

  /** What is passed on to a wait that was divided before, as clocks tell the same or a wrong time. */
  private record Late(int thread, int number, long ns, int depth) {}

  private final List<ThreadRecord> threads;
  private final List<ThreadWaits> waits;
  private final CommonPaths common;
  private final Window window;
  private final Costs costs;
  private final List<ThreadWork> work = new ArrayList<>();
  private final LastMeeting meetings;
  /** Of each wait what later ones pass on to it. */
  private final long[][] passed;
  /** Of each thread: the waits from this one on were divided. */
  private final int[] divided;
  private final Deque<Late> late = new ArrayDeque<>();

  // Of the wait at hand.
  private final long[] waiterNs;
  /** Of each call path: where it is among the delays. */
  private final int[] slots;
  private int[] touched = new int[64];
  private int touches;
  /** The parts into which it is divided: thread, path or wait, nanoseconds. */
  private final Parts delays = new Parts();
  private final Parts propagated = new Parts();

  private static final class Parts {
    private int[] threads = new int[64];
    private int[] numbers = new int[64];
    private long[] ns = new long[64];
    private int count;
    private long totalNs;

    /** Adds to the part of this number that was added last, if it is of this thread. */
    void addTo(int[] slots, int thread, int number, long partNs) {
      int slot = slots[number];
      if (slot < count && numbers[slot] == number && threads[slot] == thread) {
        ns[slot] += partNs;
        totalNs += partNs;
      } else {
        slots[number] = count;
        add(thread, number, partNs);
      }
    }

    void add(int thread, int number, long partNs) {
      if (count == ns.length) {
        threads = Arrays.copyOf(threads, 2 * count);
        numbers = Arrays.copyOf(numbers, 2 * count);
        ns = Arrays.copyOf(ns, 2 * count);
      }
      threads[count] = thread;
      numbers[count] = number;
      ns[count++] = partNs;
      totalNs += partNs;
    }

    void clear() {
      count = 0;
      totalNs = 0;
    }
  }

  /** @param waits of each thread */
  DelaySpread(List<ThreadRecord> threads, List<ThreadWaits> waits, CommonPaths common,
      Window window, Costs costs) {
    this.threads = threads;
    this.waits = waits;
    this.common = common;
    this.window = window;
    this.costs = costs;
    meetings = new LastMeeting(waits);
    waiterNs = new long[common.count()];
    slots = new int[common.count()];
    passed = new long[threads.size()][];
    divided = new int[threads.size()];
  }

  void spread(Progress progress) {
    progress.begin("Reading the work of threads",
        threads.stream().mapToLong(record -> record.thread().slotCount()).sum());
    long count = 0;
    PriorityQueue<Integer> latest = new PriorityQueue<>((a, b) -> Long.compare(
        waits.get(b).untilNs(divided[b] - 1), waits.get(a).untilNs(divided[a] - 1)));
    for (ThreadRecord record : threads) {
      int thread = record.index();
      ThreadWaits own = waits.get(thread);
      work.add(ThreadWork.of(record, own, common, progress));
      passed[thread] = new long[own.count()];
      divided[thread] = own.count();
      count += own.count();
      if (own.count() > 0) {
        latest.add(thread);
      }
    }
    progress.begin("Dividing waits among delays", count);
    while (!latest.isEmpty()) {
      int thread = latest.remove();
      int wait = --divided[thread];
      ThreadWaits own = waits.get(thread);
      if (own.isLoss(wait)) {
        divide(thread, wait, window.overlapNs(own.beginNs(wait), own.untilNs(wait)),
            passed[thread][wait], 0);
        divideLate();
      }
      if (wait > 0) {
        latest.add(thread);
      }
      progress.worked(1);
      progress.check();
    }
  }

  private void divideLate() {
    for (Late each = late.poll(); each != null; each = late.poll()) {
      divide(each.thread, each.number, 0, each.ns, each.depth);
    }
  }

  private void divide(int thread, int wait, long directNs, long passedNs, int depth) {
    if (directNs + passedNs == 0) {
      return;
    }
    ThreadWaits own = waits.get(thread);
    DelayCosts.Victim victim =
        new DelayCosts.Victim(own.state(wait), thread, own.path(wait));
    // At one time no thread can wait for itself, but for clocks that differ.
    if (depth <= threads.size()) {
      compare(thread, wait, Reference.thread(own.cause(wait)));
    }
    long totalNs = delays.totalNs + propagated.totalNs;
    if (totalNs == 0) {
      costs.cost(new DelayCosts.Delay(DelayCosts.UNEXPLAINED, WaitStates.NOT_BEGUN), victim,
          directNs, passedNs);
      return;
    }
    long before = 0;
    for (int i = 0; i < delays.count; i++) {
      long to = before + delays.ns[i];
      long direct = share(directNs, to, totalNs) - share(directNs, before, totalNs);
      long indirect = share(passedNs, to, totalNs) - share(passedNs, before, totalNs);
      if (direct + indirect > 0) {
        costs.cost(new DelayCosts.Delay(delays.threads[i],
            common.path(threads.get(delays.threads[i]).process(), delays.numbers[i])), victim,
            direct, indirect);
      }
      before = to;
    }
    for (int i = 0; i < propagated.count; i++) {
      long to = before + propagated.ns[i];
      long ns = share(directNs, to, totalNs) - share(directNs, before, totalNs)
          + share(passedNs, to, totalNs) - share(passedNs, before, totalNs);
      pass(propagated.threads[i], propagated.numbers[i], ns, depth);
      before = to;
    }
    delays.clear();
    propagated.clear();
  }

  private static long share(long ns, long part, long of) {
    return part == of ? ns : (long) ((double) ns * part / of);
  }

  private void pass(int thread, int wait, long ns, int depth) {
    if (wait < divided[thread]) {
      passed[thread][wait] += ns;
    } else if (ns > 0) {
      late.add(new Late(thread, wait, ns, depth + 1));
    }
  }

  /** Finds the delays and the propagated waits of the late side. */
  private void compare(int thread, int wait, int other) {
    ThreadWaits own = waits.get(thread);
    long beginNs = own.beginNs(wait);
    long untilNs = own.untilNs(wait);
    long metNs = meetings.before(thread, wait, other);
    if (metNs == Long.MIN_VALUE) {
      metNs = Math.min(firstNs(thread), firstNs(other));
    }
    tellWork(thread, metNs, beginNs, (doer, path, ns) -> {
      if (waiterNs[path] == 0) {
        if (touches == touched.length) {
          touched = Arrays.copyOf(touched, 2 * touches);
        }
        touched[touches++] = path;
      }
      waiterNs[path] += ns;
    });
    tellWork(other, metNs, untilNs, (doer, path, ns) -> {
      long same = Math.min(ns, waiterNs[path]);
      waiterNs[path] -= same;
      if (ns > same) {
        delays.addTo(slots, doer, path, ns - same);
      }
    });
    for (; touches > 0; touches--) {
      waiterNs[touched[touches - 1]] = 0;
    }
    tellWaits(other, metNs, untilNs);
  }

  private interface Work {
    void did(int thread, int path, long ns);
  }

  /** Tells what a thread did, and before its creation its creator, who comes first. */
  private void tellWork(int thread, long fromNs, long toNs, Work told) {
    int creator = meetings.creator(thread);
    long createdNs = meetings.createdNs(thread);
    if (creator >= 0 && fromNs < createdNs) {
      tellWork(creator, fromNs, Math.min(toNs, createdNs), told);
    }
    long beginNs = Math.max(fromNs, createdNs);
    long notBegunNs = Math.min(toNs, work.get(thread).firstNs()) - beginNs;
    if (notBegunNs > 0) {
      told.did(thread, CommonPaths.NOT_BEGUN, notBegunNs);
    }
    work.get(thread).tell(beginNs, toNs, (path, ns) -> told.did(thread, path, ns));
  }

  private void tellWaits(int thread, long fromNs, long toNs) {
    ThreadWaits own = waits.get(thread);
    for (int wait = own.lastBefore(toNs); wait >= 0 && own.untilNs(wait) > fromNs; wait--) {
      if (!own.isLoss(wait)) {
        tellWaits(Reference.thread(own.cause(wait)), fromNs, own.untilNs(wait));
        return;
      }
      propagated.add(thread, wait,
          Math.min(toNs, own.untilNs(wait)) - Math.max(fromNs, own.beginNs(wait)));
    }
  }

  /** @return the first event of a thread or of who created it */
  private long firstNs(int thread) {
    int creator = meetings.creator(thread);
    return creator < 0 ? work.get(thread).firstNs() : firstNs(creator);
  }
}
