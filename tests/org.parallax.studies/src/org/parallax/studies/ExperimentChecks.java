package org.parallax.studies;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** What must hold of an experiment with the program however busy the machine is. */
final class ExperimentChecks {
  /** How often a round of the program calls its functions. */
  private static final Map<String, Integer> CALLS =
      Map.of("parse", 1, "compress", 1, "hash", 1, "emit", 2, "store", 2);
  /** Of the delay that was asked for. */
  private static final double LEAST_ACHIEVED = 0.99;

  private ExperimentChecks() {
  }

  /**
   * Whether so many trials were made, each with a time, and reached each place as often as a program of so many rounds
   * calls the function. Prints what does not hold.
   */
  static boolean areTrialsSound(Path experiment, int trials, int rounds, PrintStream out) throws IOException {
    String name = experiment.getFileName().toString().replaceFirst("\\..*", "");
    Document document = parse(experiment);
    NodeList all = document.getElementsByTagName("trials");
    int made = 0;
    for (int i = 0; i < all.getLength(); i++) {
      Element trial = (Element) all.item(i);
      if (trial.getAttribute("status").equals("DONE") && number(trial, "durationNs") > 0) {
        made++;
      }
    }
    NodeList counts = document.getElementsByTagName("counts");
    int right = 0;
    for (int i = 0; i < counts.getLength(); i++) {
      Element count = (Element) counts.item(i);
      Integer calls = CALLS.get(count.getAttribute("factor"));
      if (calls != null && number(count, "count") == (long) rounds * calls) {
        right++;
      }
    }
    int places = CALLS.size() * trials;
    if (made != trials) {
      out.printf("%s: %d of %d trials were made%n", name, made, trials);
    }
    if (right != places) {
      out.printf("%s: %d of %d counts are those of the program%n", name, right, places);
    }
    return made == trials && right == places;
  }

  /** Whether each delay took its time, of a report of counts. Prints those that did not. */
  static boolean areDelaysSound(Csv counts, PrintStream out) {
    int sound = 0;
    for (Csv.Row row : counts.rows()) {
      double requested = row.number("requested");
      if (requested > 0 && row.number("achieved") >= LEAST_ACHIEVED * requested && row.text("skipped").equals("0")) {
        sound++;
      } else {
        out.printf("delays of %s: %s ns of %s ns, %s skipped%n", row.text("name"), row.text("achieved"),
            row.text("requested"), row.text("skipped"));
      }
    }
    return sound == CALLS.size();
  }

  private static long number(Element element, String attribute) {
    String text = element.getAttribute(attribute);
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  private static Document parse(Path file) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(new DefaultHandler());  // throws; that of the JDK also prints
      return builder.parse(file.toFile());
    } catch (ParserConfigurationException | SAXException e) {
      throw new Failure(file + " is no experiment: " + e.getMessage());
    }
  }
}
