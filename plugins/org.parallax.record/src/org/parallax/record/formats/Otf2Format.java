package org.parallax.record.formats;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.parallax.record.Agent;
import org.parallax.record.CodeTool;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;
import org.parallax.trace.TraceFormat;

/**
 * Archives of OTF2, as Score-P, EZTrace and others write them: an anchor file {@code NAME.otf2}, {@code NAME.def}
 * and the directory {@code NAME}. The native program {@code parallax-otf2} converts an archive once into a
 * {@linkplain ConversionCache directory} beside it.
 */
public class Otf2Format implements TraceFormat {
  /** The end of the name of an anchor file. */
  public static final String SUFFIX = ".otf2";

  /** Changes with what the conversion does: traces that an earlier version wrote are written anew. */
  private static final String VERSION = "otf2-3";

  private final CodeTool.Place place;

  /** @param place is asked when an archive has to be converted */
  public Otf2Format(CodeTool.Place place) {
    this.place = place;
  }

  @Override
  public String name() {
    return "OTF2";
  }

  @Override
  public boolean isTrace(Path path) {
    return anchor(path) != null;
  }

  /** The anchor file that a path is, or the only one in a directory; else null. */
  private static Path anchor(Path path) {
    if (!Files.isDirectory(path)) {
      return path.toString().endsWith(SUFFIX) && Files.isRegularFile(path) ? path : null;
    }
    Path found = null;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path, "*" + SUFFIX)) {
      for (Path file : files) {
        if (found != null) {
          return null;
        }
        found = Files.isRegularFile(file) ? file : found;
      }
      return found;
    } catch (IOException | DirectoryIteratorException e) {
      return null;
    }
  }

  @Override
  public Path convert(Path path, Progress progress) throws TraceException {
    Path anchor = anchor(path);
    String stem = anchor.getFileName().toString();
    stem = stem.substring(0, stem.length() - SUFFIX.length());
    Path definitions = anchor.resolveSibling(stem + ".def");
    Path events = anchor.resolveSibling(stem);
    ConversionCache cache = new ConversionCache(anchor, VERSION, List.of(anchor, definitions, events));
    return cache.find(directory -> NativeImport.convert(place, Agent::otf2, anchor, directory, progress,
        cause -> missing(anchor, cause)));
  }

  private static TraceException missing(Path anchor, Exception cause) {
    return new TraceException("the archive " + anchor + " cannot be read: parallax-otf2 cannot be started",
        "Install Debian's libotf2-trace-dev, then run: parallax setup", cause);
  }
}
