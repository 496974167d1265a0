package org.parallax.tuning.analyzer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.model.TuningModel;

/** Threads of OpenMP move to the processes of a host that the others wait for. */
class ThreadsTest extends DecisionsFixture {
  private static final List<TuningModel> MODELS =
      BuiltInModels.all().stream().filter(model -> model.name().equals("openmp-threads")).toList();

  private final SimulatedHybrid program = new SimulatedHybrid(11);
  private final Analyzer analyzer =
      new Analyzer(MODELS, true, 7, SimulatedProgram.INTERVAL_NS, program::take, decisions::add);

  /** Work of 3 to 1 and two threads each: a step takes 30 ms, and with three threads and one 20 ms. */
  @Test
  void threadsFollowTheWork() {
    program.rank("h0", 2, 60e-3);
    program.rank("h0", 2, 20e-3);
    program.begin(analyzer::take);
    program.run(400);
    assertEquals(List.of(3, 1), program.threads(), this::shown);
    assertEquals(1, count(Kind.KEEP), this::shown);
    assertEquals(1 / 3.0, first(Kind.KEEP).gain().share(), 0.02);
    assertTrue(first(Kind.KEEP).change().equals("openmp_threads = 3 in hybrid rank 0, openmp_threads = 1 in hybrid rank 1"),
        first(Kind.KEEP).change());
    assertTrue(first(Kind.KEEP).subject().equals("host h0"), first(Kind.KEEP).subject());
    assertTrue(program.sums().stream().allMatch(sum -> sum == 4), "the sum over a host stays: " + program.sums());
    analyzer.take(Map.of("type", "user", "command", "undo"));
    program.run(1);
    assertEquals(List.of(2, 2), program.threads(), "each process gets back its own\n" + shown());
  }

  /** Ranks that began with different numbers of threads get these back. */
  @Test
  void eachProcessHasItsOwnValueBack() {
    program.rank("h0", 6, 10e-3);
    program.rank("h0", 2, 60e-3);
    program.threadsDoNotHelp = true;
    program.begin(analyzer::take);
    program.run(300);
    assertTrue(count(Kind.TRY) > 0, this::shown);
    assertEquals(0, count(Kind.KEEP), this::shown);
    assertEquals(List.of(6, 2), program.threads(), this::shown);
  }

  @Test
  void aBalancedProgramStays() {
    for (int i = 0; i < 4; i++) {
      program.rank("h0", 4, (40 + i) * 1e-3);
    }
    program.begin(analyzer::take);
    program.run(1000);
    assertEquals(0, count(Kind.TRY), this::shown);
    assertEquals(List.of(4, 4, 4, 4), program.threads());
  }

  /** Each host divides its own threads; one host tries after the other. */
  @Test
  void hostsDivideTheirOwn() {
    program.rank("h0", 4, 120e-3);
    program.rank("h1", 4, 70e-3);
    program.rank("h0", 4, 40e-3);
    program.rank("h1", 4, 10e-3);
    program.begin(analyzer::take);
    program.run(1000);
    assertEquals(List.of(6, 2), List.of(program.threads().get(0), program.threads().get(2)), this::shown);
    assertEquals(8, program.threads().get(1) + program.threads().get(3), this::shown);
    assertTrue(program.sums().stream().allMatch(sum -> sum == 16), "the sum stays: " + program.sums());
  }

  /** The work moves to another rank while the program runs. */
  @Test
  void theyFollowWhenTheWorkMoves() {
    program.rank("h0", 4, 90e-3);
    program.rank("h0", 4, 30e-3);
    program.begin(analyzer::take);
    program.run(400);
    assertEquals(List.of(6, 2), program.threads(), this::shown);
    program.setWork(0, 30e-3);
    program.setWork(1, 90e-3);
    program.run(1000);
    assertEquals(List.of(2, 6), program.threads(), this::shown);
    assertEquals(2, count(Kind.KEEP), this::shown);
  }
}
