package org.parallax.record.formats;

import java.io.IOException;
import java.nio.file.Path;
import org.parallax.record.profiles.CubeReader;
import org.parallax.record.profiles.Profile;
import org.parallax.trace.Progress;

/** Profiles of Cube 4, as Score-P, Scalasca and others write them: files {@code NAME.cubex}. */
public class CubeFormat extends ProfileFormat {
  /** The end of the name of a profile. */
  public static final String SUFFIX = ".cubex";

  private static final String VERSION = "cube-1";

  /** A format of files with the end {@link #SUFFIX}. */
  public CubeFormat() {
    super("Cube", SUFFIX, VERSION);
  }

  @Override
  Profile read(Path path, Progress progress) throws IOException {
    return CubeReader.read(path, progress);
  }
}
