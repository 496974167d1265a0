package org.parallax.planted;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.parallax.analysis.replay.WaitState;

/**
 * A random script for the program {@code random_ranks}: ranks with delays, messages and collectives.
 *
 * <p>The steps are drawn in an order in which they could be executed one after the other. A large message, whose send
 * may block until the receiver is ready, is drawn together with its receive. Therefore no script has a deadlock.
 */
final class RandomRanks {
  /** @param arguments peer or root, tag and bytes, as far as the step has them; nanoseconds for a delay */
  private record Step(String what, long... arguments) {
    boolean isSend() {
      return what.endsWith("send");
    }

    boolean isReceive() {
      return what.endsWith("recv");
    }
  }

  private record Channel(int from, int to, long tag) {}

  private static final int SMALL_BYTES = 8;
  /** Above the eager limits of all libraries. */
  private static final int LARGE_BYTES = 1 << 20;

  private final List<List<Step>> steps = new ArrayList<>();

  /** @param seed the same one makes the same script */
  RandomRanks(long seed, int ranks) {
    Random random = new Random(seed);
    for (int rank = 0; rank < ranks; rank++) {
      steps.add(new ArrayList<>());
    }
    int[] open = new int[ranks];
    for (int left = 15 + random.nextInt(25); left > 0; left--) {
      int rank = random.nextInt(ranks);
      int kind = random.nextInt(10);
      if (kind < 5) {
        step(rank, "delay", 500_000 + random.nextInt(8_000_000));
      } else if (kind < 8) {
        message(random, rank, open);
      } else if (open[rank] > 0) {
        open[rank]--;
        step(rank, "complete");
      } else {
        collective(random, ranks);
      }
    }
    for (int rank = 0; rank < ranks; rank++) {
      for (; open[rank] > 0; open[rank]--) {
        step(rank, "complete");
      }
    }
  }

  private void message(Random random, int from, int[] open) {
    int to = (from + 1 + random.nextInt(steps.size() - 1)) % steps.size();
    int tag = random.nextInt(2);
    int bytes = random.nextInt(3) == 0 ? LARGE_BYTES : SMALL_BYTES;
    // Requests are completed later; a large one of both sides must not be met by a blocking step on its way.
    boolean later = bytes == SMALL_BYTES && random.nextInt(3) == 0;
    boolean posted = random.nextInt(3) == 0;
    step(from, later ? "isend" : "send", to, tag, bytes);
    step(to, posted && bytes == SMALL_BYTES ? "irecv" : "recv", from, tag, bytes);
    open[from] += later ? 1 : 0;
    open[to] += posted && bytes == SMALL_BYTES ? 1 : 0;
  }

  private void collective(Random random, int ranks) {
    String[] all = {"barrier", "allreduce", "scan", "bcast", "reduce", "gather"};
    String what = all[random.nextInt(all.length)];
    int root = random.nextInt(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      step(rank, what, root);
    }
  }

  private void step(int rank, String what, long... arguments) {
    steps.get(rank).add(new Step(what, arguments));
  }

