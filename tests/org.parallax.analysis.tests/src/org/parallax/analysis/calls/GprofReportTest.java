package org.parallax.analysis.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.SessionBuilder;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Gprof tables of programs whose calls are known, and against what each call stack says. */
class GprofReportTest {
  @TempDir Path directory;

  private static ApplicationAnalysis analysis(Trace trace) {
    LoadedSession session = SessionBuilder.of(trace);
    return new ApplicationAnalysis(session.getApplications().get(0));
  }

  private static Table table(Trace trace) {
    return GprofReport.of(analysis(trace), Weight.WALL, null, 0, Progress.NONE);
  }

  /** {@code role name self+descendants called+selfCalls/total} of the rows of an entry. */
  private static List<String> entry(Table table, String name) {
    long index = -1;
    for (Row row : table.rows()) {
      String role = (String) value(table, row, "role");
      if (row.name().equals(name) && (role.equals("self") || role.equals("cycle"))) {
        index = number(table, row, "entry");
      }
    }
    List<String> lines = new ArrayList<>();
    for (Row row : table.rows()) {
      if (number(table, row, "entry") == index) {
        lines.add(value(table, row, "role") + " " + row.name() + " " + value(table, row, "self")
            + "+" + value(table, row, "descendants") + " "
            + (Boolean.TRUE.equals(value(table, row, "calledExact")) ? "" : ">=")
            + value(table, row, "called") + "+" + value(table, row, "selfCalls") + "/"
            + value(table, row, "total"));
      }
    }
    return lines;
  }

  private static Object value(Table table, Row row, String key) {
    return row.values().get(table.column(key));
  }

  private static long number(Table table, Row row, String key) {
    return (Long) value(table, row, key);
  }

  /** Writes calls of instrumented functions. */
  private static final class Calls {
    final TracedProcess process;
    final TracedThread thread;
    final List<Integer> open = new ArrayList<>();
    long now;

    Calls(TracedProcess process, int thread) {
      this.process = process;
      this.thread = process.thread(thread);
      this.thread.threadBegin(0, thread == 0 ? -1 : 0);
    }

    Calls call(String function) {
      int parent = open.isEmpty() ? 0 : open.get(open.size() - 1);
      open.add(process.path(parent, CallPaths.FUNCTION, process.address(function)));
      thread.enter(now, open.get(open.size() - 1));
      return this;
    }

    Calls work(long ns) {
      now += ns;
      return this;
    }

    Calls end() {
      open.remove(open.size() - 1);
      thread.leave(now);
      return this;
    }
  }

