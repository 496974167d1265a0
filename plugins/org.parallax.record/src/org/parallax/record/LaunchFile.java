package org.parallax.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * A launch configuration as Eclipse saves it.
 *
 * @param name that of the file, without its end
 * @param type the id of the type of launch configurations
 * @param attributes texts, numbers, truth values, lists and maps, by their keys
 */
public record LaunchFile(String name, String type, Map<String, Object> attributes) {
  /** What the names of saved launches end with. */
  public static final String SUFFIX = ".launch";

  private static final ErrorHandler QUIET = new ErrorHandler() {
    @Override
    public void warning(SAXParseException problem) {}

    @Override
    public void error(SAXParseException problem) {}

    @Override
    public void fatalError(SAXParseException problem) throws SAXException {
      throw problem;
    }
  };

  /** @throws RecordException when there is none, or it is no launch configuration */
  public static LaunchFile read(Path file) throws RecordException {
    if (!Files.isRegularFile(file)) {
      throw new RecordException("there is no file " + file + "; save a launch of a parallel program "
          + "as a file: Profile Configurations > Common > Shared file");
    }
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      var builder = factory.newDocumentBuilder();
      builder.setErrorHandler(QUIET);
      Document document = builder.parse(file.toFile());
      Element root = document.getDocumentElement();
      if (!root.getTagName().equals("launchConfiguration")) {
        throw new RecordException(file + " is not a launch configuration, but <" + root.getTagName()
            + ">; save a launch as a file: Profile Configurations > Common > Shared file");
      }
      Map<String, Object> attributes = new LinkedHashMap<>();
      for (Element each : children(root)) {
        attributes.put(each.getAttribute("key"), value(each));
      }
      String name = file.getFileName().toString();
      return new LaunchFile(name.endsWith(SUFFIX)
          ? name.substring(0, name.length() - SUFFIX.length()) : name, root.getAttribute("type"),
          attributes);
    } catch (SAXParseException e) {
      throw new RecordException(file + " cannot be read: line " + e.getLineNumber() + ": "
          + e.getMessage(), e);
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new RecordException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static List<Element> children(Element parent) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }

  private static Object value(Element attribute) {
    switch (attribute.getTagName()) {
      case "booleanAttribute":
        return Boolean.valueOf(attribute.getAttribute("value"));
      case "listAttribute", "setAttribute":
        return children(attribute).stream().map(each -> each.getAttribute("value")).toList();
      case "mapAttribute":
        Map<String, String> map = new LinkedHashMap<>();
        children(attribute).forEach(
            each -> map.put(each.getAttribute("key"), each.getAttribute("value")));
        return map;
      default:
        return attribute.getAttribute("value");
    }
  }

  /**
   * The attributes as those of a parallel program.
   *
   * @throws RecordException when it launches something else
   */
  public Map<String, String> settings() throws RecordException {
    if (type.equals(CdtLaunch.TYPE)) {
      return CdtLaunch.settings(attributes);
    }
    if (type.equals(LaunchAttributes.TYPE_RUNNING)) {
      throw AttachPlan.needsWorkbench();
    }
    if (!type.equals(LaunchAttributes.TYPE)) {
      throw new RecordException("the launch " + name + " has the type " + type + ", not "
          + LaunchAttributes.TYPE + " nor " + CdtLaunch.TYPE + "; save the launch of a parallel "
          + "program");
    }
    return texts(attributes);
  }

  /** @return those attributes that are texts */
  public static Map<String, String> texts(Map<String, Object> attributes) {
    Map<String, String> texts = new LinkedHashMap<>();
    attributes.forEach((key, value) -> {
      if (value instanceof String text) {
        texts.put(key, text);
      }
    });
    return texts;
  }
}
