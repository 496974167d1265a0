package org.parallax.trace;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What plug-ins on a class path add to an extension point of Parallax. Reads the {@code plugin.xml} of each,
 * as the extension registry of Eclipse does, so that a plug-in declares what it adds once for both. XML is
 * parsed only where a file names the extension point: without plug-ins, this costs a look into each jar.
 *
 * @param <T> what is added
 * @param added in the order of the class path
 * @param faults why something is left out, as sentences without an end
 */
public record Contributions<T>(List<T> added, List<String> faults) {
  private static final String FILE = "plugin.xml";

  public Contributions {
    added = List.copyOf(added);
    faults = List.copyOf(faults);
  }

  /**
   * @param point the extension point
   * @param element whose attribute {@code class} names a class with a public constructor without
   *     parameters
   * @return an instance of each class that is named
   */
  public static <T> Contributions<T> onClassPath(ClassLoader loader, String point, String element,
      Class<T> type) {
    List<T> added = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    for (URL file : files(loader, faults)) {
      for (String name : classes(file, point, element, faults)) {
        try {
          added.add(type.cast(
              Class.forName(name, true, loader).getDeclaredConstructor().newInstance()));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
          faults.add("the class " + name + " that " + file + " names is left out: " + e);
        }
      }
    }
    return new Contributions<>(added, faults);
  }

  private static List<URL> files(ClassLoader loader, List<String> faults) {
    try {
      return Collections.list(loader.getResources(FILE));
    } catch (IOException e) {
      faults.add("the plug-ins on the class path cannot be read: " + e);
      return List.of();
    }
  }

  private static List<String> classes(URL file, String point, String element,
      List<String> faults) {
    List<String> classes = new ArrayList<>();
    try (InputStream stream = file.openStream()) {
      byte[] text = stream.readAllBytes();
      if (!new String(text, StandardCharsets.UTF_8).contains(point)) {
        return classes;
      }
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      // Without one, faults are also printed.
      builder.setErrorHandler(null);
      NodeList extensions =
          builder.parse(new ByteArrayInputStream(text)).getElementsByTagName("extension");
      for (int i = 0; i < extensions.getLength(); i++) {
        Element extension = (Element) extensions.item(i);
        NodeList named = extension.getElementsByTagName(element);
        boolean isOfPoint = extension.getAttribute("point").equals(point);
        for (int j = 0; isOfPoint && j < named.getLength(); j++) {
          classes.add(((Element) named.item(j)).getAttribute("class"));
        }
      }
    } catch (IOException | SAXException | ParserConfigurationException e) {
      faults.add("the plug-in " + file + " cannot be read: " + e.getMessage());
    }
    return classes;
  }
}
