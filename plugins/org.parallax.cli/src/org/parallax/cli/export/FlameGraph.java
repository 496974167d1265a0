package org.parallax.cli.export;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.parallax.analysis.calls.FlameFrames;
import org.parallax.analysis.calls.FlameSubject;
import org.parallax.analysis.text.Quantity;

/**
 * A flame graph (Gregg 2016) as SVG that stands by itself: a rectangle for each procedure on a call
 * path, as wide as the path's time, above the one that called it. A click widens a part, the title
 * of a rectangle tells its numbers. In a differential one rectangles are as wide as the new run's time,
 * red where it is more than in the base and blue where it is less, the stronger the more.
 */
final class FlameGraph {
  private static final int WIDTH = 1200;
  private static final int HEIGHT = 17;
  private static final int MARGIN = 10;
  private static final int TITLE = 34;
  private static final double LETTER = 6.6;
  private static final double LEAST_WIDTH = 0.1;

  private static final String STYLE = """
      <style>
      text { font: 11px monospace; pointer-events: none; } .title { font-size: 15px; }
      rect { stroke: white; stroke-width: 0.5; cursor: pointer; }
      rect:hover { stroke: black; }
      </style>
      """;
  /** Frames have the data from, to and depth; those outside of the chosen one are hidden. */
  private static final String SCRIPT = """
      <script><![CDATA[
      const frames = [...document.querySelectorAll('g.frame')];
      function show(from, to, depth) {
        const scale = %d / (to - from);
        for (const g of frames) {
          const a = +g.dataset.from, b = +g.dataset.to, above = +g.dataset.depth < depth;
          const left = above ? 0 : (a - from) * scale, right = above ? %d : (b - from) * scale;
          const visible = b > from && a < to && right - left > 0.1;
          g.style.display = visible ? '' : 'none';
          const r = g.querySelector('rect'), t = g.querySelector('text');
          r.setAttribute('x', %d + left);
          r.setAttribute('width', Math.max(0, right - left));
          t.setAttribute('x', %d + left + 3);
          const letters = Math.floor((right - left - 6) / 6.6), name = g.dataset.name;
          t.textContent = letters < 3 ? '' : name.length <= letters ? name
              : name.slice(0, letters - 2) + '..';
        }
      }
      frames.forEach(g => g.addEventListener('click',
          () => show(+g.dataset.from, +g.dataset.to, +g.dataset.depth)));
      ]]></script>
      """.formatted(WIDTH, WIDTH, MARGIN, MARGIN);

  private static final class Node {
    final String name;
    /** Whether it is on the call path of a thread that was waited for. */
    final boolean isOfOther;
    final Map<String, Node> children = new TreeMap<>();
    long ns;
    long baseNs;

    Node(String name, boolean isOfOther) {
      this.name = name;
      this.isOfOther = isOfOther;
    }

    boolean isDivider() {
      return name.startsWith(FlameSubject.DIVIDER);
    }

    Node child(String childName) {
      return children.computeIfAbsent(
          childName, key -> new Node(key, isOfOther || isDivider()));
    }

    int depth() {
      int most = 0;
      for (Node child : children.values()) {
        most = Math.max(most, child.depth());
      }
      return 1 + most;
    }
  }

  private static final FlameFrames.Tree<Node> TREE = new FlameFrames.Tree<>() {
    @Override
    public Collection<Node> callees(Node node) {
      return node.children.values();
    }

    @Override
    public long ns(Node node) {
      return node.ns;
    }
  };

  private final StringBuilder svg = new StringBuilder();
  private final int height;
  private final long totalNs;
  private final boolean differential;
  private final boolean waits;

  private FlameGraph(Node root, boolean differential, boolean waits) {
    this.waits = waits;
    totalNs = root.ns;
    this.differential = differential;
    height = TITLE + root.depth() * (HEIGHT + 1) + MARGIN;
  }

