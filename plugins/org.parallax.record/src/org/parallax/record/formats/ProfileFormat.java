package org.parallax.record.formats;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.parallax.record.profiles.Profile;
import org.parallax.record.profiles.ProfileTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;
import org.parallax.trace.TraceFormat;

/** Profiles of another tool, each one file that is converted once into a {@linkplain ConversionCache directory} beside it. */
abstract class ProfileFormat implements TraceFormat {
  private final String name;
  private final String suffix;
  private final String version;

  /**
   * @param suffix the end of the name of a profile, with the dot
   * @param version changes with what the conversion does: traces that an earlier version wrote are written anew
   */
  ProfileFormat(String name, String suffix, String version) {
    this.name = name;
    this.suffix = suffix;
    this.version = version;
  }

  /**
   * Reads a profile.
   *
   * @throws IOException when the file cannot be read, or has no profile
   */
  abstract Profile read(Path path, Progress progress) throws IOException;

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isTrace(Path path) {
    return path.toString().endsWith(suffix) && Files.isRegularFile(path);
  }

  @Override
  public Path convert(Path path, Progress progress) throws TraceException {
    return new ConversionCache(path, version, List.of(path)).find(directory -> {
      try {
        ProfileTrace.write(read(path, progress), path, directory, progress);
      } catch (IOException e) {
        throw new TraceException("the profile " + path + " cannot be read: " + e.getMessage(),
            "Copy it again from where it was written", e);
      }
    });
  }
}
