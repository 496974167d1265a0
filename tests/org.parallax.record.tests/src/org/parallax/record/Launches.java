package org.parallax.record;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.trace.testing.OpenMpi;

/** Saved launches as a person writes them, of the programs with known answers. */
final class Launches {
  static final Path NATIVE =
      Path.of(System.getProperty("parallax.native", "native/build")).toAbsolutePath().normalize();
  static final Agent AGENT = Agent.in(NATIVE);
  /** What Open MPI needs on small machines, and as root. */
  static final String OPEN_MPI = OpenMpi.lines() + "\n";

  private final List<ApplicationSettings> applications = new ArrayList<>();
  private final Map<String, String> attributes = new LinkedHashMap<>();

  static String program(String name) {
    return NATIVE.resolve("programs").resolve(name).toString();
  }

  static ApplicationSettings application(String program, String arguments) {
    return ApplicationSettings.EMPTY.with(Field.PROGRAM, program).with(Field.ARGUMENTS, arguments);
  }

  /** The demonstration program with 4 ranks of Open MPI. */
  static ApplicationSettings heat(String arguments) {
    return application(program("heat.openmpi"), arguments).with(Field.NAME, "heat")
        .with(Field.LAUNCHER, "mpirun.openmpi").with(Field.PROCESSES, "4")
        .with(Field.ENVIRONMENT, OPEN_MPI);
  }

  static Launches of(ApplicationSettings... applications) {
    Launches launch = new Launches();
    launch.applications.addAll(List.of(applications));
    return launch;
  }

  Launches with(String attribute, String value) {
    attributes.put(attribute, value);
    return this;
  }

  Map<String, String> attributes() {
    Map<String, String> all = new LinkedHashMap<>(attributes);
    all.putAll(ApplicationSettings.write(applications));
    return all;
  }

  /** The plan of it, in a directory. */
  LaunchPlan plan(Path directory) throws RecordException {
    return LaunchPlan.of("test", attributes(), directory, text -> text);
  }
}
