package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.waits.WaitStates;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Progress;

/**
 * Random programs with planted delays: all waits, and who is to blame for them, are those that follow from the
 * program's own times.
 *
 * <p>The system property {@code parallax.seeds}, as FIRST-LAST, chooses the programs: {@code -Dparallax.seeds=1-1000}.
 * Of these, programs of ranks run two for each library, or all with {@code -Dparallax.allRanks=true}.
 */
class RandomWaitsTest {
  /** Between a time of the program and that of the agent, for each step. */
  private static final long STEP_NS = 200_000;
  private static final double SHARE = 0.03;

  /** At begins and ends of programs and regions, outside of their scripts. */
  private static final Set<WaitState> NOT_OF_SCRIPTS =
      Set.of(WaitState.JOIN_WAIT, WaitState.INIT_FINALIZE, WaitState.IDLE_THREAD);

  @TempDir Path directory;

  static LongStream seeds() {
    String[] bounds = System.getProperty("parallax.seeds", "1-12").split("-");
    return LongStream.rangeClosed(Long.parseLong(bounds[0]), Long.parseLong(bounds[1]));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void threadsWaitForThreads(long seed) throws Exception {
    RandomThreads script = new RandomThreads(seed);
    check("seed " + seed, script.text(), List.of(Recording.program("random_waits")), List.of(),
        (output, file) -> script.waits(output), thread -> thread.thread().id(), state -> state);
  }

  static Stream<Arguments> seedsOfRuntimes() {
    return seeds().boxed().map(seed ->
        Arguments.of(List.of("gnu", "llvm", "gnu_on_llvm").get((int) (seed % 3)), seed));
  }

  @ParameterizedTest
  @MethodSource("seedsOfRuntimes")
  void threadsWaitForTasks(String runtime, long seed) throws Exception {
    RandomTasks script = new RandomTasks(seed);
    check(runtime + ", seed " + seed, script.text(), List.of(Recording.program("random_tasks." + runtime)),
        List.of("" + script.threads()), (output, file) -> script.waits(output), thread -> thread.thread().id(),
        state -> RandomTasks.STATE);
  }

  /** Two ranks, as libraries that spin need a processor each; Open MPI lets others go first, and has three. */
  static Stream<Arguments> seedsOfLibraries() {
    return seeds().limit(Boolean.getBoolean("parallax.allRanks") ? Long.MAX_VALUE : 2).boxed().flatMap(seed ->
        Stream.of("openmpi", "mpich", "openmpi5", "mpich5", "mpiabi")
            .map(mpi -> Arguments.of(mpi, mpi.startsWith("openmpi") ? 3 : 2, seed)));
  }

  @ParameterizedTest
  @MethodSource("seedsOfLibraries")
  void ranksWaitForRanks(String mpi, int ranks, long seed) throws Exception {
    assumeTrue(Recording.hasMpi(mpi), () -> "not fetched: " + Recording.mpirun(mpi));
    RandomRanks script = new RandomRanks(seed, ranks);
    check(mpi + ", " + ranks + " ranks, seed " + seed, script.text(),
        List.of(Recording.mpirun(mpi), "-n", "" + ranks, Recording.program("random_ranks." + mpi)), List.of(),
        (output, file) -> {
          StringBuilder times = new StringBuilder();
          for (int rank = 0; rank < ranks; rank++) {
            times.append(Files.readString(Path.of(file + "." + rank)));
          }
          return script.waits(times.toString());
        }, thread -> thread.process().mpi().worldRank(),
        state -> state == WaitState.LATE_SENDER_WRONG_ORDER ? WaitState.LATE_SENDER : state);
  }

  /** What follows from the times of a run: its output and, beside its script, its files. */
  private interface Expectation {
    ScriptWaits of(String output, Path script) throws IOException;
  }

  private void check(String name, String script, List<String> command, List<String> arguments,
      Expectation expectation, ToIntFunction<ThreadRecord> actor, UnaryOperator<WaitState> common) throws Exception {
    Path file = Files.writeString(directory.resolve("script"), script);
    List<String> line = new ArrayList<>(command);
    line.add(file.toString());
    line.addAll(arguments);
    QuietMachine.measure(attempt -> {
      try (Recording run = Recording.of(directory.resolve("attempt" + attempt), List.of(), line)) {
        ScriptWaits expected = expectation.of(run.output(), file);
        QuietMachine.times(() -> compare(name + "\n" + script, expected,
            run.analysis().waitStates(Progress.NONE), actor, common));
      }
    });
  }

  private static void compare(String what, ScriptWaits expected, WaitStates told, ToIntFunction<ThreadRecord> actor,
      UnaryOperator<WaitState> common) {
    Map<ScriptWaits.Key, Long> sums = new HashMap<>();
    Map<ScriptWaits.Origin, Long> origins = new HashMap<>();
    List<ThreadRecord> threads = told.replay().threads();
    told.losses().forEach((place, loss) -> {
      int waiting = actor.applyAsInt(threads.get(place.thread()));
      if (place.state().isMetric() && !NOT_OF_SCRIPTS.contains(place.state())) {
        WaitState state = common.apply(place.state());
        sums.merge(new ScriptWaits.Key(waiting, state), loss.ns(), Long::sum);
        loss.causes().forEach((cause, ns) -> origins.merge(
            new ScriptWaits.Origin(waiting, state, actor.applyAsInt(threads.get(cause.thread()))), ns, Long::sum));
      }
    });
    Set<ScriptWaits.Key> keys = new HashSet<>(expected.sums().keySet());
    keys.addAll(sums.keySet());
    for (ScriptWaits.Key key : keys) {
      long right = expected.sums().getOrDefault(key, 0L);
      near(what, key, right, sums.getOrDefault(key, 0L), toleranceNs(expected, key.actor(), key.state(), right));
    }
    Set<ScriptWaits.Origin> pairs = new HashSet<>(expected.origins().keySet());
    pairs.addAll(origins.keySet());
    for (ScriptWaits.Origin pair : pairs) {
      long all = expected.sums().getOrDefault(new ScriptWaits.Key(pair.actor(), pair.state()), 0L);
      near(what, pair, expected.origins().getOrDefault(pair, 0L), origins.getOrDefault(pair, 0L),
          2 * toleranceNs(expected, pair.actor(), pair.state(), all));
    }
  }

  private static double toleranceNs(ScriptWaits expected, int actor, WaitState state, long ns) {
    return STEP_NS * (1 + expected.count(actor, state)) + SHARE * ns;
  }

  private static void near(String what, Object key, long right, long told, double toleranceNs) {
    assertTrue(Math.abs(right - told) <= toleranceNs,
        () -> key + ": " + told + " ns told, " + right + " ns by the program's times; " + what);
  }
}
