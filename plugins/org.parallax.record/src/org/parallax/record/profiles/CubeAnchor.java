package org.parallax.record.profiles;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The description of a Cube profile, its member {@code anchor.xml}: metrics, regions, the call tree, and the system tree.
 * Trees are lists in the order of the file, in which parents come first.
 */
final class CubeAnchor {
  /** An element with the text of its simple children. */
  private static final class Element {
    final Map<String, String> attributes = new HashMap<>();
    final Map<String, String> texts = new HashMap<>();

    String text(String name) {
      return texts.getOrDefault(name, "");
    }

    String attribute(String name) {
      return attributes.getOrDefault(name, "");
    }
  }

  /** @param parent index in the list, -1 for none */
  record Metric(int parent, String id, String type, String name, String label, String dataType, String unit) {}

  /** @param line -1 if unknown */
  record Region(String name, String file, int line, String paradigm, String role) {}

  /**
   * A node of the call tree.
   *
   * @param parent index in the list, -1 for none
   * @param region its id
   */
  record Node(int parent, String region) {}

  /** A node of the system tree, such as a machine. */
  record SystemNode(int parent, String name, String kind) {}

  /** A process, or what else has locations. */
  record Group(int systemNode, String name, String rank, String type) {}

  /** @param id the number of its values in a row, if these are the numbers from 0 */
  record Location(int group, String id, String name, String type) {}

  private static final Set<String> METRICS = Set.of("metric");
  private static final Set<String> SYSTEM_NODES = Set.of("systemtreenode", "machine", "node");
  private static final Set<String> GROUPS = Set.of("locationgroup", "process");
  private static final Set<String> LOCATIONS = Set.of("location", "thread");

  String version = "";
  final Map<String, String> attributes = new HashMap<>();
  final List<Metric> metrics = new ArrayList<>();
  final Map<String, Region> regions = new HashMap<>();
  final List<Node> nodes = new ArrayList<>();
  final List<SystemNode> systemNodes = new ArrayList<>();
  final List<Group> groups = new ArrayList<>();
  final List<Location> locations = new ArrayList<>();

  /** The open elements that have a place in a list, and these places. */
  private final Deque<Element> open = new ArrayDeque<>();
  private final Deque<Integer> metricStack = new ArrayDeque<>();
  private final Deque<Integer> nodeStack = new ArrayDeque<>();
  private final Deque<Integer> systemStack = new ArrayDeque<>();

  private CubeAnchor() {}

  /**
   * @throws IOException when the text is no XML; with the line
   */
  static CubeAnchor read(byte[] xml) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    CubeAnchor anchor = new CubeAnchor();
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(
          // The parser prints when it finds bytes that are no characters.
          new InputStreamReader(new ByteArrayInputStream(xml), StandardCharsets.UTF_8));
      anchor.read(reader);
    } catch (XMLStreamException e) {
      String[] lines = e.getMessage() == null ? new String[] {"it is no XML"} : e.getMessage().split("\n");
      throw new IOException("anchor.xml, line " + (e.getLocation() == null ? 1 : e.getLocation().getLineNumber()) + ": "
          + lines[lines.length - 1].replaceFirst("^Message: ", ""), e);
    }
    return anchor;
  }

  private void read(XMLStreamReader reader) throws XMLStreamException {
    StringBuilder text = new StringBuilder();
    while (reader.hasNext()) {
      int event = reader.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        text.setLength(0);
        begin(reader);
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        end(reader.getLocalName(), text.toString().strip());
        text.setLength(0);
      } else if (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA) {
        text.append(reader.getText());
      }
    }
  }

  private static boolean hasPlace(String name) {
    return METRICS.contains(name) || SYSTEM_NODES.contains(name) || GROUPS.contains(name) || LOCATIONS.contains(name)
        || name.equals("region") || name.equals("cnode");
  }

  private void begin(XMLStreamReader reader) {
    String name = reader.getLocalName();
    Element element = new Element();
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      element.attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
    }
    if (name.equals("cube")) {
      version = element.attribute("version");
    } else if (name.equals("attr") && open.isEmpty()) {
      attributes.put(element.attribute("key"), element.attribute("value"));
    }
    if (!hasPlace(name)) {
      return;
    }
    open.push(element);
    if (METRICS.contains(name)) {
      metricStack.push(metrics.size());
      metrics.add(null);
    } else if (name.equals("cnode")) {
      nodes.add(new Node(top(nodeStack), element.attribute("calleeId")));
      nodeStack.push(nodes.size() - 1);
    } else if (SYSTEM_NODES.contains(name)) {
      systemNodes.add(new SystemNode(top(systemStack), "", name));
      systemStack.push(systemNodes.size() - 1);
    } else if (GROUPS.contains(name)) {
      groups.add(new Group(top(systemStack), "", "", ""));
    } else if (LOCATIONS.contains(name)) {
      locations.add(new Location(groups.size() - 1, "", "", ""));
    }
  }

  private static int top(Deque<Integer> stack) {
    return stack.isEmpty() ? -1 : stack.peek();
  }

  private void end(String name, String text) {
    if (!hasPlace(name)) {
      if (!open.isEmpty()) {
        open.peek().texts.put(name, text);
      }
      return;
    }
    Element element = open.pop();
    if (METRICS.contains(name)) {
      int index = metricStack.pop();
      metrics.set(index, new Metric(top(metricStack), element.attribute("id"), element.attribute("type"),
          element.text("uniq_name"), element.text("disp_name"), element.text("dtype"), element.text("uom")));
    } else if (name.equals("region")) {
      regions.put(element.attribute("id"), new Region(element.text("name"), element.attribute("mod"),
          number(element.attribute("begin")), element.text("paradigm"), element.text("role")));
    } else if (name.equals("cnode")) {
      nodeStack.pop();
    } else if (SYSTEM_NODES.contains(name)) {
      int index = systemStack.pop();
      systemNodes.set(index, new SystemNode(top(systemStack), element.text("name"),
          element.text("class").isEmpty() ? name : element.text("class")));
    } else if (GROUPS.contains(name)) {
      int index = groups.size() - 1;
      groups.set(index, new Group(groups.get(index).systemNode(), element.text("name"), element.text("rank"),
          element.text("type")));
    } else {
      int index = locations.size() - 1;
      locations.set(index, new Location(locations.get(index).group(),
          element.attribute("Id").isEmpty() ? element.attribute("id") : element.attribute("Id"), element.text("name"),
          element.text("type")));
    }
  }

  /** @return -1 for what is no number */
  static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
