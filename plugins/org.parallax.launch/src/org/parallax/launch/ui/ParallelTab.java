package org.parallax.launch.ui;

import java.util.HashMap;
import java.util.Map;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.ILaunchConfigurationWorkingCopy;
import org.eclipse.debug.ui.AbstractLaunchConfigurationTab;
import org.eclipse.jface.dialogs.Dialog;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.ScrolledComposite;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Text;
import org.parallax.launch.ParallelLaunchDelegate;

/** A tab of a launch: its fields are texts of attributes. */
abstract class ParallelTab extends AbstractLaunchConfigurationTab {
  private final String name;
  private final String icon;
  private boolean isFilling;
  private Image image;

  ParallelTab(String name, String icon) {
    this.name = name;
    this.icon = icon;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public Image getImage() {
    if (image == null) {
      image = org.eclipse.jface.resource.ResourceLocator
          .imageDescriptorFromBundle(ParallelLaunchDelegate.ID, "icons/" + icon + ".png")
          .orElseThrow().createImage();
    }
    return image;
  }

  @Override
  public void dispose() {
    if (image != null) {
      image.dispose();
      image = null;
    }
    super.dispose();
  }

  @Override
  public final void createControl(Composite parent) {
    ScrolledComposite scrolled = new ScrolledComposite(parent, SWT.H_SCROLL | SWT.V_SCROLL);
    scrolled.setExpandHorizontal(true);
    scrolled.setExpandVertical(true);
    Composite composite = new Composite(scrolled, SWT.NONE);
    createFields(Form.in(composite, this::changed));
    Dialog.applyDialogFont(composite);
    scrolled.setContent(composite);
    scrolled.setMinSize(composite.computeSize(SWT.DEFAULT, SWT.DEFAULT));
    setControl(scrolled);
  }

  abstract void createFields(Form form);

  /** Shows what a configuration says. */
  abstract void fill(Map<String, String> attributes);

  /** What the fields say: attributes with their texts, empty ones to leave out. */
  abstract Map<String, String> values();

  /** A field was changed by a person. */
  void changed() {
    if (!isFilling) {
      updateLaunchConfigurationDialog();
    }
  }

  @Override
  public void setDefaults(ILaunchConfigurationWorkingCopy configuration) {
    // What is not said is as usual.
  }

  @Override
  public void initializeFrom(ILaunchConfiguration configuration) {
    isFilling = true;
    try {
      fill(org.parallax.record.LaunchFile.texts(new HashMap<>(configuration.getAttributes())));
    } catch (CoreException e) {
      setErrorMessage(e.getStatus().getMessage());
    } finally {
      isFilling = false;
    }
  }

  @Override
  public void performApply(ILaunchConfigurationWorkingCopy configuration) {
    values().forEach((key, value) -> {
      if (value.isEmpty()) {
        configuration.removeAttribute(key);
      } else {
        configuration.setAttribute(key, value);
      }
    });
  }

  static void set(Text text, String value) {
    if (!text.getText().equals(value)) {
      text.setText(value);
    }
  }

  /** The usual value is not written down. */
  static String unlessUsual(String value, String usual) {
    return value.equals(usual) ? "" : value;
  }
}
