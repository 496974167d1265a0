package org.parallax.record.formats;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.parallax.record.profiles.CaliperReader;
import org.parallax.record.profiles.ProfileTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;
import org.parallax.trace.TraceFormat;

/** Profiles of Caliper in its text form, {@code NAME.cali}, each converted once into a {@linkplain ConversionCache directory} beside it. */
public class CaliperFormat implements TraceFormat {
  /** The end of the name of a profile. */
  public static final String SUFFIX = ".cali";

  /** Changes with what the conversion does: traces that an earlier version wrote are written anew. */
  private static final String VERSION = "caliper-1";

  @Override
  public String name() {
    return "Caliper";
  }

  @Override
  public boolean isTrace(Path path) {
    return path.toString().endsWith(SUFFIX) && Files.isRegularFile(path);
  }

  @Override
  public Path convert(Path path, Progress progress) throws TraceException {
    return new ConversionCache(path, VERSION, List.of(path)).find(directory -> {
      try {
        ProfileTrace.write(CaliperReader.read(path, progress), path, directory, progress);
      } catch (IOException e) {
        throw new TraceException("the profile " + path + " cannot be read: " + e.getMessage(),
            "Copy it again from where it was written", e);
      }
    });
  }
}
