package org.parallax.ui.open;

import org.eclipse.core.expressions.PropertyTester;
import org.eclipse.core.resources.IResource;

/** Lets menus ask whether a resource is a trace. */
public final class TraceResourceTester extends PropertyTester {
  @Override
  public boolean test(Object receiver, String property, Object[] arguments, Object expected) {
    return receiver instanceof IResource resource && TraceResources.traceOf(resource) != null;
  }
}
