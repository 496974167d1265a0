package org.parallax.launch.ui;

import org.eclipse.core.expressions.PropertyTester;
import org.eclipse.core.resources.IContainer;
import org.eclipse.core.resources.IFile;

/** Whether something in the workspace can be launched: a program, or what can hold programs. */
public final class ProgramTester extends PropertyTester {
  @Override
  public boolean test(Object receiver, String property, Object[] arguments, Object expected) {
    return receiver instanceof IFile file ? Executables.isProgram(file)
        : receiver instanceof IContainer container && container.isAccessible()
            && container.getProject() != null;
  }
}
