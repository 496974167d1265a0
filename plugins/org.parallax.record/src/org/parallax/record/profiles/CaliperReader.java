package org.parallax.record.profiles;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.trace.Progress;

/**
 * Reads profiles of Caliper in its text form ({@code .cali}): lines of {@code key=value} pairs, which define nodes of trees of
 * attributes ({@code __rec=node}) and records that refer to nodes and have values ({@code __rec=ctx}).
 */
public final class CaliperReader {
  private static final int NAME_ATTRIBUTE = 8;
  private static final int TYPE_ATTRIBUTE = 9;
  private static final int PROPERTIES_ATTRIBUTE = 10;
  private static final int HIDDEN = 128;
  private static final int NESTED = 256;
  private static final int CONSTANT_BYTES = 1 << 20;
  private static final List<String> TYPES = List.of("usr", "int", "uint", "string", "addr", "double", "bool", "type");
  /** The name of the call path of records without a region. */
  private static final String NO_REGION = "[no region]";

  /** A node of a tree: the value of an attribute. A parent is older than its nodes, so that there are no cycles. */
  private static final class Node {
    final int attribute;
    final String data;
    final Node parent;
    /** Of a node that defines an attribute. */
    private int properties = -1;

    Node(int attribute, String data, Node parent) {
      this.attribute = attribute;
      this.data = data;
      this.parent = parent;
    }

    /** @return the value of an attribute in this node or above it, else null */
    String find(int wanted) {
      for (Node at = this; at != null; at = at.parent) {
        if (at.attribute == wanted) {
          return at.data;
        }
      }
      return null;
    }

    int properties() {
      if (properties < 0) {
        String text = parent == null ? null : parent.find(PROPERTIES_ATTRIBUTE);
        properties = Math.max(0, CubeAnchor.number(text == null ? "0" : text));
      }
      return properties;
    }
  }

  private final Map<Integer, Node> nodes = new HashMap<>();
  private final WarningList warnings = new WarningList();
  private final CaliperTable table;
  /** The call path of the last nodes that records referred to. */
  private final Map<Node, Integer> known = new HashMap<>();
  private int unit = -1;

  private CaliperReader(Path path, long mostBytes) {
    table = new CaliperTable("Caliper", path.getFileName().toString().replaceFirst("\\.cali$", ""), mostBytes);
    for (int i = 0; i < TYPES.size(); i++) {
      nodes.put(i, new Node(TYPE_ATTRIBUTE, TYPES.get(i), null));
    }
    nodes.put(NAME_ATTRIBUTE, new Node(NAME_ATTRIBUTE, "cali.attribute.name", nodes.get(3)));
    nodes.put(TYPE_ATTRIBUTE, new Node(NAME_ATTRIBUTE, "cali.attribute.type", nodes.get(7)));
    nodes.put(PROPERTIES_ATTRIBUTE, new Node(NAME_ATTRIBUTE, "cali.attribute.prop", nodes.get(1)));
    nodes.put(11, new Node(TYPE_ATTRIBUTE, "ptr", null));
  }

