package org.parallax.launch.ui;

import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.Adapters;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.ILaunchConfigurationType;
import org.eclipse.debug.core.ILaunchConfigurationWorkingCopy;
import org.eclipse.debug.core.ILaunchManager;
import org.eclipse.debug.ui.DebugUITools;
import org.eclipse.debug.ui.ILaunchShortcut;
import org.eclipse.jface.viewers.ISelection;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.osgi.util.NLS;
import org.eclipse.ui.IEditorPart;
import org.parallax.record.LaunchAttributes;
import org.parallax.ui.platform.UiLog;

/**
 * Profile As &gt; Running Program: records programs that run already, with the configuration that this was done with
 * before, or a new one. If a program is selected, its processes are offered.
 */
public final class RunningLaunchShortcut implements ILaunchShortcut {
  @Override
  public void launch(ISelection selection, String mode) {
    launch(selection instanceof IStructuredSelection structured
        ? Adapters.adapt(structured.getFirstElement(), IResource.class) : null, mode);
  }

  @Override
  public void launch(IEditorPart editor, String mode) {
    launch(Adapters.adapt(editor.getEditorInput(), IResource.class), mode);
  }

  private static void launch(IResource resource, String mode) {
    try {
      DebugUITools.launch(configuration(resource instanceof IFile file
          && Executables.isProgram(file) ? file.getName() : ""), mode);
    } catch (CoreException e) {
      UiLog.log(e.toString(), e);
    }
  }

  /** The one that offers this program, empty for all; made if there is none. */
  static ILaunchConfiguration configuration(String program) throws CoreException {
    ILaunchManager manager = DebugPlugin.getDefault().getLaunchManager();
    ILaunchConfigurationType type =
        manager.getLaunchConfigurationType(LaunchAttributes.TYPE_RUNNING);
    for (ILaunchConfiguration each : manager.getLaunchConfigurations(type)) {
      if (each.getAttribute(LaunchAttributes.ATTACH_PROGRAM, "").equals(program)) {
        return each;
      }
    }
    ILaunchConfigurationWorkingCopy copy = type.newInstance(null,
        manager.generateLaunchConfigurationName(program.isEmpty() ? Messages.runningAny
            : NLS.bind(Messages.runningOne, program)));
    if (!program.isEmpty()) {
      copy.setAttribute(LaunchAttributes.ATTACH_PROGRAM, program);
    }
    return copy.doSave();
  }
}
