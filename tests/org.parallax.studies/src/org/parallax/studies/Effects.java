package org.parallax.studies;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What {@code perturb analyse --format csv} says of the factors of an experiment. */
final class Effects {
  /** Of a factor: effect and standard error in the response's unit (time: ns), percent of base, verdict or "". */
  record Effect(double size, double error, double percent, String verdict) {
  }

  private final Map<String, Effect> effects = new HashMap<>();
  private final Path file;

  Effects(Path csv) throws IOException {
    file = csv;
    for (Csv.Row row : Csv.read(csv).rows()) {
      effects.put(row.text("name"), new Effect(row.number("effect"), row.number("error"), row.number("percent"),
          row.text("verdict")));
    }
  }

  /**
   * @return the effect of a factor
   * @throws Failure if the experiment has none of this name
   */
  Effect of(String factor) {
    Effect effect = effects.get(factor);
    if (effect == null) {
      throw new Failure("no effect of " + factor + " in " + file);
    }
    return effect;
  }
}