  /**
   * @param waits whether threads wait on their own call paths: these have a colour of their own
   * @param stacks nanoseconds by the names on each path, the outermost first
   * @param base those of another run, or null
   */
  static String svg(
      String title, boolean waits, Map<List<String>, Long> stacks, Map<List<String>, Long> base) {
    Node root = new Node("all", false);
    stacks.forEach((stack, ns) -> along(root, stack, node -> node.ns += ns));
    if (base != null) {
      base.forEach((stack, ns) -> along(root, stack, node -> node.baseNs += ns));
    }
    FlameGraph graph = new FlameGraph(root, base != null, waits);
    graph.svg.append(String.format(Locale.ROOT, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>%n"
        + "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        + "viewBox=\"0 0 %d %d\">%n", WIDTH + 2 * MARGIN, graph.height, WIDTH + 2 * MARGIN,
        graph.height)).append(STYLE)
        .append("<rect width=\"100%\" height=\"100%\" fill=\"#fffef8\"/>\n");
    graph.svg.append(String.format(Locale.ROOT, "<text class=\"title\" x=\"%d\" y=\"22\">%s"
        + "</text>%n", MARGIN, escaped(title)));
    new FlameFrames<>(TREE, root, LEAST_WIDTH / WIDTH * root.ns)
        .visit(Integer.MAX_VALUE, graph::draw);
    return graph.svg.append(SCRIPT).append("</svg>\n").toString();
  }

  private static void along(Node root, List<String> stack, Consumer<Node> each) {
    Node node = root;
    each.accept(node);
    for (String name : stack) {
      node = node.child(name);
      each.accept(node);
    }
  }

  private void draw(Node node, long fromNs, long ns, int depth) {
    if (node == null) {
      return;
    }
    String name = node.name;
    double x = totalNs == 0 ? 0 : (double) fromNs / totalNs * WIDTH;
    double width = totalNs == 0 ? WIDTH : (double) ns / totalNs * WIDTH;
    int y = height - MARGIN - (depth + 1) * (HEIGHT + 1);
    int letters = (int) ((width - 6) / LETTER);
    String shown = letters < 3 ? "" : name.length() <= letters ? name
        : name.substring(0, letters - 2) + "..";
    svg.append(String.format(Locale.ROOT, "<g class=\"frame\" data-from=\"%d\" data-to=\"%d\" "
        + "data-depth=\"%d\" data-name=\"%s\"><title>%s: %s, %.2f %%%s</title>"
        + "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>"
        + "<text x=\"%.2f\" y=\"%d\">%s</text></g>%n", fromNs, fromNs + ns, depth,
        escaped(name), escaped(name), Quantity.time(ns),
        totalNs == 0 ? 100 : 100.0 * ns / totalNs, differential ? change(node) : "",
        MARGIN + x, y, width, HEIGHT, differential ? difference(node) : colour(node),
        MARGIN + x + 3, y + 12, escaped(shown)));
  }

  private static String change(Node node) {
    long ns = node.ns - node.baseNs;
    return ", " + Quantity.time(Math.abs(ns)) + (ns < 0 ? " less" : " more");
  }

  /** A change of a twentieth of all time is as strong as it gets. */
  private String difference(Node node) {
    double change = (double) (node.ns - node.baseNs) / Math.max(1, totalNs);
    int other = 235 - (int) (185 * Math.min(1, 20 * Math.abs(change)));
    return change < 0 ? String.format("#%02x%02xf0", other, other)
        : String.format("#f0%02x%02x", other, other);
  }

  /**
   * Warm colours by the name; intercepted MPI routines are blue, so that waiting stands out. What waits
   * is blue in a graph of waits, and the paths of threads that were waited for are green.
   */
  private String colour(Node node) {
    int hash = node.name.hashCode() * 0x9E3779B1;
    int first = hash >>> 26;
    int second = hash >>> 20 & 63;
    if (node.isDivider()) {
      return "#b0b0b0";
    }
    if (node.isOfOther) {
      return String.format("#%02x%02x%02x", 90 + first, 180 + second / 2, 90 + second);
    }
    return waits || node.name.startsWith("MPI_")
        ? String.format("#%02x%02x%02x", 100 + first, 150 + second, 235)
        : String.format("#%02x%02x%02x", 190 + first, 110 + first + second, 40 + second);
  }

  private static String escaped(String text) {
    // XML has no control characters, not even escaped ones.
    return text.replaceAll("[\\x00-\\x1F\\uFFFE\\uFFFF]", "\uFFFD").replace("&", "&amp;").replace("<", "&lt;")
        .replace(">", "&gt;").replace("\"", "&quot;");
  }
}
