package org.parallax.trace;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
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
 * What plug-ins add to an extension point of Parallax where there is no extension registry. Reads the
 * {@code plugin.xml} of each, as the registry of Eclipse does, so that a plug-in declares what it adds once
 * for both. Without plug-ins, this costs nothing.
 *
 * @param <T> what is added
 * @param added in the order of the plug-ins
 * @param faults why something is left out, as sentences without an end
 */
public record Contributions<T>(List<T> added, List<String> faults) {
  /** The environment variable that names jars and directories, and the property that goes before it. */
  private static final String VARIABLE = "PARALLAX_PLUGINS";
  private static final String PROPERTY = "parallax.plugins";
  private static final String FILE = "plugin.xml";

  /** The plug-ins that the environment names; null without any. */
  private static final class Named {
    static final URLClassLoader LOADER =
        loader(System.getProperty(PROPERTY, System.getenv(VARIABLE)));
  }

  public Contributions {
    added = List.copyOf(added);
    faults = List.copyOf(faults);
  }

  /** @return nothing */
  public static <T> Contributions<T> none() {
    return new Contributions<>(List.of(), List.of());
  }

  /** As {@link #of}, of the plug-ins that {@code PARALLAX_PLUGINS} names, with colons between them. */
  public static <T> Contributions<T> named(String point, String element, Class<T> type) {
    return Named.LOADER == null ? none() : of(Named.LOADER, point, element, type);
  }

  /** @return null for no plug-ins */
  private static URLClassLoader loader(String paths) {
    if (paths == null || paths.isBlank()) {
      return null;
    }
    List<URL> plugins = new ArrayList<>();
    for (String path : paths.split(File.pathSeparator)) {
      if (path.isBlank()) {
        continue;  // as in $PARALLAX_PLUGINS:my.jar without a value
      }
      try {
        plugins.add(new File(path).toURI().toURL());
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException(path, e);
      }
    }
    return new URLClassLoader(plugins.toArray(URL[]::new), Contributions.class.getClassLoader());
  }

  /**
   * @param loader of the plug-ins, whose parent has Parallax; its own files are read only
   * @param point the extension point
   * @param element whose attribute {@code class} names a class with a public constructor without
   *     parameters
   * @return an instance of each class that is named
   */
  public static <T> Contributions<T> of(URLClassLoader loader, String point, String element,
      Class<T> type) {
    List<T> added = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    for (URL file : files(loader, faults)) {
      for (String name : classes(file, point, element, faults)) {
        try {
          added.add(type.cast(
              Class.forName(name, true, loader).getDeclaredConstructor().newInstance()));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
          faults.add("the class " + name + ", named in " + file + ", is ignored: " + e);
        }
      }
    }
    return new Contributions<>(added, faults);
  }

  private static List<URL> files(URLClassLoader loader, List<String> faults) {
    for (URL plugin : loader.getURLs()) {
      if (!new File(URI.create(plugin.toString())).exists()) {
        faults.add("there is no plug-in " + plugin.getPath() + ", which " + VARIABLE + " names");
      }
    }
    try {
      return Collections.list(loader.findResources(FILE));
    } catch (IOException e) {
      faults.add("the plug-ins named in " + VARIABLE + " cannot be read: " + e);
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
