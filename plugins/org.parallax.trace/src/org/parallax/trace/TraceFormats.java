package org.parallax.trace;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * The formats of other tools that can be read: those of the plug-ins that {@link Contributions#named} finds,
 * unless a workbench has said which plug-ins are installed. They are looked for when a path is no trace of Parallax.
 */
public final class TraceFormats {
  /** The extension point of other plug-ins, and the element that names a class. */
  public static final String POINT = "org.parallax.trace.formats";
  public static final String ELEMENT = "format";

  private static final List<TraceFormat> ADDED = new CopyOnWriteArrayList<>();
  private static volatile Contributions<TraceFormat> installed;

  private TraceFormats() {}

  /** @param formats used from now on, in place of those of the environment */
  public static void install(Contributions<TraceFormat> formats) {
    installed = formats;
  }

  /** @param format known from now on, besides those of plug-ins */
  public static void add(TraceFormat format) {
    ADDED.add(format);
  }

  private static Contributions<TraceFormat> installed() {
    Contributions<TraceFormat> formats = installed;
    if (formats == null) {
      formats = Contributions.named(POINT, ELEMENT, TraceFormat.class);
      installed = formats;
    }
    return formats;
  }

  /** @return why formats of other plug-ins were left out, as sentences without an end */
  static List<String> faults() {
    return installed().faults();
  }

  /** @return the format of a path, null for a trace of Parallax and for what no format knows */
  static TraceFormat of(Path path) {
    if (!Files.exists(path) || TraceDirectory.hasFiles(path)) {
      return null;
    }
    return Stream.concat(ADDED.stream(), installed().added().stream()).filter(format -> format.isTrace(path)).findFirst()
        .orElse(null);
  }
}
