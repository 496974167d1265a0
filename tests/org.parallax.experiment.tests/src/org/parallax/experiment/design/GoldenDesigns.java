package org.parallax.experiment.design;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Designs that other programs made, from a file that says how. */
final class GoldenDesigns {
  private GoldenDesigns() {
  }

  /** @return the lines below each call */
  static Map<String, List<String>> read(String file) throws IOException {
    Map<String, List<String>> designs = new LinkedHashMap<>();
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(
        GoldenDesigns.class.getResourceAsStream(file), StandardCharsets.UTF_8))) {
      List<String> lines = new ArrayList<>();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith("> ")) {
          lines = new ArrayList<>();
          designs.put(line.substring(2), lines);
        } else if (!line.startsWith("#")) {
          lines.add(line);
        }
      }
    }
    return designs;
  }

  /** @return settings as the files have them */
  static List<String> rows(Design design) {
    List<String> rows = new ArrayList<>();
    for (int[] run : design.settings()) {
      StringBuilder row = new StringBuilder();
      for (int setting : run) {
        row.append(design.levels() == 2 ? setting < 0 ? "-" : "+" : "" + setting);
      }
      rows.add(row.toString());
    }
    return rows;
  }
}
