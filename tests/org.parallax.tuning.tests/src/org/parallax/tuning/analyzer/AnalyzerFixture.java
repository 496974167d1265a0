package org.parallax.tuning.analyzer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.analyzer.SimulatedProgram.Cost;
import org.parallax.tuning.analyzer.SimulatedProgram.Sizes;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.model.TuningModel;

/** An analyzer and a simulated program whose time depends on what is set. */
abstract class AnalyzerFixture extends DecisionsFixture {
  protected static final String ROUTE = "pvm-route";
  protected static final String ENCODING = "pvm-encoding";
  protected static final String FRAGMENT = "pvm-fragment-size";

  /** A message takes 2.1 ms, 1 us for 1 KiB, 100 us for a fragment, and 1 us for 1 KiB of the fragment size. */
  protected static final Cost FRAGMENTS = (task, size, random) -> (2.1e-3 + size / 1024 * 1e-6
      + Math.ceil(Math.max(1, size) / task.fragment) * 100e-6 + task.fragment / 1024 * 1e-6)
      * Math.exp(0.05 * random.nextGaussian());

  protected SimulatedProgram program;
  protected Analyzer analyzer;

  protected static double noise(Random random) {
    return Math.exp(0.1 * random.nextGaussian());
  }

  protected static Sizes constant(double size) {
    return (random, message) -> size * noise(random);
  }

  /** Begins with built-in models. */
  protected final void start(boolean act, Sizes sizes, Cost cost, int tasks, String... models) {
    start(BuiltInModels.all().stream().filter(model -> List.of(models).contains(model.name())).toList(), act, sizes, cost,
        tasks);
  }

  protected final void start(List<TuningModel> models, boolean act, Sizes sizes, Cost cost, int tasks) {
    program = new SimulatedProgram(42, sizes, cost);
    analyzer = new Analyzer(models, act, 7, SimulatedProgram.INTERVAL_NS, program::take, decisions::add);
    program.begin(analyzer::take, tasks);
  }

  /** A command of a person. */
  protected final void user(String command) {
    analyzer.take(Map.of("type", "user", "command", command));
  }

  /** Runs the program until there is such a decision. */
  protected final void until(Kind kind) {
    until(kind, 1);
  }

  protected final void until(Kind kind, int times) {
    for (int i = 0; count(kind) < times; i++) {
      assertTrue(i < 1000 * times, this::shown);
      program.run(1);
    }
  }
}
