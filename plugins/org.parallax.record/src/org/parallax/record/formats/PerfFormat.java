package org.parallax.record.formats;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.parallax.record.Agent;
import org.parallax.record.CodeTool;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;
import org.parallax.trace.TraceFormat;

/**
 * What Linux perf writes: {@code perf.data}, and the text that {@code perf script} prints. The text can be compressed by gzip.
 * Files are known by their first bytes. The native program {@code parallax-perf} converts a file once into a
 * {@linkplain ConversionCache directory} beside it.
 */
public class PerfFormat implements TraceFormat {
  /** The end of the name of a text, without the dot, by which Eclipse knows it. */
  public static final String EXTENSION = "perf";

  /** Changes with what the conversion does: traces that an earlier version wrote are written anew. */
  private static final String VERSION = "perf-1";

  private static final String PACKED = ".gz";
  private static final int FIRST_BYTES = 1 << 16;
  private static final List<String> MAGICS = List.of("PERFILE2", "2ELIFREP");

  /** A comment of {@code --header}. */
  private static final Pattern HEADER = Pattern.compile("# (captured on|cmdline) *:.*");
  /** Name, numbers of process and thread, processor, time, period, event. */
  private static final Pattern SAMPLE = Pattern.compile(
      "\\s*\\S.*?\\s-?\\d+(/-?\\d+)?\\s+(\\[\\d+\\]\\s+)?\\d+\\.\\d{6,9}:(\\s+\\d+)?\\s+[A-Za-z]\\S*[:(]?.*");
  /** The same without a time, which needs a processor or a period. */
  private static final Pattern UNTIMED = Pattern.compile(
      "\\s*\\S.*?\\s-?\\d+(/-?\\d+)?\\s+(\\[\\d+\\]|\\d+)\\s+(\\d+\\s+)?[A-Za-z]\\S*:(\\s.*)?");

  private final CodeTool.Place place;

  /** @param place is asked when a file has to be converted */
  public PerfFormat(CodeTool.Place place) {
    this.place = place;
  }

  @Override
  public String name() {
    return "Linux perf";
  }

  @Override
  public boolean isTrace(Path path) {
    if (!Files.isRegularFile(path)) {
      return false;
    }
    boolean isPacked = path.toString().endsWith(PACKED);
    try (InputStream file = Files.newInputStream(path); InputStream bytes = isPacked ? new GZIPInputStream(file) : file) {
      return isOfPerf(bytes.readNBytes(FIRST_BYTES));
    } catch (IOException e) {
      return false;
    }
  }

  /** @return whether a file that begins so is of perf */
  static boolean isOfPerf(byte[] begin) {
    String magic = new String(begin, 0, Math.min(8, begin.length), StandardCharsets.ISO_8859_1);
    if (MAGICS.contains(magic)) {
      return true;
    }
    for (byte each : begin) {
      if (each == 0) {
        return false;
      }
    }
    List<String> lines = Arrays.asList(new String(begin, StandardCharsets.UTF_8).split("\r?\n"));
    if (lines.stream().limit(30).anyMatch(line -> HEADER.matcher(line).matches())) {
      return true;
    }
    return lines.stream().filter(line -> !line.isBlank() && !line.startsWith("#")).findFirst()
        .filter(line -> SAMPLE.matcher(line).matches() || UNTIMED.matcher(line).matches()).isPresent();
  }

  @Override
  public Path convert(Path path, Progress progress) throws TraceException {
    ConversionCache cache = new ConversionCache(path, VERSION, List.of(path));
    return cache.find(directory -> NativeImport.convert(place, Agent::perf, path, directory, progress,
        cause -> missing(path, cause)));
  }

  private static TraceException missing(Path file, Exception cause) {
    return new TraceException("the trace " + file + " cannot be read: parallax-perf cannot be started",
        "Run: parallax setup", cause);
  }
}
