package org.parallax.cdt;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IConfigurationElement;
import org.eclipse.core.runtime.IExecutableExtension;
import org.eclipse.core.runtime.IExecutableExtensionFactory;
import org.eclipse.core.runtime.Platform;
import org.eclipse.core.runtime.Status;
import org.eclipse.jface.text.ITextHoverExtension;
import org.parallax.source.LineHover;

/**
 * Makes the tool tips on the lines of CDT's classic editor, which takes text hovers from its own extension
 * point only, {@code org.eclipse.cdt.ui.textHovers}. They must be of a type of CDT's user interface. That
 * bundle is in no registry, so this is not compiled against it: the type is taken from the bundle that
 * has the extension point. Where the bundle is not installed, nothing asks for the hover.
 */
public final class CdtTextHover implements IExecutableExtensionFactory, IExecutableExtension {
  private static final String TYPE = "org.eclipse.cdt.ui.text.c.hover.ICEditorTextHover";
  private IConfigurationElement element;

  @Override
  public void setInitializationData(IConfigurationElement config, String property, Object data) {
    element = config;
  }

  @Override
  public Object create() throws CoreException {
    String point = element.getDeclaringExtension().getExtensionPointUniqueIdentifier();
    String bundle = Platform.getExtensionRegistry().getExtensionPoint(point).getContributor().getName();
    try {
      Class<?> type = Platform.getBundle(bundle).loadClass(TYPE);
      LineHover hover = new LineHover();
      Class<?>[] types = {type, ITextHoverExtension.class};
      return Proxy.newProxyInstance(type.getClassLoader(), types,
          (proxy, method, arguments) -> {
            if (method.getName().equals("setEditor")) {
              return null; // the text tells which editor it is
            }
            try {
              return method.getDeclaringClass() == Object.class && method.getName().equals("equals")
                  ? proxy == arguments[0] : method.invoke(hover, arguments);
            } catch (InvocationTargetException e) {
              throw e.getCause();
            }
          });
    } catch (ClassNotFoundException e) {
      throw new CoreException(Status.error(TYPE, e));
    }
  }
}
