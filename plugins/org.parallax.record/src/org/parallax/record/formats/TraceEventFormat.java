package org.parallax.record.formats;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.parallax.record.Agent;
import org.parallax.record.CodeTool;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;
import org.parallax.trace.TraceFormat;

/**
 * Traces of Chrome and Perfetto: the Trace Event Format (JSON), which PyTorch, Go, Node.js, clang and others write too, and
 * Perfetto's protobuf. The file can be compressed by gzip. The native program {@code parallax-perfetto} converts it once
 * into a {@linkplain ConversionCache directory} beside it.
 */
public class TraceEventFormat implements TraceFormat {
  /** The ends of names of Perfetto's files, without the dot. */
  public static final Set<String> EXTENSIONS = Set.of("pftrace", "perfetto-trace");

  /** Changes with what the conversion does: traces that an earlier version wrote are written anew. */
  private static final String VERSION = "trace-events-2";

  private static final String PACKED = ".gz";
  private static final String JSON = ".json";
  /** Some tools describe the machine before the events. */
  private static final int FIRST_BYTES = 1 << 16;

  private static final Pattern EVENT_IN_ARRAY =
      Pattern.compile("^\\s*\\[\\s*\\{.*\"ph\"\\s*:\\s*\"[^\"]\".*", Pattern.DOTALL);
  private static final Pattern EVENTS_IN_OBJECT =
      Pattern.compile("^\\s*\\{.*\"traceEvents\"\\s*:\\s*\\[.*", Pattern.DOTALL);

  private final CodeTool.Place place;

  /** @param place is asked when a trace has to be converted */
  public TraceEventFormat(CodeTool.Place place) {
    this.place = place;
  }

  @Override
  public String name() {
    return "Trace Event Format, Perfetto";
  }

  @Override
  public boolean isTrace(Path path) {
    if (!Files.isRegularFile(path)) {
      return false;
    }
    String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
    boolean isPacked = name.endsWith(PACKED);
    String unpacked = isPacked ? name.substring(0, name.length() - PACKED.length()) : name;
    if (EXTENSIONS.stream().anyMatch(extension -> unpacked.endsWith("." + extension))) {
      return true;
    }
    if (!unpacked.endsWith(JSON)) {
      return false;
    }
    try (InputStream file = Files.newInputStream(path); InputStream bytes = isPacked ? new GZIPInputStream(file) : file) {
      return hasEvents(new String(bytes.readNBytes(FIRST_BYTES), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return false;
    }
  }

  /** @return whether a text that begins so is of the Trace Event Format */
  public static boolean hasEvents(String begin) {
    String text = begin.startsWith("\uFEFF") ? begin.substring(1) : begin;
    return EVENT_IN_ARRAY.matcher(text).matches() || EVENTS_IN_OBJECT.matcher(text).matches();
  }

  @Override
  public Path convert(Path path, Progress progress) throws TraceException {
    ConversionCache cache = new ConversionCache(path, VERSION, List.of(path));
    return cache.find(directory -> NativeImport.convert(place, Agent::perfetto, path, directory, progress,
        cause -> missing(path, cause)));
  }

  private static TraceException missing(Path file, Exception cause) {
    return new TraceException("the trace " + file + " cannot be read: parallax-perfetto cannot be started",
        "Run: parallax setup", cause);
  }
}
