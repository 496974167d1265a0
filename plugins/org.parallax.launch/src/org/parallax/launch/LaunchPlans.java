package org.parallax.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.variables.VariablesPlugin;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.parallax.launch.tuning.TuningSettings;
import org.parallax.record.AttachPlan;
import org.parallax.record.CdtLaunch;
import org.parallax.record.LaunchAttributes;
import org.parallax.record.LaunchFile;
import org.parallax.record.LaunchPlan;
import org.parallax.record.RecordException;
import org.parallax.record.RunningProgram;

/** What launch configurations say, as plans. A configuration is read and never changed. */
public final class LaunchPlans {
  private LaunchPlans() {
  }

  /**
   * The attributes of a parallel program that a configuration has, or stands for.
   *
   * @throws CoreException when the configuration cannot be read
   */
  public static Map<String, String> settings(ILaunchConfiguration configuration)
      throws CoreException {
    Map<String, Object> attributes = configuration.getAttributes();
    return configuration.getType().getIdentifier().equals(CdtLaunch.TYPE)
        ? CdtLaunch.settings(attributes) : LaunchFile.texts(attributes);
  }

  /**
   * What a configuration says now.
   *
   * @throws RecordException when something in it is wrong or missing, with what to do
   */
  public static LaunchPlan of(ILaunchConfiguration configuration) throws RecordException {
    try {
      if (configuration.getType().getIdentifier().equals(LaunchAttributes.TYPE_RUNNING)) {
        throw AttachPlan.needsWorkbench();
      }
      return LaunchPlan.of(configuration.getName(), settings(configuration), base(configuration),
          LaunchPlans::replace);
    } catch (CoreException e) {
      throw new RecordException(e.getStatus().getMessage(), e);
    }
  }

  /**
   * What a configuration of running programs says now, for these.
   *
   * @param programs at least one
   * @throws RecordException when something in it is wrong, with what to do
   */
  public static LaunchPlan attached(ILaunchConfiguration configuration,
      List<RunningProgram> programs) throws RecordException {
    try {
      return AttachPlan.of(configuration.getName(), settings(configuration), base(configuration),
          LaunchPlans::replace, programs);
    } catch (CoreException e) {
      throw new RecordException(e.getStatus().getMessage(), e);
    }
  }

  /**
   * How a configuration is tuned while it runs.
   *
   * @return null if it is not
   * @throws RecordException when something in it is wrong, with what to do
   */
  public static TuningSettings tuning(ILaunchConfiguration configuration) throws RecordException {
    try {
      return TuningSettings.of(settings(configuration), base(configuration), LaunchPlans::replace);
    } catch (CoreException e) {
      throw new RecordException(e.getStatus().getMessage(), e);
    }
  }

  private static String replace(String text) throws RecordException {
    try {
      return VariablesPlugin.getDefault().getStringVariableManager()
          .performStringSubstitution(text);
    } catch (CoreException e) {
      throw new RecordException(e.getStatus().getMessage()
          + "; build or refresh the resource that it names, or choose another one", e);
    }
  }

  /** The directory of a configuration that is a file of a project, else the workspace. */
  private static Path base(ILaunchConfiguration configuration) {
    IFile file = configuration.getFile();
    return file != null && file.getParent().getLocation() != null
        ? file.getParent().getLocation().toPath()
        : ResourcesPlugin.getWorkspace().getRoot().getLocation().toPath();
  }
}
