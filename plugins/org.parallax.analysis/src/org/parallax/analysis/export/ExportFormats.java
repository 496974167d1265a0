package org.parallax.analysis.export;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.parallax.trace.Contributions;

/**
 * The formats for other tools: those of Parallax, and those of the plug-ins that {@link Contributions#named} finds, unless
 * a workbench has said which plug-ins are installed.
 */
public final class ExportFormats {
  /** The extension point of other plug-ins, and the element that names a class. */
  public static final String POINT = "org.parallax.analysis.exports";
  public static final String ELEMENT = "export";

  private static final List<ExportFormat> OWN =
      List.of(new PerfettoFormat(), new SpeedscopeFormat(), new CallgrindFormat());
  private static final List<ExportFormat> ADDED = new CopyOnWriteArrayList<>();
  private static volatile Contributions<ExportFormat> installed;

  private ExportFormats() {}

  /** @param formats used from now on, in place of those of the environment */
  public static void install(Contributions<ExportFormat> formats) {
    installed = formats;
  }

  /** @param format known from now on, besides those of plug-ins */
  public static void add(ExportFormat format) {
    ADDED.add(format);
  }

  /** @return all formats; of several with one name, the first counts */
  public static List<ExportFormat> all() {
    return Stream.of(ADDED, OWN, installed().added()).flatMap(List::stream).toList();
  }

  /** @return null for a name that is none */
  public static ExportFormat of(String id) {
    return all().stream().filter(format -> format.id().equals(id)).findFirst().orElse(null);
  }

  /** @return why formats of plug-ins were left out, as sentences without an end */
  public static List<String> faults() {
    return installed().faults();
  }

  private static Contributions<ExportFormat> installed() {
    Contributions<ExportFormat> formats = installed;
    if (formats == null) {
      formats = Contributions.named(POINT, ELEMENT, ExportFormat.class);
      installed = formats;
    }
    return formats;
  }
}