  /** The time of work depends on who calls: gprof would say 55 for each of the callers. */
  @Test
  void whatIsPassedToACallerIsWhatItsCallsTook() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory);
    new Calls(builder.process("n", "/opt/p"), 0).call("main").work(5)
        .call("cheap").call("work").work(10).end().end()
        .call("dear").work(1).call("work").work(70).call("leaf").work(30).end().end().end().end();
    try (Trace trace = Trace.open(builder.write())) {
      Table table = table(trace);
      assertEquals(List.of("parent cheap 10+0 1+0/2", "parent dear 70+30 1+0/2",
          "self work 80+30 2+0/0", "child leaf 30+0 1+0/1"), entry(table, "work"));
      assertEquals(List.of("parent <spontaneous> 5+111 1+0/1", "self main 5+111 1+0/0",
          "child dear 1+100 1+0/1", "child cheap 0+10 1+0/1"), entry(table, "main"));
      assertEquals("116", table.parameters().get("totalNs"));
      assertEquals(List.of(), table.warnings());
    }
  }

  /** rise calls itself; ping and pong call each other; both are called from outside. */
  private Path recursive() {
    TraceBuilder builder = new TraceBuilder(directory);
    new Calls(builder.process("n", "/opt/p"), 0).call("main")
        .call("rise").work(1).call("rise").work(2).call("leaf").work(4).end().end().end()
        .call("ping").work(8).call("pong").work(16).call("ping").work(32).call("leaf").work(64)
        .end().end().end().end()
        .call("pong").work(128).end().end();
    return builder.write();
  }

  @Test
  void recursionCountsOnceAndCyclesAreOneEntry() throws TraceException {
    try (Trace trace = Trace.open(recursive())) {
      Table table = table(trace);
      assertEquals(List.of("parent rise 0+0 1+0/0", "parent main 3+4 1+0/1", "self rise 3+4 1+1/0",
          "child leaf 4+0 1+0/2", "child rise 0+0 1+0/0"), entry(table, "rise"));
      assertEquals(List.of("parent main 184+64 2+0/2", "cycle <cycle 1> 184+64 2+2/0",
          "member pong 144+0 2+0/0", "member ping 40+64 2+0/0"), entry(table, "<cycle 1>"));
      assertEquals(List.of("parent pong 0+0 1+0/0", "parent main 56+64 1+0/2",
          "self ping 40+64 2+0/0", "child leaf 64+0 1+0/2", "child pong 0+0 1+0/0"),
          entry(table, "ping"));
      assertEquals(List.of("parent <spontaneous> 0+255 1+0/1", "self main 0+255 1+0/0",
          "child pong 128+0 1+0/2", "child ping 56+64 1+0/2", "child rise 3+4 1+0/1"),
          entry(table, "main"));
      assertEquals("1", table.parameters().get("cycles"));
    }
  }

  @Test
  void aProcedureOfTheTreeHasItsEntryAlone() throws TraceException {
    try (Trace trace = Trace.open(recursive())) {
      ApplicationAnalysis analysis = analysis(trace);
      TreeNode thread = ProgramTree.logical(analysis.application()).children().get(0).children()
          .get(0).children().get(0);
      TreeNode rise = thread.children().stream().filter(node -> node.name().equals("rise"))
          .findFirst().orElseThrow();
      Table table = GprofReport.of(analysis, Weight.WALL, rise, 0, Progress.NONE);
      assertEquals(5, table.rows().size());
      assertEquals(entry(table(trace), "rise"), entry(table, "rise"));
      Table large = GprofReport.of(analysis, Weight.WALL, null, 90, Progress.NONE);
      assertEquals(5, large.rows().stream().filter(row -> number(large, row, "entry") == 1).count());
      assertEquals("4", large.parameters().get("leftOut"));
    }
  }

  @Test
  void whatIsSampledWasCalledAtLeastSoOften() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("n", "/opt/p");
    int inMain = process.path(0, CallPaths.RETURN_ADDRESS, process.callSite("main"));
    int a = process.path(inMain, CallPaths.ADDRESS, process.address("a"));
    int inA = process.path(inMain, CallPaths.RETURN_ADDRESS, process.callSite("a"));
    int lock = process.path(inA, CallPaths.REGION, process.region("pthread_mutex_lock"));
    process.thread(0).threadBegin(0, -1).event(10, Kind.SAMPLE, a).enter(20, lock).leave(50)
        .event(60, Kind.SAMPLE, a).event(60, Kind.VISITS, a, 2).event(60, Kind.VISITS, inA, 3)
        .threadEnd(70);
    try (Trace trace = Trace.open(builder.write())) {
      Table table = table(trace);
      assertEquals(List.of("parent main 30+30 >=3+0/3", "self a 30+30 >=3+0/0",
          "child pthread_mutex_lock 30+0 1+0/1"), entry(table, "a"));
      assertEquals(List.of("self (not sampled) 10+0 0+0/0"), entry(table, "(not sampled)"));
    }
  }

  @Test
  void callersThatAreNotKnownAreTold() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("n", "/opt/p");
    process.record(7).u32(77).u16(3).u16(0).string("[call stack truncated]").end();
    int cut = process.path(0, CallPaths.REGION, 77);
    int deep = process.path(cut, CallPaths.ADDRESS, process.address("deep"));
    int fast = process.path(0, CallPaths.FUNCTION, process.address("fast"));
    process.thread(0).threadBegin(0, -1).event(25, Kind.SAMPLE, deep).enter(25, fast)
        .leave(75).event(75, Kind.THROTTLED, fast, 1).event(100, Kind.SAMPLE, deep);
    try (Trace trace = Trace.open(builder.write())) {
      Table table = table(trace);
      assertTrue(table.warnings().get(0).startsWith("50.0 % of the time is below incomplete call stacks"),
          table.warnings().toString());
      assertTrue(table.warnings().get(1).startsWith("1 procedure was throttled"),
          table.warnings().toString());
      assertEquals(2, table.warnings().size());
    }
  }

  // ---- random programs against call stacks

  /** Who calls whom. */
  private record Call(String caller, String callee) {}

  /** Time with its call stack of functions. */
  private record Spent(List<String> stack, long ns) {}

  private static final class RandomCalls {
    final Random random;
    final Calls calls;
    final List<String> stack = new ArrayList<>();
    final List<Spent> spent;
    final Map<Call, Long> counts;
    /** Who may call whom. */
    final boolean[][] may;

    RandomCalls(Random random, Calls calls, boolean[][] may, List<Spent> spent,
        Map<Call, Long> counts) {
      this.random = random;
      this.calls = calls;
      this.may = may;
      this.spent = spent;
      this.counts = counts;
    }

    void run(int function, int depth) {
      counts.merge(new Call(stack.isEmpty() ? GprofReport.SPONTANEOUS
          : stack.get(stack.size() - 1), "f" + function), 1L, Long::sum);
      calls.call("f" + function);
      stack.add("f" + function);
      for (int i = random.nextInt(4); i >= 0; i--) {
        long ns = random.nextInt(100);
        calls.work(ns);
        spent.add(new Spent(List.copyOf(stack), ns));
        int callee = random.nextInt(may.length);
        if (depth < 9 && may[function][callee]) {
          run(callee, depth + 1);
        }
      }
      stack.remove(stack.size() - 1);
      calls.end();
    }
  }

  @Test
  void tablesAreWhatTheStacksOfRandomProgramsSay() throws TraceException {
    int cycles = 0;
    for (long seed = 1; seed <= 80; seed++) {
      Random random = new Random(seed);
      TraceBuilder builder = new TraceBuilder(directory.resolve("random" + seed));
      builder.mpiJob("n", "/opt/p", 2);
      boolean[][] may = new boolean[4 + random.nextInt(8)][];
      for (int i = 0; i < may.length; i++) {
        may[i] = new boolean[may.length];
        for (int j = 0; j < may.length; j++) {
          may[i][j] = random.nextInt(10) < (j > i ? 5 : 1);
        }
      }
      List<Spent> spent = new ArrayList<>();
      Map<Call, Long> counts = new HashMap<>();
      for (int thread = 0; thread < 4; thread++) {
        new RandomCalls(random, new Calls(builder.process(thread % 2), thread / 2), may, spent,
            counts).run(0, 0);
      }
      try (Trace trace = Trace.open(builder.write())) {
        Table table = table(trace);
        assertEquals(expected(spent, counts), found(table), "seed " + seed);
        cycles += Integer.parseInt(table.parameters().get("cycles"));
      }
    }
    assertTrue(cycles > 30, cycles + " cycles");
  }

  /** The table's numbers by entry, role and name; cycles by the names of their members. */
  private static Map<String, String> found(Table table) {
    Map<Long, List<Row>> entries = new TreeMap<>();
    table.rows().forEach(row -> entries.computeIfAbsent(number(table, row, "entry"),
        k -> new ArrayList<>()).add(row));
    Map<String, String> found = new TreeMap<>();
    for (List<Row> rows : entries.values()) {
      TreeMap<String, String> lines = new TreeMap<>();
      String name = "";
      Set<String> members = new TreeSet<>();
      for (Row row : rows) {
        String role = (String) value(table, row, "role");
        name = role.equals("self") || role.equals("cycle") ? row.name() : name;
        if (role.equals("member")) {
          members.add(row.name());
        }
        lines.put(role + (role.equals("cycle") ? "" : " " + row.name()),
            value(table, row, "self") + "+" + value(table, row, "descendants") + " "
                + value(table, row, "called") + "+" + value(table, row, "selfCalls") + "/"
                + value(table, row, "total"));
      }
      String entry = members.isEmpty() ? name : members.toString();
      lines.forEach((key, numbers) -> found.put(entry + ": " + key, numbers));
    }
    return found;
  }

  /** The same from the definition: which stacks have what, and who reaches whom. */
  private static Map<String, String> expected(List<Spent> spent, Map<Call, Long> counts) {
    List<String> names = counts.keySet().stream().map(Call::callee).distinct().toList();
    Map<String, Set<String>> together = together(names, counts.keySet());
    Map<String, long[]> times = new HashMap<>();
    Map<Call, long[]> passed = new HashMap<>();
    for (Spent each : spent) {
      List<String> stack = each.stack;
      String leaf = stack.get(stack.size() - 1);
      add(times, leaf, each.ns, 0);
      for (int i = 0; i < stack.size(); i++) {
        String caller = i == 0 ? GprofReport.SPONTANEOUS : stack.get(i - 1);
        if (i > 0 && together.get(caller).contains(stack.get(i))) {
          continue;
        }
        boolean inIt = together.get(stack.get(i)).contains(leaf);
        add(passed, new Call(caller, stack.get(i)), inIt ? each.ns : 0, inIt ? 0 : each.ns);
        if (i > 0) {
          add(times, caller, 0, each.ns);
        }
      }
    }
    Map<String, String> expected = new TreeMap<>();
    for (String name : names) {
      Set<String> own = together.get(name);
      expected.put(name + ": self " + name, numbers(times.get(name),
          calls(counts, caller -> !caller.equals(name), Set.of(name)),
          calls(counts, caller -> caller.equals(name), Set.of(name)), 0));
      counts.forEach((call, count) -> {
        Set<String> target = together.get(call.callee);
        long total = target.contains(call.caller) ? 0
            : calls(counts, caller -> !target.contains(caller), target);
        String numbers = numbers(passed.get(call), count, 0, total);
        if (call.callee.equals(name)) {
          expected.put(name + ": parent " + call.caller, numbers);
        }
        if (call.caller.equals(name)) {
          expected.put(name + ": child " + call.callee, numbers);
        }
      });
      if (own.size() > 1) {
        addCycle(expected, own.stream().sorted().toList(), times, passed, counts);
      }
    }
    return expected;
  }

  private static void addCycle(Map<String, String> expected, List<String> members,
      Map<String, long[]> times, Map<Call, long[]> arcs, Map<Call, Long> counts) {
    String cycle = members.toString();
    long[] sum = new long[2];
    Map<String, long[]> passed = new HashMap<>();
    Map<String, Long> calls = new HashMap<>();
    for (String member : members) {
      long[] own = times.getOrDefault(member, new long[2]);
      sum[0] += own[0];
      sum[1] += own[1];
      expected.put(cycle + ": member " + member, numbers(own,
          calls(counts, caller -> !caller.equals(member), Set.of(member)),
          calls(counts, caller -> caller.equals(member), Set.of(member)), 0));
      counts.forEach((call, count) -> {
        if (call.callee.equals(member) && !members.contains(call.caller)) {
          long[] part = arcs.getOrDefault(call, new long[2]);
          add(passed, call.caller, part[0], part[1]);
          calls.merge(call.caller, count, Long::sum);
        }
      });
    }
    long outside = calls.values().stream().mapToLong(count -> count).sum();
    long inside = 0;
    for (String member : members) {
      inside += calls(counts, caller -> members.contains(caller) && !caller.equals(member),
          Set.of(member));
    }
    expected.put(cycle + ": cycle", numbers(sum, outside, inside, 0));
    calls.forEach((caller, count) -> expected.put(cycle + ": parent " + caller,
        numbers(passed.get(caller), count, 0, outside)));
  }

  private static <K> void add(Map<K, long[]> times, K key, long selfNs, long belowNs) {
    long[] sum = times.computeIfAbsent(key, k -> new long[2]);
    sum[0] += selfNs;
    sum[1] += belowNs;
  }

  private static String numbers(long[] times, long called, long selfCalls, long total) {
    long[] ns = times == null ? new long[2] : times;
    return ns[0] + "+" + ns[1] + " " + called + "+" + selfCalls + "/" + total;
  }

  private static long calls(
      Map<Call, Long> counts, Predicate<String> callers, Set<String> callees) {
    return counts.entrySet().stream().filter(call -> callees.contains(call.getKey().callee))
        .filter(call -> callers.test(call.getKey().caller)).mapToLong(Map.Entry::getValue).sum();
  }

  /** Who reaches each other, each with itself. */
  private static Map<String, Set<String>> together(List<String> names, Set<Call> calls) {
    Map<String, Set<String>> reach = new HashMap<>();
    names.forEach(name -> reach.put(name, new HashSet<>(Set.of(name))));
    for (int round = 0; round < names.size(); round++) {
      for (Call call : calls) {
        if (reach.containsKey(call.caller)) {
          reach.get(call.caller).addAll(reach.get(call.callee));
        }
      }
    }
    Map<String, Set<String>> together = new HashMap<>();
    for (String name : names) {
      Set<String> both = new HashSet<>(reach.get(name));
      both.removeIf(other -> !reach.get(other).contains(name));
      together.put(name, both);
    }
    return together;
  }

  // ---- what holds of every table

  @Test
  void whatCallersGetIsWhatTheEntryHas() throws TraceException {
    for (int seed = 1; seed <= 15; seed++) {
      Path path = RandomPrograms.write(seed, directory.resolve("mpi" + seed), 4, 300);
      try (Trace trace = Trace.open(path)) {
        Table table = table(trace);
        Map<Long, long[]> passed = new TreeMap<>();
        Map<Long, long[]> own = new TreeMap<>();
        long self = 0;
        for (Row row : table.rows()) {
          long entry = number(table, row, "entry");
          String role = (String) value(table, row, "role");
          long[] times = {number(table, row, "self"), number(table, row, "descendants")};
          if (role.equals("parent")) {
            passed.merge(entry, times, (a, b) -> new long[] {a[0] + b[0], a[1] + b[1]});
          } else if (role.equals("self")) {
            self += times[0];
            if (!row.name().startsWith("(")) {
              own.put(entry, times);
            }
          }
        }
        assertEquals(Long.parseLong(table.parameters().get("totalNs")), self);
        own.forEach((entry, times) -> {
          assertEquals(times[0], passed.get(entry)[0]);
          assertEquals(times[1], passed.get(entry)[1]);
        });
      }
    }
  }
}
