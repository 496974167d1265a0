package org.parallax.ui.testing;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.accessibility.Accessible;
import org.eclipse.swt.accessibility.AccessibleEvent;
import org.eclipse.swt.accessibility.AccessibleListener;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;

/** What a screen reader says of controls, and whether the keyboard reaches them. */
public final class AccessibleNames {
  private AccessibleNames() {
  }

  /**
   * The name of a control: its own, that of the label before it, or its tool tip.
   *
   * @return empty when it has none
   */
  public static String of(Control control) {
    String told = told(control.getAccessible());
    if (!told.isBlank()) {
      return told;
    }
    if (control instanceof Button button && !button.getText().isBlank()) {
      return button.getText();
    }
    String before = labelBefore(control);
    if (!before.isBlank()) {
      return before;
    }
    return control.getToolTipText() == null ? "" : control.getToolTipText();
  }

  /** SWT has no way to ask a control for its name but by the desktop's bus. */
  private static String told(Accessible accessible) {
    for (AccessibleListener listener : listeners(accessible)) {
      AccessibleEvent event = new AccessibleEvent(accessible);
      listener.getName(event);
      if (event.result != null) {
        return event.result;
      }
    }
    return "";
  }

  private static List<AccessibleListener> listeners(Accessible accessible) {
    List<AccessibleListener> found = new ArrayList<>();
    for (Field field : Accessible.class.getDeclaredFields()) {
      if (field.getName().equals("accessibleListeners")) {
        field.setAccessible(true);
        try {
          if (field.get(accessible) instanceof Iterable<?> listeners) {
            listeners.forEach(each -> found.add((AccessibleListener) each));
          }
        } catch (IllegalAccessException e) {
          throw new AssertionError(e);
        }
      }
    }
    return found;
  }

  private static String labelBefore(Control control) {
    Control before = null;
    for (Control sibling : control.getParent().getChildren()) {
      if (sibling == control) {
        return before instanceof Label label ? label.getText() : "";
      }
      before = sibling;
    }
    return "";
  }

  /** Whether Tab can come to a control: nothing above it leaves it out. */
  public static boolean isReachedByTab(Control control) {
    if ((control.getStyle() & SWT.NO_FOCUS) != 0) {
      return false;
    }
    Control child = control;
    for (Composite parent = control.getParent(); parent != null; parent = parent.getParent()) {
      boolean listed = false;
      for (Control each : parent.getTabList()) {
        listed |= each == child;
      }
      if (!listed) {
        return false;
      }
      child = parent;
      if (parent.getData("modelElement") != null) {
        // From here on it is the workbench's.
        return true;
      }
    }
    return true;
  }
}