  /** @return what the program reads */
  String text() {
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank < steps.size(); rank++) {
      for (Step step : steps.get(rank)) {
        text.append(rank).append(' ').append(step.what());
        for (long argument : step.arguments()) {
          text.append(' ').append(argument);
        }
        text.append('\n');
      }
    }
    return text.toString();
  }

  /**
   * Who waited for whom, in the words of the wait states: receivers for senders, large sends for receivers, and in
   * collectives who needs whose data.
   *
   * @param output what all ranks have written
   */
  ScriptWaits waits(String output) {
    List<Map<Integer, ScriptWaits.Timed>> times = new ArrayList<>();
    steps.forEach(list -> times.add(new TreeMap<>()));
    ScriptWaits.read(output).forEach(timed -> times.get(timed.actor()).put(timed.index(), timed));
    ScriptWaits waits = new ScriptWaits();
    waits.addMeeting(WaitState.WAIT_AT_BARRIER, times.stream().map(of -> of.get(-1)).toList());
    addMessages(waits, times);
    addCollectives(waits, times);
    return waits;
  }

  private void addMessages(ScriptWaits waits, List<Map<Integer, ScriptWaits.Timed>> times) {
    Map<Channel, List<ScriptWaits.Timed>> sends = new HashMap<>();
    Map<Channel, List<ScriptWaits.Timed>> receives = new HashMap<>();
    Map<Channel, List<ScriptWaits.Timed>> ends = new HashMap<>();
    for (int rank = 0; rank < steps.size(); rank++) {
      List<Integer> requests = new ArrayList<>();
      for (int i = 0; i < steps.get(rank).size(); i++) {
        Step step = steps.get(rank).get(i);
        ScriptWaits.Timed timed = times.get(rank).get(i);
        if (step.what().startsWith("i")) {
          requests.add(i);
        }
        if (step.isSend()) {
          sends.computeIfAbsent(new Channel(rank, (int) step.arguments()[0], step.arguments()[1]),
              k -> new ArrayList<>()).add(timed);
        } else if (step.isReceive()) {
          Channel channel = new Channel((int) step.arguments()[0], rank, step.arguments()[1]);
          receives.computeIfAbsent(channel, k -> new ArrayList<>()).add(timed);
          ends.computeIfAbsent(channel, k -> new ArrayList<>())
              .add(step.what().equals("recv") ? timed : times.get(rank).get(completionOf(rank, i)));
        }
      }
    }
    sends.forEach((channel, list) -> {
      for (int i = 0; i < list.size(); i++) {
        ScriptWaits.Timed send = list.get(i);
        waits.add(WaitState.LATE_SENDER, ends.get(channel).get(i), send);
        if (steps.get(send.actor()).get(send.index()).arguments()[2] == LARGE_BYTES) {
          waits.add(WaitState.LATE_RECEIVER, send, receives.get(channel).get(i));
        }
      }
    });
  }

  /** Requests are completed in the order of their posting. */
  private int completionOf(int rank, int post) {
    List<Step> of = steps.get(rank);
    long before = of.subList(0, post).stream().filter(step -> step.what().matches("isend|irecv")).count();
    for (int i = 0;; i++) {
      if (of.get(i).what().equals("complete") && before-- == 0) {
        return i;
      }
    }
  }

  private void addCollectives(ScriptWaits waits, List<Map<Integer, ScriptWaits.Timed>> times) {
    List<List<Integer>> byRank = steps.stream().map(RandomRanks::collectivesOf).toList();
    for (int i = 0; i < byRank.get(0).size(); i++) {
      int number = i;
      List<ScriptWaits.Timed> all = new ArrayList<>();
      for (int rank = 0; rank < steps.size(); rank++) {
        all.add(times.get(rank).get(byRank.get(rank).get(number)));
      }
      Step step = steps.get(0).get(byRank.get(0).get(i));
      ScriptWaits.Timed root = all.get((int) step.arguments()[0]);
      switch (step.what()) {
        case "barrier" -> waits.addMeeting(WaitState.WAIT_AT_BARRIER, all);
        case "allreduce" -> waits.addMeeting(WaitState.WAIT_AT_NXN, all);
        case "bcast" -> addPartial(waits, WaitState.LATE_BROADCAST, all, rank -> List.of(root));
        case "scan" -> addPartial(waits, WaitState.EARLY_SCAN, all, rank -> all.subList(0, rank));
        default -> addPartial(waits, WaitState.EARLY_REDUCE, all,
            rank -> all.get(rank) == root ? all : List.of());
      }
    }
  }

  /**
   * Each rank waits for those whose data it needs. A library may let it wait for more: then the step goes on, and ends
   * soon after another one has begun.
   */
  private static void addPartial(ScriptWaits waits, WaitState state, List<ScriptWaits.Timed> all,
      IntFunction<List<ScriptWaits.Timed>> needed) {
    for (int rank = 0; rank < all.size(); rank++) {
      ScriptWaits.Timed own = all.get(rank);
      Comparator<ScriptWaits.Timed> byBegin = Comparator.comparingLong(ScriptWaits.Timed::beginNs);
      ScriptWaits.Timed latest = needed.apply(rank).stream().max(byBegin).orElse(own);
      long thereNs = Math.max(own.beginNs(), latest.beginNs());
      ScriptWaits.Timed last = all.stream().filter(each -> each.beginNs() <= own.endNs()).max(byBegin).orElseThrow();
      boolean more = last.beginNs() - thereNs > own.endNs() - last.beginNs();
      waits.add(state, own, more ? last : latest);
    }
  }

  private static List<Integer> collectivesOf(List<Step> of) {
    List<Integer> collectives = new ArrayList<>();
    for (int i = 0; i < of.size(); i++) {
      if (of.get(i).what().matches("barrier|allreduce|scan|bcast|reduce|gather")) {
        collectives.add(i);
      }
    }
    return collectives;
  }
}
