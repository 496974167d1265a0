package org.parallax.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The part of {@link TraceDump} that is of the symbols. */
final class SymbolsDump {
  private SymbolsDump() {
  }

  static String of(Path file) throws IOException {
    StringBuilder text = new StringBuilder("symbols\n");
    Map<String, List<String>> linesOfModule = new TreeMap<>(Comparator.comparing(Long::valueOf));
    Map<String, String[]> modules = new LinkedHashMap<>();
    Map<String, String> reasons = new HashMap<>();
    String module = "";
    for (String line : Files.readAllLines(file).subList(1, Files.readAllLines(file).size())) {
      String[] field = line.split("\t", -1);
      switch (field[0]) {
        case "M" -> modules.put(field[1], field);
        case "A" -> {
          module = field[1];
          linesOfModule.computeIfAbsent(module, m -> new ArrayList<>()).add("address 0x"
              + field[2] + (field.length > 3 ? " function=0x" + field[3] : ""));
        }
        case "F" -> linesOfModule.get(module).add("frame function=" + quoted(field[1]) + " file="
            + quoted(field[2]) + " line=" + field[3] + " declared=" + field[4] + " inlined="
            + field[5]);
        case "U" -> reasons.put(field[1], field[2]);
        default -> { }
      }
    }
    modules.forEach((number, field) -> {
      text.append("module ").append(number).append(" buildId=").append(quoted(field[2]))
          .append(" path=").append(quoted(field[3])).append(" reason=")
          .append(quoted(reasons.getOrDefault(number, ""))).append('\n');
      linesOfModule.getOrDefault(number, List.of()).forEach(line ->
          text.append(line).append('\n'));
    });
    return text.toString();
  }

  static String quoted(String value) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : value.toCharArray()) {
      if (c < 0x20 || c == 0x7f || c == '"' || c == '\\') {
        quoted.append(String.format("\\x%02x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
