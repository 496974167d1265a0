package org.parallax.launch.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.Adapters;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.variables.VariablesPlugin;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.ILaunchConfigurationType;
import org.eclipse.debug.core.ILaunchConfigurationWorkingCopy;
import org.eclipse.debug.core.ILaunchManager;
import org.eclipse.debug.ui.DebugUITools;
import org.eclipse.debug.ui.ILaunchShortcut2;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.viewers.ISelection;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.osgi.util.NLS;
import org.eclipse.ui.IEditorPart;
import org.parallax.launch.LaunchPlans;
import org.parallax.model.RunMode;
import org.parallax.record.ApplicationSettings;
import org.parallax.record.ElfFile;
import org.parallax.record.LaunchAttributes;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.record.MpiLauncher;
import org.parallax.ui.platform.UiLog;

/**
 * Profile As &gt; Parallel Program: launches a program with the configuration that it has, or with a
 * new one; of a project or an editor's, one of its programs.
 */
public final class ParallelLaunchShortcut implements ILaunchShortcut2 {
  private static final int MOST_PROCESSES = 4;

  @Override
  public void launch(ISelection selection, String mode) {
    launch(resource(selection), mode);
  }

  @Override
  public void launch(IEditorPart editor, String mode) {
    IResource file = Adapters.adapt(editor.getEditorInput(), IResource.class);
    launch(file == null ? null
        : file instanceof IFile program && Executables.isProgram(program) ? file
            : file.getProject(), mode);
  }

  private static IResource resource(ISelection selection) {
    return selection instanceof IStructuredSelection structured
        ? Adapters.adapt(structured.getFirstElement(), IResource.class) : null;
  }

  private static void launch(IResource resource, String mode) {
    if (resource == null) {
      MessageDialog.openInformation(ProblemTexts.shell(), Messages.shortcutTitle,
          Messages.shortcutOutside);
      return;
    }
    List<IFile> programs = ProgramChooser.search(monitor -> Executables.below(resource, monitor));
    if (programs == null) {
      return;
    }
    try {
      if (programs.isEmpty()) {
        MessageDialog.openInformation(ProblemTexts.shell(), Messages.shortcutTitle,
            NLS.bind(Messages.shortcutNone, resource.getFullPath().makeRelative()));
        return;
      }
      IFile program = programs.size() == 1 ? programs.get(0) : choose(Messages.shortcutPrograms,
          programs, file -> file.getProjectRelativePath().toString());
      if (program == null) {
        return;
      }
      List<ILaunchConfiguration> configurations = configurations(program);
      ILaunchConfiguration configuration = configurations.isEmpty() ? create(program)
          : configurations.size() == 1 ? configurations.get(0)
              : choose(Messages.shortcutConfigurations, configurations,
                  ILaunchConfiguration::getName);
      if (configuration != null) {
        DebugUITools.launch(configuration, mode);
      }
    } catch (CoreException e) {
      UiLog.log(e.toString(), e);
    }
  }

  private static <T> T choose(String message, List<T> elements, Function<T, String> name) {
    return ProgramChooser.choose(ProblemTexts.shell(), Messages.shortcutTitle, message, elements,
        name);
  }

  /** The configurations whose only active application is this program. */
  static List<ILaunchConfiguration> configurations(IFile program) throws CoreException {
    List<ILaunchConfiguration> found = new ArrayList<>();
    for (ILaunchConfiguration each
        : DebugPlugin.getDefault().getLaunchManager().getLaunchConfigurations(type())) {
      List<ApplicationSettings> active = ApplicationSettings.read(LaunchPlans.settings(each))
          .stream().filter(application -> application.mode() == RunMode.ACTIVE).toList();
      if (active.size() == 1 && isNamed(program, active.get(0).get(Field.PROGRAM))) {
        found.add(each);
      }
    }
    return found;
  }

  private static boolean isNamed(IFile program, String text) {
    try {
      return VariablesPlugin.getDefault().getStringVariableManager()
          .performStringSubstitution(text).equals(program.getLocation().toOSString());
    } catch (CoreException e) {
      return false;
    }
  }

  private static ILaunchConfigurationType type() {
    return DebugPlugin.getDefault().getLaunchManager()
        .getLaunchConfigurationType(LaunchAttributes.TYPE);
  }

  /** A new, saved configuration: programs of MPI with some processes. */
  static ILaunchConfiguration create(IFile program) throws CoreException {
    ILaunchManager manager = DebugPlugin.getDefault().getLaunchManager();
    ILaunchConfigurationWorkingCopy copy = type().newInstance(null,
        manager.generateLaunchConfigurationName(program.getName()));
    ApplicationSettings application = ApplicationSettings.EMPTY.with(Field.PROGRAM,
        ApplicationFields.variable(program));
    ElfFile elf = ElfFile.read(program.getLocation().toPath());
    String launcher = elf == null ? "" : MpiLauncher.fitting(elf);
    if (!launcher.isEmpty()) {
      int processes = Math.max(2,
          Math.min(MOST_PROCESSES, Runtime.getRuntime().availableProcessors()));
      application = application.with(Field.LAUNCHER, launcher)
          .with(Field.PROCESSES, Integer.toString(processes));
    }
    Map<String, String> attributes = ApplicationSettings.write(List.of(application));
    attributes.forEach(copy::setAttribute);
    copy.setMappedResources(new IResource[] {program});
    return copy.doSave();
  }

  @Override
  public ILaunchConfiguration[] getLaunchConfigurations(ISelection selection) {
    return configurationsOf(resource(selection));
  }

  @Override
  public ILaunchConfiguration[] getLaunchConfigurations(IEditorPart editor) {
    return configurationsOf(Adapters.adapt(editor.getEditorInput(), IResource.class));
  }

  private static ILaunchConfiguration[] configurationsOf(IResource resource) {
    try {
      return resource instanceof IFile file && Executables.isProgram(file)
          ? configurations(file).toArray(ILaunchConfiguration[]::new) : null;
    } catch (CoreException e) {
      return null;
    }
  }

  @Override
  public IResource getLaunchableResource(ISelection selection) {
    return resource(selection);
  }

  @Override
  public IResource getLaunchableResource(IEditorPart editor) {
    return Adapters.adapt(editor.getEditorInput(), IResource.class);
  }
}
