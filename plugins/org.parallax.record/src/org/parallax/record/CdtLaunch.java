package org.parallax.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.record.LaunchAttributes.Field;

/**
 * Launches of CDT's own type, C/C++ Application, as those of a parallel program with one application.
 * Their attributes are known by their keys, so that CDT need not be there.
 */
public final class CdtLaunch {
  /** The id of CDT's type of launch configurations. */
  public static final String TYPE = "org.eclipse.cdt.launch.applicationLaunchType";

  private static final String PREFIX = "org.eclipse.cdt.launch.";
  public static final String PROGRAM = PREFIX + "PROGRAM_NAME";
  public static final String PROJECT = PREFIX + "PROJECT_ATTR";
  public static final String ARGUMENTS = PREFIX + "PROGRAM_ARGUMENTS";
  public static final String DIRECTORY = PREFIX + "WORKING_DIRECTORY";
  /** The platform's own key. */
  public static final String ENVIRONMENT = "org.eclipse.debug.core.environmentVariables";

  private CdtLaunch() {}

  /**
   * Our attributes for a launch of CDT; those of measuring are kept. A program that is not absolute is
   * in the project, which is also where it runs when nothing else is said.
   */
  public static Map<String, String> settings(Map<String, Object> attributes) {
    Map<String, String> given = LaunchFile.texts(attributes);
    Map<String, String> settings = new LinkedHashMap<>(given);
    String project = given.getOrDefault(PROJECT, "");
    String program = given.getOrDefault(PROGRAM, "").strip();
    boolean isInProject = !program.isEmpty() && !program.startsWith("/")
        && !program.startsWith("${") && !project.isEmpty();
    String directory = given.getOrDefault(DIRECTORY, "").strip();
    ApplicationSettings application = ApplicationSettings.read(
        Map.of(LaunchAttributes.APPLICATIONS, "1")).get(0);
    for (Field kept : List.of(Field.LAUNCHER, Field.PROCESSES, Field.LAUNCHER_ARGUMENTS,
        Field.HOSTS)) {
      application = application.with(kept, given.getOrDefault(kept.of(1), ""));
    }
    application = application
        .with(Field.PROGRAM,
            isInProject ? "${workspace_loc:/" + project + "/" + program + "}" : program)
        .with(Field.ARGUMENTS, given.getOrDefault(ARGUMENTS, ""))
        .with(Field.DIRECTORY, directory.isEmpty() && !project.isEmpty()
            ? "${workspace_loc:/" + project + "}" : directory);
    StringBuilder environment = new StringBuilder();
    if (attributes.get(ENVIRONMENT) instanceof Map<?, ?> variables) {
      variables.forEach((name, value) ->
          environment.append(name).append('=').append(value).append('\n'));
    }
    application = application.with(Field.ENVIRONMENT, environment.toString());
    settings.putAll(ApplicationSettings.write(List.of(application)));
    return settings;
  }
}
