package org.parallax.ui.platform;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.eclipse.core.runtime.FileLocator;
import org.eclipse.core.runtime.Platform;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.osgi.util.NLS;
import org.osgi.framework.Bundle;
import org.parallax.record.Agent;
import org.parallax.record.RecordException;

/**
 * Finds the native programs: those that system properties or the preference name, for builds under
 * development, else those of the bundle for this machine.
 */
public final class InstalledAgent {
  /** The preference that names the directory of the native programs. */
  public static final String DIRECTORY = "nativeDirectory";

  private static final String BUNDLE = "org.parallax.agent.linux.x86_64";
  private static final String FOLDER = "os/linux/x86_64/";

  private InstalledAgent() {
  }

  /**
   * Finds them; asks the disk, so not on the UI thread.
   *
   * @throws RecordException when one is not there
   */
  public static Agent find() throws RecordException {
    Agent agent = place();
    for (Path program : new Path[] {agent.recorder(), agent.points()}) {
      if (!Files.isExecutable(program)) {
        throw new RecordException(NLS.bind(Messages.toolMissing, program));
      }
    }
    return agent;
  }

  /**
   * Finds them, and lets one of them be executed that need not be there. An update site keeps no file modes, and an earlier
   * one lacks programs of this one, so its installation does not set them.
   */
  public static Agent findWith(Function<Agent, Path> program) throws RecordException {
    Agent agent = find();
    Path path = program.apply(agent);
    if (Files.isRegularFile(path) && !Files.isExecutable(path)) {
      path.toFile().setExecutable(true);  // if that fails, so does the start, which is told
    }
    return agent;
  }

  private static Agent place() throws RecordException {
    if (Agent.isNamed()) {
      return Agent.named();
    }
    String directory = InstanceScope.INSTANCE.getNode(Ids.BUNDLE).get(DIRECTORY, "");
    Path place = directory.isEmpty() ? inBundle() : Path.of(directory);
    if (place == null) {
      throw new RecordException(Messages.noTools);
    }
    return Agent.in(place);
  }

  private static Path inBundle() {
    Bundle bundle = Platform.getBundle(BUNDLE);
    URL entry = bundle == null ? null : bundle.getEntry(FOLDER);
    try {
      return entry == null ? null : Path.of(FileLocator.toFileURL(entry).getPath());
    } catch (IOException e) {
      return null;
    }
  }
}
