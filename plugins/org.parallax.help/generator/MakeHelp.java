import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BulletList;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Makes the help book of the pages in docs/: HTML, the table of contents (of the list in
 * docs/help.md and the headings of the pages that it names), and what F1 opens in each view (of the headings in
 * docs/views.md, which are the views' names).
 *
 * <pre>
 * java -cp JARS MakeHelp.java PROJECT OUT
 * </pre>
 */
public final class MakeHelp {
  private static final String PAGES = "html/";
  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer RENDERER =
      HtmlRenderer.builder().extensions(EXTENSIONS).build();

  private final Path root;
  private final Path docs;
  private final Path out;
  private final Map<String, Node> pages = new TreeMap<>();

  private MakeHelp(Path root, Path out) {
    this.root = root;
    this.docs = root.resolve("docs");
    this.out = out;
  }

  public static void main(String[] arguments) throws IOException {
    new MakeHelp(Path.of(arguments[0]), Path.of(arguments[1])).run();
  }

  private void run() throws IOException {
    Files.createDirectories(out.resolve("html/images"));
    for (Path file : list(docs, ".md")) {
      pages.put(file.getFileName().toString(), PARSER.parse(Files.readString(file)));
    }
    for (Map.Entry<String, Node> page : pages.entrySet()) {
      adapt(page.getKey(), page.getValue());
      Files.writeString(out.resolve(PAGES + html(page.getKey())),
          document(title(page.getValue()), RENDERER.render(page.getValue())));
    }
    Files.writeString(out.resolve("html/style.css"),
        Files.readString(root.resolve("plugins/org.parallax.help/generator/style.css")));
    Files.writeString(out.resolve("toc.xml"), contents());
    Files.writeString(out.resolve("contexts.xml"), contexts());
  }

  private static String html(String page) {
    return page.replaceFirst("\\.md$", ".html");
  }

  /** Links lead to pages of the book; those to other files of the project are text here. */
  private void adapt(String page, Node node) {
    List<Link> outside = new ArrayList<>();
    node.accept(new AbstractVisitor() {
      @Override
      public void visit(Link link) {
        Matcher parts = Pattern.compile("([^#]*)(#.*)?").matcher(link.getDestination());
        parts.matches();
        String anchor = parts.group(2) == null ? "" : parts.group(2);
        if (pages.containsKey(parts.group(1))) {
          link.setDestination(html(parts.group(1)) + anchor);
        } else if (!link.getDestination().matches("(https?:|#).*")) {
          outside.add(link);
        }
        visitChildren(link);
      }

      @Override
      public void visit(Image image) {
        copyImage(page, image.getDestination());
        visitChildren(image);
      }
    });
    for (Link link : outside) {
      while (link.getFirstChild() != null) {
        link.insertBefore(link.getFirstChild());
      }
      link.unlink();
    }
  }

  private void copyImage(String page, String image) {
    try {
      Path target = out.resolve(PAGES).resolve(image);
      Files.createDirectories(target.getParent());
      Files.write(target, Files.readAllBytes(docs.resolve(image)));
    } catch (IOException e) {
      throw new IllegalStateException("the image of docs/" + page + " is missing: " + e, e);
    }
  }

  private static String document(String title, String body) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>"
        + escape(title) + "</title>\n<link rel=\"stylesheet\" href=\"style.css\"/>\n</head>\n<body>\n"
        + body + "</body>\n</html>\n";
  }

  private static String title(Node page) {
    for (Node node = page.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading heading) {
        return text(heading);
      }
    }
    throw new IllegalStateException("a page has no heading");
  }

  /** The headings of the second level and the names by which they are linked. */
  private static Map<String, String> sections(Node page) {
    Map<String, String> sections = new LinkedHashMap<>();
    IdGenerator ids = IdGenerator.builder().build();
    page.accept(new AbstractVisitor() {
      @Override
      public void visit(Heading heading) {
        String id = ids.generateId(text(heading));
        if (heading.getLevel() == 2) {
          sections.put(text(heading), id);
        }
      }
    });
    return sections;
  }

  private String contents() {
    Node start = pages.get("help.md");
    StringBuilder toc = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<toc label=\""
        + escape(title(start)) + "\" topic=\"html/help.html\">\n");
    for (Node node = start.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof BulletList list) {
        topics(list, toc, "  ");
      }
    }
    return toc.append("</toc>\n").toString();
  }

  private void topics(Node list, StringBuilder toc, String indent) {
    for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
      Link link = null;
      String label = "";
      Node below = null;
      for (Node part = ((ListItem) item).getFirstChild(); part != null; part = part.getNext()) {
        if (part instanceof Paragraph paragraph) {
          link = paragraph.getFirstChild() instanceof Link first ? first : null;
          label = text(link == null ? paragraph : link);
        } else if (part instanceof BulletList) {
          below = part;
        }
      }
      toc.append(indent).append("<topic label=\"").append(escape(label)).append('"');
      if (link != null) {
        toc.append(" href=\"html/").append(link.getDestination()).append('"');
      }
      toc.append(">\n");
      Node page = link == null ? null : pages.get(link.getDestination().replace(".html", ".md"));
      if (page != null) {
        String file = link.getDestination();
        sections(page).forEach((name, id) -> toc.append(indent).append("  <topic label=\"")
            .append(escape(name)).append("\" href=\"html/").append(file).append('#').append(id)
            .append("\"/>\n"));
      }
      if (below != null) {
        topics(below, toc, indent + "  ");
      }
      toc.append(indent).append("</topic>\n");
    }
  }

  /** For each view, by the last part of its id: the section of its name, and the tutorial. */
  private String contexts() throws IOException {
    Map<String, String> sections = sections(pages.get("views.md"));
    StringBuilder xml =
        new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<contexts>\n");
    for (Map.Entry<String, String> view : views().entrySet()) {
      String section = sections.get(view.getValue());
      if (section == null) {
        System.err.println("docs/views.md has no section \"" + view.getValue() + "\"");
        continue;
      }
      xml.append("  <context id=\"").append(view.getKey()).append("\" title=\"")
          .append(escape(view.getValue())).append("\">\n    <description>")
          .append(escape(firstSentence("views.md", view.getValue()))).append("</description>\n")
          .append("    <topic label=\"").append(escape(view.getValue()))
          .append("\" href=\"html/views.html#").append(section).append("\"/>\n")
          .append("    <topic label=\"Tutorial\" href=\"html/tutorial.html\"/>\n  </context>\n");
    }
    return xml.append("</contexts>\n").toString();
  }

  private String firstSentence(String page, String section) {
    for (Node node = pages.get(page).getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading heading && text(heading).equals(section)) {
        Node after = node.getNext();
        while (after != null && !(after instanceof Paragraph paragraph
            && !(paragraph.getFirstChild() instanceof Image))) {
          after = after.getNext();
        }
        return after == null ? "" : text(after).replaceFirst("(?s)(\\.)\\s.*", "$1");
      }
    }
    return "";
  }

  /** Names of the views that the bundles contribute, by the last part of their id. */
  private Map<String, String> views() throws IOException {
    Map<String, String> views = new TreeMap<>();
    for (Path bundle : list(root.resolve("plugins"), "")) {
      Path plugin = bundle.resolve("plugin.xml");
      Path names = bundle.resolve("OSGI-INF/l10n/bundle.properties");
      if (Files.exists(plugin) && Files.exists(names)) {
        Properties properties = new Properties();
        properties.load(new StringReader(Files.readString(names)));
        Matcher view = Pattern.compile("<view\\s[^>]*?id=\"(org\\.parallax\\.[^\"]+)\"[^>]*?>")
            .matcher(Files.readString(plugin));
        while (view.find()) {
          Matcher name = Pattern.compile("\\sname=\"%([^\"]+)\"").matcher(view.group());
          if (name.find()) {
            views.put(view.group(1).replaceFirst(".*\\.", ""),
                properties.getProperty(name.group(1)));
          }
        }
      }
    }
    return views;
  }

  private static List<Path> list(Path folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  private static String text(Node node) {
    StringBuilder text = new StringBuilder();
    node.accept(new AbstractVisitor() {
      @Override
      public void visit(Text part) {
        text.append(part.getLiteral());
      }

      @Override
      public void visit(Code part) {
        text.append(part.getLiteral());
      }

      @Override
      public void visit(org.commonmark.node.SoftLineBreak part) {
        text.append(' ');
      }
    });
    return text.toString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
