package org.parallax.analysis.waits;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.internal.IntList;
import org.parallax.analysis.replay.CallNesting;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/**
 * Finds what the threads did that others waited for: follows each wait to the event that ended it,
 * and from there back in time to where the wait began; where the other thread waited too, it goes
 * on at the one that this one waited for.
 *
 * <p>Waits that the same event ended are followed together.
 */
final class WaitCauses {
  /** Is told of each wait. */
  interface Waits {
    /**
     * @param count 1, or 0 for another part of a wait, in a window of several intervals
     * @param causes valid during the call only; they add up to {@code ns}
     */
    void wait(WaitStates.Place place, long ns, int count, Map<WaitStates.Cause, long[]> causes);
  }

  /** Waits of this many for events of one thread are followed at a time. */
  private static final int BATCH_BITS = 20;

  /** Find out what a thread did between two times, up to an event. */
  private record Question(long cause, long fromNs, long toNs, int depth) {}

  private final List<ThreadRecord> threads;
  private final List<ThreadWaits> waits;
  private final Window window;
  private final Map<ProcessTrace, int[]> enclosing = new HashMap<>();
  private final Deque<Question> questions = new ArrayDeque<>();
  private final Map<WaitStates.Cause, long[]> sums = new HashMap<>();

  /**
   * @param waits of each thread
   * @param window outside of which nothing is told
   */
  WaitCauses(List<ThreadRecord> threads, List<ThreadWaits> waits, Window window) {
    this.threads = threads;
    this.waits = waits;
    this.window = window;
  }

  void tell(Waits listener, Progress progress) {
    int count = threads.size();
    IntList[] waiters = new IntList[count];
    IntList[] numbers = new IntList[count];
    for (int thread = 0; thread < count; thread++) {
      ThreadWaits own = waits.get(thread);
      for (int wait = 0; wait < own.count(); wait++) {
        if (own.isLoss(wait) && window.overlapNs(own.beginNs(wait), own.untilNs(wait)) > 0) {
          int cause = Reference.thread(own.cause(wait));
          if (waiters[cause] == null) {
            waiters[cause] = new IntList();
            numbers[cause] = new IntList();
          }
          waiters[cause].add(thread);
          numbers[cause].add(wait);
        }
      }
    }
    progress.begin("Finding the causes of waits", count);
    for (int cause = 0; cause < count; cause++) {
      if (waiters[cause] != null) {
        followAll(cause, waiters[cause], numbers[cause], listener, progress);
        waiters[cause] = null;
        numbers[cause] = null;
      }
      progress.worked(1);
      progress.check();
    }
  }

  /** Follows all waits that events of a thread ended. */
  private void followAll(
      int cause, IntList waiters, IntList numbers, Waits listener, Progress progress) {
    ActivityWalker walker = new ActivityWalker(threads.get(cause), enclosing(cause));
    for (long first = 0; first < waiters.size(); first += 1 << BATCH_BITS) {
      int size = (int) Math.min(waiters.size() - first, 1 << BATCH_BITS);
      // By the event; of the same event the waits that began last come first.
      List<Wait> batch = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        addParts(waiters.get(first + i), numbers.get(first + i), batch);
      }
      batch.sort(Comparator.comparingLong(Wait::cause).thenComparingLong(Wait::untilNs)
          .thenComparing(Comparator.comparingLong(Wait::beginNs).reversed()));
      Wait before = null;
      for (Wait wait : batch) {
        if (before == null || wait.cause != before.cause || wait.untilNs != before.untilNs) {
          sums.clear();
          walker.start(Reference.position(wait.cause), wait.untilNs);
          progress.check();
        }
        walker.back(wait.beginNs, (path, fromNs, toNs) -> piece(cause, path, fromNs, toNs, 0));
        answerQuestions();
        ThreadWaits own = waits.get(wait.thread);
        listener.wait(new WaitStates.Place(own.state(wait.number), wait.thread,
            own.path(wait.number), own.detail(wait.number)), wait.untilNs - wait.beginNs,
            wait.isFirst ? 1 : 0, sums);
        before = wait;
      }
    }
  }

  /** A wait of a thread, or the part of it in an interval of the window. */
  private record Wait(
      int thread, int number, long beginNs, long untilNs, long cause, boolean isFirst) {}

  private void addParts(int thread, int number, List<Wait> batch) {
    ThreadWaits own = waits.get(thread);
    boolean isFirst = true;
    for (int interval = 0; interval < window.count(); interval++) {
      long beginNs = Math.max(window.beginNs(interval), own.beginNs(number));
      long untilNs = Math.min(window.endNs(interval), own.untilNs(number));
      if (beginNs < untilNs) {
        batch.add(new Wait(thread, number, beginNs, untilNs, own.cause(number), isFirst));
        isFirst = false;
      }
    }
  }

  private void answerQuestions() {
    for (Question question = questions.poll(); question != null; question = questions.poll()) {
      int thread = Reference.thread(question.cause);
      int depth = question.depth;
      ActivityWalker walker = new ActivityWalker(threads.get(thread), enclosing(thread));
      walker.start(Reference.position(question.cause), question.toNs);
      walker.back(question.fromNs,
          (path, fromNs, toNs) -> piece(thread, path, fromNs, toNs, depth));
    }
  }

  /** A thread did something; where it waited meanwhile, who was waited for is asked instead. */
  private void piece(int thread, int path, long fromNs, long toNs, int depth) {
    ThreadWaits own = waits.get(thread);
    long to = toNs;
    int wait = own.lastBefore(toNs);
    // At one time no thread can wait for itself, but for clocks that differ.
    while (wait >= 0 && own.untilNs(wait) > fromNs && to > fromNs && depth <= threads.size()) {
      long untilNs = Math.min(own.untilNs(wait), to);
      add(thread, path, to - untilNs, depth);
      long beginNs = Math.max(own.beginNs(wait), fromNs);
      if (beginNs < untilNs) {
        questions.add(new Question(own.cause(wait), beginNs, untilNs, depth + 1));
      }
      to = Math.min(beginNs, untilNs);
      wait--;
    }
    add(thread, path, to - fromNs, depth);
  }

  private void add(int thread, int path, long ns, int depth) {
    if (ns > 0) {
      WaitStates.Cause cause = new WaitStates.Cause(thread, path, depth > 0);
      sums.computeIfAbsent(cause, k -> new long[1])[0] += ns;
    }
  }

  private int[] enclosing(int thread) {
    return enclosing.computeIfAbsent(
        threads.get(thread).process(), CallNesting::enclosing);
  }
}
