package org.parallax.studies;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The flat profile that {@code gprof -b -p} prints. */
final class GprofProfile {
  private static final String NUMBER = "[0-9.]+";

  private final Map<String, Double> percent = new HashMap<>();

  GprofProfile(Path text) throws IOException {
    for (String line : Files.readAllLines(text)) {
      String[] fields = line.strip().split("\\s+");
      if (fields.length >= 4 && fields[0].matches(NUMBER) && fields[1].matches(NUMBER)) {
        percent.put(fields[fields.length - 1], Double.valueOf(fields[0]));
      }
    }
  }

  /** @return percent of the time in a function itself, 0 if it is not in the profile */
  double percent(String function) {
    return percent.getOrDefault(function, 0.0);
  }
}
