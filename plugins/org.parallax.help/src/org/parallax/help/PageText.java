package org.parallax.help;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** A page of the help book as text with styles, for a workbench in which no browser can show it. */
final class PageText {
  static final int TITLE = 1;
  static final int HEADING = 1 << 1;
  static final int STRONG = 1 << 2;
  static final int EMPHASIS = 1 << 3;
  static final int CODE = 1 << 4;
  static final int LINK = 1 << 5;
  static final int IMAGE = 1 << 6;

  /** @param target of a link or of an image, else null */
  record Run(int start, int length, int style, String target) {
  }

  private final StringBuilder text = new StringBuilder();
  /** In the order of their ends: outer ones follow those that are in them. */
  private final List<Run> spans = new ArrayList<>();
  private final Map<String, Integer> anchors = new HashMap<>();
  private final Map<Integer, Integer> depths = new HashMap<>();

  private PageText() {
  }

  /**
   * @param html well-formed XML, as the generator of the help book writes it
   * @throws IOException also if it is not
   */
  static PageText of(InputStream html) throws IOException {
    PageText page = new PageText();
    try {
      SAXParserFactory.newInstance().newSAXParser().parse(html, page.new Reader());
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException(e.getMessage(), e);
    }
    return page;
  }

  /** @return a page that says why there is no other */
  static PageText ofFault(String message) {
    PageText page = new PageText();
    page.text.append(message);
    return page;
  }

  String text() {
    return text.toString();
  }

  /** @return where a section begins, 0 if the page has no such section */
  int offsetOf(String anchor) {
    return anchors.getOrDefault(anchor, 0);
  }

  /** @return by the offset of a paragraph in a list, how deep it is */
  Map<Integer, Integer> depths() {
    return depths;
  }

  /** @return what is not plain, in the order of the text and without overlaps */
  List<Run> runs() {
    int[] styles = new int[text.length()];
    String[] targets = new String[text.length()];
    for (Run span : spans) {
      for (int i = span.start; i < span.start + span.length; i++) {
        styles[i] |= span.style;
        targets[i] = span.target == null ? targets[i] : span.target;
      }
    }
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < styles.length;) {
      int end = i + 1;
      while (end < styles.length && styles[end] == styles[i] && targets[end] == targets[i]) {
        end++;
      }
      if (styles[i] != 0) {
        runs.add(new Run(i, end - i, styles[i], targets[i]));
      }
      i = end;
    }
    return runs;
  }

  private final class Reader extends DefaultHandler {
    private final Deque<Run> open = new ArrayDeque<>();
    /** The number of the last entry of each list around, -1 if a list has no numbers. */
    private final Deque<Integer> lists = new ArrayDeque<>();
    private boolean isInBody;
    private boolean isExact;
    private boolean isFirstCell;
    /** Where the text of a list's entry begins, behind its mark. */
    private int entryStart = -1;

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) {
      switch (name) {
        case "body" -> isInBody = true;
        case "h1" -> heading(TITLE, attributes);
        case "h2", "h3", "h4" -> heading(HEADING, attributes);
        case "p", "table" -> paragraph();
        case "ul", "ol" -> {
          if (lists.isEmpty()) {
            paragraph();
          }
          lists.push(name.equals("ol") ? 0 : -1);
        }
        case "li" -> entry();
        case "pre" -> {
          paragraph();
          isExact = true;
          begin(CODE, null);
        }
        case "code" -> begin(CODE, null);
        case "a" -> begin(LINK, attributes.getValue("href"));
        case "strong" -> begin(STRONG, null);
        case "em" -> begin(EMPHASIS, null);
        case "img" -> {
          begin(IMAGE, attributes.getValue("src"));
          text.append('\uFFFC');
          end();
        }
        case "tr" -> {
          line();
          isFirstCell = true;
        }
        case "th", "td" -> cell(name.equals("th"));
        case "br" -> line();
        default -> {
          // Its text alone counts.
        }
      }
    }

    @Override
    public void endElement(String uri, String local, String name) {
      switch (name) {
        case "h1", "h2", "h3", "h4", "code", "a", "strong", "em", "th", "td" -> end();
        case "pre" -> {
          end();
          isExact = false;
        }
        case "ul", "ol" -> lists.pop();
        default -> {
          // Nothing ends with it.
        }
      }
    }

    @Override
    public void characters(char[] characters, int start, int length) {
      if (!isInBody) {
        return;
      }
      String part = new String(characters, start, length);
      if (isExact) {
        text.append(part);
        return;
      }
      part = part.replaceAll("\\s+", " ");
      boolean isAtStart = text.isEmpty() || Character.isWhitespace(text.charAt(text.length() - 1));
      text.append(isAtStart ? part.stripLeading() : part);
    }

    /** A page has no other document to fetch. */
    @Override
    public InputSource resolveEntity(String publicId, String systemId) {
      return new InputSource(new java.io.StringReader(""));
    }

    private void heading(int style, Attributes attributes) {
      paragraph();
      if (attributes.getValue("id") != null) {
        anchors.put(attributes.getValue("id"), text.length());
      }
      begin(style, null);
    }

    private void entry() {
      line();
      int number = lists.pop();
      lists.push(number < 0 ? number : number + 1);
      depths.put(text.length(), lists.size());
      text.append(number < 0 ? "\u2022 " : number + 1 + ". ");
      entryStart = text.length();
    }

    private void cell(boolean isHeading) {
      if (!isFirstCell) {
        text.append("  \u2014  ");
      }
      // The first cell says what a row is about.
      begin(isHeading || isFirstCell ? STRONG : 0, null);
      isFirstCell = false;
    }

    private void begin(int style, String target) {
      open.push(new Run(text.length(), 0, style, target));
    }

    private void end() {
      Run run = open.pop();
      spans.add(new Run(run.start, text.length() - run.start, run.style, run.target));
    }

    private void line() {
      int end = text.length();
      while (end > 0 && text.charAt(end - 1) == ' ') {
        end--;
      }
      text.setLength(end);
      if (end > 0 && text.charAt(end - 1) != '\n') {
        text.append('\n');
      }
    }

    private void paragraph() {
      if (text.length() == entryStart) {
        return;
      }
      line();
      if (text.length() > 1 && text.charAt(text.length() - 2) != '\n') {
        text.append('\n');
      }
    }
  }
}