  /**
   * Reads a profile as far as it can be read.
   *
   * @throws IOException when nothing can be read of it, and why
   */
  public static Profile read(Path path, Progress progress) throws IOException {
    CaliperReader reader = new CaliperReader(path, CubeReader.MOST_TIMES * Files.size(path) + CONSTANT_BYTES);
    progress.begin("Reading " + path, Files.size(path));
    boolean hasRecords = false;
    long lineNumber = 0;
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(Files.newInputStream(path),
        StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE)))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        progress.check();
        progress.worked(line.length() + 1L);
        lineNumber++;
        if (!line.isBlank()) {
          String fault = reader.line(line.strip());
          if (fault != null) {
            reader.warnings.add("line " + lineNumber + " of the profile is left out: " + fault);
          } else {
            hasRecords = true;
          }
        }
      }
    }
    if (!hasRecords) {
      throw new IOException("no line of it is a record of Caliper");
    }
    if (reader.table.isEmpty()) {
      throw new IOException("it has no records with values");
    }
    return reader.table.profile(reader.warnings.sentences());
  }

  /** @return what is wrong with the line; null for nothing */
  private String line(String line) {
    Map<String, List<String>> record = split(line);
    String kind = first(record, "__rec");
    switch (kind) {
      case "node":
        return addNode(record);
      case "ctx":
        return addRecord(record);
      case "globals":
        return null;
      default:
        return kind.isEmpty() ? "it has no __rec" : "its record " + kind + " is not known";
    }
  }

  /** @return keys with their values; {@code \\} takes the next character as it is, {@code \n} is the end of a line */
  static Map<String, List<String>> split(String line) {
    Map<String, List<String>> record = new LinkedHashMap<>();
    List<String> entry = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i <= line.length(); i++) {
      char c = i < line.length() ? line.charAt(i) : ',';
      if (c == '\\' && i + 1 < line.length()) {
        i++;
        text.append(line.charAt(i) == 'n' ? '\n' : line.charAt(i));
      } else if (c == ',' || c == '=') {
        entry.add(text.toString());
        text.setLength(0);
        if (c == ',') {
          record.put(entry.get(0), entry.subList(1, entry.size()));
          entry = new ArrayList<>();
        }
      } else {
        text.append(c);
      }
    }
    return record;
  }

  private static String first(Map<String, List<String>> record, String key) {
    List<String> values = record.get(key);
    return values == null || values.isEmpty() ? "" : values.get(0);
  }

  private String addNode(Map<String, List<String>> record) {
    int id = CubeAnchor.number(first(record, "id"));
    int attribute = CubeAnchor.number(first(record, "attr"));
    if (id < 0 || attribute < 0) {
      return "a node needs the numbers id and attr";
    }
    String above = first(record, "parent");
    Node parent = above.isEmpty() ? null : nodes.get(CubeAnchor.number(above));
    if (!above.isEmpty() && parent == null) {
      return "the parent " + above + " of node " + id + " is not defined before it";
    }
    String data = first(record, "data");
    nodes.put(id, new Node(attribute, data, parent));
    if (attribute == NAME_ATTRIBUTE && data.equals("attribute.unit")) {
      unit = id;
    }
    return null;
  }

  private String addRecord(Map<String, List<String>> record) {
    int path = -1;
    int rank = -1;
    int thread = -1;
    for (String reference : record.getOrDefault("ref", List.of())) {
      Node node = nodes.get(CubeAnchor.number(reference));
      if (node == null) {
        return "the node " + reference + " is not defined before it";
      }
      path = path < 0 ? path(node) : path;
      for (Node at = node; at != null; at = at.parent) {
        String name = name(at.attribute);
        rank = name.equals("mpi.rank") ? CubeAnchor.number(at.data) : rank;
        thread = isThread(name) ? CubeAnchor.number(at.data) : thread;
      }
    }
    List<String> attributes = record.getOrDefault("attr", List.of());
    List<String> values = record.getOrDefault("data", List.of());
    int count = Math.min(attributes.size(), values.size());
    for (int i = 0; i < count; i++) {
      String name = name(CubeAnchor.number(attributes.get(i)));
      rank = name.equals("mpi.rank") ? CubeAnchor.number(values.get(i)) : rank;
      thread = isThread(name) ? CubeAnchor.number(values.get(i)) : thread;
    }
    int node = -1;
    int place = -1;
    for (int i = 0; i < count; i++) {
      Node attribute = nodes.get(CubeAnchor.number(attributes.get(i)));
      if (attribute == null || attribute.attribute != NAME_ATTRIBUTE) {
        return "the attribute " + attributes.get(i) + " is not defined before it";
      }
      boolean isShown = (attribute.properties() & HIDDEN) == 0 && !attribute.data.equals("mpi.rank") && !isThread(attribute.data);
      if (isShown && isNumber(attribute)) {
        try {
          double value = Double.parseDouble(values.get(i));
          node = node < 0 ? path < 0 ? table.node(-1, NO_REGION, false) : path : node;
          place = place < 0 ? table.place(rank, thread) : place;
          String unitName = unit < 0 ? null : attribute.find(unit);
          table.add(attribute.data, unitName == null ? "" : unitName, node, place, value);
        } catch (NumberFormatException e) {
          return "the value of " + attribute.data + " is no number";
        }
      }
    }
    table.countRecord();
    return null;
  }

  private static boolean isThread(String name) {
    return name.equals("omp.thread.id") || name.equals("pthread.id") || name.equals("thread");
  }

  private static boolean isNumber(Node attribute) {
    String type = attribute.find(TYPE_ATTRIBUTE);
    return type != null && List.of("int", "uint", "double").contains(type);
  }

  private String name(int attribute) {
    Node node = nodes.get(attribute);
    return node == null ? "" : node.data;
  }

  /** @return the call path of the regions from a node upwards, -1 if there are none */
  private int path(Node node) {
    Integer found = known.get(node);
    if (found != null) {
      return found;
    }
    List<Node> regions = new ArrayList<>();
    for (Node at = node; at != null; at = at.parent) {
      Node attribute = nodes.get(at.attribute);
      if (attribute != null && attribute != at && (attribute.properties() & NESTED) != 0) {
        regions.add(at);
      }
    }
    int path = -1;
    for (int i = regions.size() - 1; i >= 0; i--) {
      path = table.node(path, regions.get(i).data, name(regions.get(i).attribute).equals("mpi.function"));
    }
    known.put(node, path);
    return path;
  }
}
