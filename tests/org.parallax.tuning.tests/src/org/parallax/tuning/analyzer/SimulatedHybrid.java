package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.parallax.tuning.json.Json;

/**
 * Ranks with threads of OpenMP that meet in each step, and their monitor, in a time of their own. A rank works for its
 * work divided by its threads, and waits in MPI for the slowest.
 */
final class SimulatedHybrid {
  private static final int FIRST_PID = 500;

  private static final class Rank {
    final String host;
    int threads;
    double work;

    Rank(String host, int threads, double work) {
      this.host = host;
      this.threads = threads;
      this.work = work;
    }
  }

  private final Random random;
  private final List<Rank> ranks = new ArrayList<>();
  private final Map<Long, Integer> before = new LinkedHashMap<>();
  private final List<Map<String, Object>> requests = new ArrayList<>();
  private final List<Integer> sums = new ArrayList<>();
  private Consumer<Map<String, Object>> analyzer;
  private long nowNs;
  /** What a step has taken beyond the intervals so far. */
  private double aheadSeconds;
  boolean threadsDoNotHelp;

  SimulatedHybrid(long seed) {
    random = new Random(seed);
  }

  /** Adds a rank, before the begin; its work is in seconds of one thread. */
  void rank(String host, int threads, double work) {
    ranks.add(new Rank(host, threads, work));
  }

  void setWork(int rank, double work) {
    ranks.get(rank).work = work;
  }

  List<Integer> threads() {
    return ranks.stream().map(rank -> rank.threads).toList();
  }

  /** @return the threads of all ranks after each interval */
  List<Integer> sums() {
    return sums;
  }

  void take(Map<String, Object> line) {
    if (line.get("type").equals("act")) {
      requests.add(line);
    }
  }

  void begin(Consumer<Map<String, Object>> takes) {
    analyzer = takes;
    give("hello", -1, Map.of("version", 1));
    for (int i = 0; i < ranks.size(); i++) {
      give("process", i, Map.of("event", "started", "program", "/x/hybrid", "rank", i, "library", "Open MPI 4.1.4"));
      give("tunables", i, Map.of("variables",
          List.of(Map.of("name", "openmp_threads", "value", ranks.get(i).threads, "least", 1, "most", 1024))));
    }
  }

  private void give(String type, int rank, Map<String, Object> fields) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("type", type);
    line.put("time", nowNs);
    if (rank >= 0) {
      line.put("host", ranks.get(rank).host);
      line.put("pid", FIRST_PID + rank);
    }
    line.putAll(fields);
    analyzer.accept(line);
  }

  void run(int intervals) {
    for (int i = 0; i < intervals; i++) {
      perform();
      sums.add(ranks.stream().mapToInt(rank -> rank.threads).sum());
      nowNs += SimulatedProgram.INTERVAL_NS;
      work();
      give("tick", -1, Map.of());
    }
  }

  private void perform() {
    List<Map<String, Object>> now = List.copyOf(requests);
    requests.clear();
    for (Map<String, Object> line : now) {
      int place = (int) Json.whole(line, "pid", 0) - FIRST_PID;
      long id = Json.whole(line, "id", -1);
      Rank rank = ranks.get(place);
      if (Json.text(line, "kind").equals("tunable")) {
        before.put(id, rank.threads);
        rank.threads = (int) Json.number(line, "value", 0);
      } else {
        rank.threads = before.get(Json.whole(line, "undoes", -1));
      }
      give("action", place, Map.of("id", id, "state", "done", "time", nowNs + 1));
    }
  }

  private void work() {
    double[] inMpi = new double[ranks.size()];
    int steps = 0;
    double left = SimulatedProgram.INTERVAL_NS / 1e9 - aheadSeconds;
    while (left > 0) {
      double[] busy = ranks.stream().mapToDouble(
          rank -> (threadsDoNotHelp ? rank.work : rank.work / rank.threads) * Math.exp(0.03 * random.nextGaussian())).toArray();
      double slowest = 0;
      for (double each : busy) {
        slowest = Math.max(slowest, each);
      }
      for (int i = 0; i < busy.length; i++) {
        inMpi[i] += slowest - busy[i];
      }
      left -= slowest;
      steps++;
    }
    aheadSeconds = -left;
    for (int i = 0; i < ranks.size(); i++) {
      Map<String, Object> mpi = cell("mpi", steps, inMpi[i]);
      give("metrics", i, Map.of("points", List.of(mpi, cell("steps", steps, inMpi[i]))));
    }
  }

  private static Map<String, Object> cell(String point, int steps, double seconds) {
    return Map.of("point", point, "key", "0", "count", steps, "bytes", 8 * steps, "bytes2", 64.0 * steps, "ns",
        (long) (1e9 * seconds));
  }
}
