package org.parallax.e2e;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A report as {@code --format json} prints it. */
record PrintedReport(long total, List<JsonObject> rows, JsonObject all) {

  static PrintedReport of(Path trace, String kind, String... options) throws Exception {
    List<Object> words = new ArrayList<>(List.of("report", kind, trace, "--format", "json"));
    words.addAll(List.of(options));
    String text = Run.parallax(words.toArray()).run().expect(0).out();
    JsonObject all = JsonParser.parseString(text).getAsJsonObject();
    List<JsonObject> rows = new ArrayList<>();
    for (JsonElement row : all.getAsJsonArray("rows")) {
      rows.add(row.getAsJsonObject());
    }
    long total = all.get("total").isJsonNull() ? 0 : all.get("total").getAsLong();
    return new PrintedReport(total, rows, all);
  }

  /** The sum of a column over the rows that a test on their name lets through. */
  long sum(String column, Predicate<String> named) {
    return rows.stream().filter(row -> named.test(row.get("name").getAsString()))
        .mapToLong(row -> row.get(column).getAsLong()).sum();
  }

  long sum(String column) {
    return sum(column, name -> true);
  }
}
