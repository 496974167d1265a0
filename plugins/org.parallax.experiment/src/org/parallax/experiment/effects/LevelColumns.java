package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.List;

/** The main effects of factors with more than two levels, as columns of a linear model. */
final class LevelColumns {
  private LevelColumns() {}

  /** @return a column for each level of a factor but the last; each is zero on average */
  static List<double[]> of(Responses responses, int factor) {
    int levels = responses.design().levels();
    List<double[]> columns = new ArrayList<>();
    for (int level = 0; level + 1 < levels; level++) {
      int own = level;
      columns.add(responses.observations().stream().mapToDouble(observation -> {
        int setting = responses.design().settings()[observation.run()][factor];
        return setting == own ? 1 : setting == levels - 1 ? -1 : 0;
      }).toArray());
    }
    return columns;
  }

  /** @return the model of blocks and all factors */
  static LeastSquares model(Responses responses) {
    List<double[]> columns = new ArrayList<>(TwoLevelModel.frame(responses));
    for (int factor = 0; factor < responses.design().factors(); factor++) {
      columns.addAll(of(responses, factor));
    }
    return new LeastSquares(responses.observations().size(), columns);
  }
}
