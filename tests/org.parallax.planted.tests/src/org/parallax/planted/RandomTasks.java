package org.parallax.planted;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.parallax.analysis.replay.WaitState;

/** A random script for the program {@code random_tasks}: one thread of a team creates tasks with dependences. */
final class RandomTasks {
  /** All waits for tasks, in whatever call of the runtime: by the task that a thread gets next, or by the last. */
  static final WaitState STATE = WaitState.TASK_WAIT;

  private static final int CELLS = 6;
  private static final int NONE = -1;

  private record Task(long ns, int first, int second, int out) {}

  private record Timed(int number, long createdNs, long beginNs, long endNs, int thread) {}

  /** What let a wait end, and when. */
  private record Event(long ns, int thread) {}

  private final List<String> lines = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();
  private final int threads;

  /** @param seed the same one makes the same script */
  RandomTasks(long seed) {
    Random random = new Random(seed);
    threads = 2 + random.nextInt(5);
    for (int left = 8 + random.nextInt(16); left > 0; left--) {
      switch (random.nextInt(8)) {
        case 0, 1 -> lines.add("delay " + (200_000 + random.nextInt(3_000_000)));
        case 2 -> lines.add("wait");
        case 3 -> {
          int group = 1 + random.nextInt(4);
          lines.add("group " + group);
          for (int i = 0; i < group; i++) {
            task(random);
          }
        }
        default -> task(random);
      }
    }
  }

  private void task(Random random) {
    int first = random.nextBoolean() ? random.nextInt(CELLS) : NONE;
    int second = first != NONE && random.nextInt(3) == 0 ? random.nextInt(CELLS) : NONE;
    int out = random.nextInt(3) > 0 ? random.nextInt(CELLS) : NONE;
    // A cell that is read and written is written.
    first = first == out ? NONE : first;
    second = first == NONE || second == out || second == first ? NONE : second;
    Task task = new Task(500_000 + random.nextInt(6_000_000), first, second, out);
    tasks.add(task);
    lines.add("task " + task.ns() + " " + first + " " + second + " " + out);
  }

  int threads() {
    return threads;
  }

  /** @return what the program reads */
  String text() {
    return String.join("\n", lines) + "\n";
  }

  /** @return the tasks for which each task waits, by the order of creation and the cells */
  private List<Set<Integer>> predecessors() {
    List<Set<Integer>> all = new ArrayList<>();
    Map<Integer, Integer> writer = new HashMap<>();
    Map<Integer, Set<Integer>> readers = new HashMap<>();
    for (int i = 0; i < tasks.size(); i++) {
      Task task = tasks.get(i);
      Set<Integer> before = new TreeSet<>();
      for (int cell : new int[] {task.first(), task.second()}) {
        if (cell != NONE) {
          if (writer.containsKey(cell)) {
            before.add(writer.get(cell));
          }
          readers.computeIfAbsent(cell, k -> new TreeSet<>()).add(i);
        }
      }
      if (task.out() != NONE) {
        if (writer.containsKey(task.out())) {
          before.add(writer.get(task.out()));
        }
        before.addAll(readers.getOrDefault(task.out(), Set.of()));
        writer.put(task.out(), i);
        readers.remove(task.out());
      }
      all.add(before);
    }
    return all;
  }

  /**
   * Who waited for whom. A thread that has come to a stop waits until the next task that it executes was created and
   * the tasks before that one had ended; in the end, until all that the stop waits for has happened.
   *
   * @param output of the program
   */
  ScriptWaits waits(String output) {
    Map<Integer, Timed> timed = new TreeMap<>();
    Map<Integer, Event> arrivals = new TreeMap<>();
    List<long[]> stops = new ArrayList<>();
    List<long[]> starts = new ArrayList<>();
    for (String line : output.lines().toList()) {
      String[] words = line.split(" ");
      long[] numbers = new long[words.length - 1];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Long.parseLong(words[i + 1]);
      }
      switch (words[0]) {
        case "task" -> timed.put((int) numbers[0],
            new Timed((int) numbers[0], numbers[1], numbers[2], numbers[3], (int) numbers[4]));
        case "stop" -> stops.add(numbers);
        case "start" -> starts.add(numbers);
        default -> {
          arrivals.put((int) numbers[0], new Event(numbers[1], (int) numbers[0]));
          stops.add(numbers);
        }
      }
    }
    ScriptWaits waits = new ScriptWaits();
    List<Set<Integer>> before = predecessors();
    List<Event> begun = starts.stream().map(start -> new Event(start[1], (int) start[0])).toList();
    for (long[] start : starts) {
      addStop(waits, (int) start[0], start[1], start[2], begun, timed, before);
    }
    for (long[] stop : stops) {
      boolean region = stop.length == 3;
      List<Event> last = new ArrayList<>();
      for (Timed task : timed.values()) {
        if (region || task.number() >= stop[3] && task.number() < stop[4]) {
          last.add(new Event(task.endNs(), task.thread()));
        }
      }
      if (region) {
        last.addAll(arrivals.values());
      }
      addStop(waits, (int) stop[0], stop[1], stop[2], last, timed, before);
    }
    return waits;
  }

  private static void addStop(ScriptWaits waits, int thread, long beginNs, long endNs, List<Event> last,
      Map<Integer, Timed> timed, List<Set<Integer>> before) {
    long atNs = beginNs;
    List<Timed> own = timed.values().stream()
        .filter(task -> task.thread() == thread && task.beginNs() >= beginNs && task.endNs() <= endNs)
        .sorted(Comparator.comparingLong(Timed::beginNs)).toList();
    for (Timed task : own) {
      List<Event> needed = new ArrayList<>();
      needed.add(new Event(task.createdNs(), 0));
      before.get(task.number()).forEach(other ->
          needed.add(new Event(timed.get(other).endNs(), timed.get(other).thread())));
      addWait(waits, thread, atNs, task.beginNs(), needed);
      atNs = task.endNs();
    }
    addWait(waits, thread, atNs, endNs, last);
  }

  private static void addWait(ScriptWaits waits, int thread, long fromNs, long toNs, List<Event> needed) {
    Event latest = needed.stream().max(Comparator.comparingLong(Event::ns)).orElse(new Event(fromNs, thread));
    waits.add(STATE, thread, fromNs, Math.min(latest.ns(), toNs), latest.thread());
  }
}
