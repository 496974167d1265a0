package org.parallax.trace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a trace that another tool wrote had, and what of it the converted trace has: the file {@code imported}.
 *
 * @param format the format and the tool that wrote the trace
 * @param records the types of records, in the order of the format
 * @param attributes the names of attributes of records
 * @param definitions the types of definitions that were left out
 * @param warnings what was wrong, as sentences without an end
 */
public record ImportReport(String format, List<Count> records, List<Count> attributes,
    List<Count> definitions, List<String> warnings) {
  /** The file's name in a converted trace. */
  static final String FILE_NAME = "imported";

  private static final String VERSION_KEY = "parallax-imported";

  /**
   * Records of one type.
   *
   * @param read those in the original
   * @param left those of them that are not in the converted trace
   */
  public record Count(String type, long read, long left) {}

  public ImportReport {
    records = List.copyOf(records);
    attributes = List.copyOf(attributes);
    definitions = List.copyOf(definitions);
    warnings = List.copyOf(warnings);
  }

  /** All records that were read. */
  public long read() {
    return records.stream().mapToLong(Count::read).sum();
  }

  /** All records that were left out. */
  public long left() {
    return records.stream().mapToLong(Count::left).sum();
  }

  /** @return null for a trace that was not converted, or whose report cannot be read */
  static ImportReport read(Path directory) {
    Path file = directory.resolve(FILE_NAME);
    if (!Files.isRegularFile(file)) {
      return null;
    }
    String format = "";
    List<Count> records = new ArrayList<>();
    List<Count> attributes = new ArrayList<>();
    List<Count> definitions = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    boolean isReport = false;
    try {
      for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")) {
        String[] fields = line.split("\t", -1);
        switch (fields[0] + fields.length) {
          case VERSION_KEY + 2 -> isReport = true;
          case "format2" -> format = fields[1];
          case "record4", "attribute4" -> (fields[0].equals("record") ? records : attributes).add(
              new Count(fields[1], Long.parseLong(fields[2]), Long.parseLong(fields[3])));
          case "definition3" -> definitions.add(
              new Count(fields[1], Long.parseLong(fields[2]), Long.parseLong(fields[2])));
          case "warning2" -> warnings.add(fields[1]);
          default -> { }
        }
      }
    } catch (IOException | NumberFormatException e) {
      return null;
    }
    return isReport ? new ImportReport(format, records, attributes, definitions, warnings) : null;
  }
}
