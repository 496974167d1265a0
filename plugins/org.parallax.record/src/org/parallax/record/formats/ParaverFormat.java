package org.parallax.record.formats;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.parallax.record.Agent;
import org.parallax.record.CodeTool;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;
import org.parallax.trace.TraceFormat;

/**
 * Traces of Paraver, as Extrae, Dimemas, ovni and others write them: a {@code .prv}, which can be compressed by gzip, with
 * the names in a {@code .pcf} and a {@code .row} beside it. The native program {@code parallax-paraver} converts it once
 * into a {@linkplain ConversionCache directory} beside it.
 */
public class ParaverFormat implements TraceFormat {
  /** The end of the file's name, without the dot. */
  public static final String EXTENSION = "prv";

  /** Changes with what the conversion does: traces that an earlier version wrote are written anew. */
  private static final String VERSION = "paraver-1";

  private static final String PACKED = ".gz";

  private final CodeTool.Place place;

  /** @param place is asked when a trace has to be converted */
  public ParaverFormat(CodeTool.Place place) {
    this.place = place;
  }

  @Override
  public String name() {
    return "Paraver";
  }

  @Override
  public boolean isTrace(Path path) {
    return Files.isRegularFile(path) && stem(path) != null;
  }

  /** @return the name without its ends, null if it is not one of a trace */
  private static String stem(Path path) {
    String name = path.getFileName().toString();
    String lower = name.toLowerCase(Locale.ROOT);
    for (String end : List.of("." + EXTENSION, "." + EXTENSION + PACKED)) {
      if (lower.endsWith(end)) {
        return name.substring(0, name.length() - end.length());
      }
    }
    return null;
  }

  @Override
  public Path convert(Path path, Progress progress) throws TraceException {
    List<Path> sources = List.of(path, path.resolveSibling(stem(path) + ".pcf"), path.resolveSibling(stem(path) + ".row"));
    ConversionCache cache = new ConversionCache(path, VERSION, sources);
    return cache.find(directory -> NativeImport.convert(place, Agent::paraver, path, directory, progress,
        cause -> missing(path, cause)));
  }

  private static TraceException missing(Path file, Exception cause) {
    return new TraceException("the trace " + file + " cannot be read: parallax-paraver cannot be started",
        "Run: parallax setup", cause);
  }
}
