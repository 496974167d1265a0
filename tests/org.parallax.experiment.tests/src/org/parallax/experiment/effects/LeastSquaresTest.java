package org.parallax.experiment.effects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hipparchus.stat.regression.OLSMultipleLinearRegression;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.Design;

class LeastSquaresTest {
  private static final long SEED = 12;

  @Test
  void coefficientsAreThoseOfALibrary() {
    Random random = new Random(SEED);
    for (int round = 0; round < 200; round++) {
      int columns = 1 + random.nextInt(8);
      int observations = columns + 1 + random.nextInt(10);
      List<double[]> model = new ArrayList<>();
      double[][] rows = new double[observations][columns];
      for (int column = 0; column < columns; column++) {
        double[] values = random.doubles(observations, -1, 1).toArray();
        model.add(values);
        for (int i = 0; i < observations; i++) {
          rows[i][column] = values[i];
        }
      }
      double[] values = random.doubles(observations, -5, 5).toArray();
      OLSMultipleLinearRegression library = new OLSMultipleLinearRegression();
      library.setNoIntercept(true);
      library.newSampleData(values, rows);
      double[] coefficients = library.estimateRegressionParameters();
      double[] errors = library.estimateRegressionParametersStandardErrors();
      LeastSquares own = new LeastSquares(observations, model);
      double deviation = Math.sqrt(own.residualSquares(values) / own.degreesOfFreedom());
      for (int column = 0; column < columns; column++) {
        double[] weights = own.weights(column);
        String where = "seed " + SEED + ", round " + round;
        assertEquals(coefficients[column], LeastSquares.dot(weights, values),
            1e-7 * (1 + Math.abs(coefficients[column])), where);
        assertEquals(errors[column], deviation * Math.sqrt(LeastSquares.dot(weights, weights)),
            1e-6 * (1 + errors[column]), where);
      }
    }
  }

  @Test
  void columnsThatOthersTellAreLeftOut() {
    double[] a = {1, 2, 3, 4};
    double[] b = {1, -1, 1, -1};
    double[] sum = {2, 1, 4, 3};
    LeastSquares squares = new LeastSquares(4, List.of(a, b, sum, new double[4]));
    assertTrue(squares.has(1));
    assertFalse(squares.has(2));
    assertFalse(squares.has(3), "a column of zeros tells nothing");
    assertEquals(2, squares.degreesOfFreedom());
  }

  /** Any settings, blocks and missing trials have an answer. */
  @Test
  void strangeExperimentsAreAnalysedToo() {
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      int factors = 1 + random.nextInt(5);
      int runs = 1 + random.nextInt(12);
      boolean centre = random.nextBoolean();
      int[][] settings = new int[runs][];
      for (int run = 0; run < runs; run++) {
        boolean middle = centre && random.nextInt(4) == 0;
        settings[run] = random.ints(factors, 0, 2).map(bit -> middle ? 0 : 2 * bit - 1).toArray();
      }
      List<Observation> observations = new ArrayList<>();
      int trials = 1 + random.nextInt(30);
      int blocks = 1 + random.nextInt(4);
      for (int i = 0; i < trials; i++) {
        observations.add(new Observation(random.nextInt(runs), 0, random.nextInt(blocks), i,
            10 + random.nextGaussian()));
      }
      Responses responses = new Responses(new Design("any", 2, settings), Planted.names(factors),
          "elapsed", Unit.NUMBER, observations, List.of());
      try {
        Diagnosis diagnosis = Diagnosis.of(Effects.of(responses, Options.of(factors)));
        Proposal.of(diagnosis);
        EffectTables.effects("f", diagnosis);
        EffectTables.robust("f", diagnosis);
        EffectTables.anova("f", responses, Options.of(factors), Anova.Sums.MARGINAL);
        EffectTables.ranking("f", Ranking.of(responses, Options.of(factors), Ranking.By.MEAN));
        for (Effect effect : diagnosis.effects().effects()) {
          assertTrue(effect.interval() != null || !effect.verdict().isMarked());
        }
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + SEED + ", round " + round, e);
      }
    }
  }
}
