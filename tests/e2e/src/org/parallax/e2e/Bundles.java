package org.parallax.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Manifests of bundles, in the sources and in built jars. */
final class Bundles {
  private Bundles() {
  }

  /** A bundle as its manifest describes it; names only, without attributes. */
  record Bundle(String name, List<String> requires, List<String> imports, List<String> exports) {
  }

  /** An entry of a header: its first part and all attributes and directives as written. */
  record Clause(String name, String attributes) {
  }

  /** @return the manifests in the folders of {@code parent}, by the bundle's name */
  static Map<String, Manifest> manifests(Path parent) throws IOException {
    Map<String, Manifest> found = new TreeMap<>();
    try (Stream<Path> folders = Files.list(parent)) {
      for (Path folder : folders.toList()) {
        Path file = folder.resolve("META-INF/MANIFEST.MF");
        if (Files.exists(file)) {
          try (InputStream in = Files.newInputStream(file)) {
            Manifest manifest = new Manifest(in);
            found.put(symbolicName(manifest), manifest);
          }
        }
      }
    }
    return found;
  }

  static Manifest manifestOf(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.getManifest();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String symbolicName(Manifest manifest) {
    return clauses(manifest, "Bundle-SymbolicName").get(0).name();
  }

  static Bundle describe(Manifest manifest) {
    return new Bundle(symbolicName(manifest), names(manifest, "Require-Bundle"),
        names(manifest, "Import-Package"), names(manifest, "Export-Package"));
  }

  static List<String> names(Manifest manifest, String header) {
    return clauses(manifest, header).stream().map(Clause::name).toList();
  }

  /** @return the entries of a header, none when it is missing */
  static List<Clause> clauses(Manifest manifest, String header) {
    String value = manifest.getMainAttributes().getValue(header);
    List<Clause> clauses = new ArrayList<>();
    if (value == null) {
      return clauses;
    }
    StringBuilder clause = new StringBuilder();
    boolean quoted = false;
    for (char c : (value + ",").toCharArray()) {
      if (c == '"') {
        quoted = !quoted;
      }
      if (c == ',' && !quoted) {
        String text = clause.toString().strip();
        int end = text.indexOf(';');
        clauses.add(end < 0 ? new Clause(text, "")
            : new Clause(text.substring(0, end).strip(), text.substring(end + 1)));
        clause.setLength(0);
      } else {
        clause.append(c);
      }
    }
    return clauses;
  }
}
