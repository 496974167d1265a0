package org.parallax.experiment.effects;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.Design;

/** What statsmodels tells; {@code golden.py} beside the files made them. */
final class Golden {
  private Golden() {}

  /** @return the rows of a file, values by column; empty cells are left out */
  static List<Map<String, String>> rows(String file) {
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(
        Golden.class.getResourceAsStream(file), StandardCharsets.UTF_8))) {
      String[] columns = reader.readLine().split(",");
      List<Map<String, String>> rows = new ArrayList<>();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] cells = line.split(",", -1);
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < columns.length; i++) {
          if (!cells[i].isEmpty()) {
            row.put(columns[i], cells[i]);
          }
        }
        rows.add(row);
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static double number(Map<String, String> row, String column) {
    return Double.parseDouble(row.get(column));
  }

  /** The trials of a case. */
  static Responses responses(String name, int levels) {
    List<Map<String, String>> rows = rows(name + "-data.csv");
    List<String> factors = rows.get(0).keySet().stream()
        .filter(column -> column.length() == 1).toList();
    int runs = 1 + rows.stream().mapToInt(row -> Integer.parseInt(row.get("run"))).max()
        .orElseThrow();
    int[][] settings = new int[runs][];
    List<Observation> observations = new ArrayList<>();
    for (Map<String, String> row : rows) {
      int run = Integer.parseInt(row.get("run"));
      settings[run] =
          factors.stream().mapToInt(factor -> Integer.parseInt(row.get(factor))).toArray();
      observations.add(new Observation(run, Integer.parseInt(row.get("replicate")),
          Integer.parseInt(row.get("block")), Integer.parseInt(row.get("position")),
          number(row, "value")));
    }
    if (Arrays.asList(settings).contains(null)) {
      throw new AssertionError("a run has no trial");
    }
    return new Responses(new Design(name, levels, settings), factors, "elapsed", Unit.NUMBER,
        observations, List.of());
  }
}
