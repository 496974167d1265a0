package org.parallax.record.formats;

import java.io.IOException;
import java.nio.file.Path;
import org.parallax.record.profiles.CaliperReader;
import org.parallax.record.profiles.Profile;
import org.parallax.trace.Progress;

/** Profiles of Caliper in its text form: files {@code NAME.cali}. */
public class CaliperFormat extends ProfileFormat {
  /** The end of the name of a profile. */
  public static final String SUFFIX = ".cali";

  private static final String VERSION = "caliper-1";

  /** A format of files with the end {@link #SUFFIX}. */
  public CaliperFormat() {
    super("Caliper", SUFFIX, VERSION);
  }

  @Override
  Profile read(Path path, Progress progress) throws IOException {
    return CaliperReader.read(path, progress);
  }
}
