package org.parallax.source;

import org.eclipse.ui.IEditorRegistry;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The same in the platform's generic editor, which CDT's editor for language servers is. */
class GenericEditorSensitivityTest extends SensitivityColumnTest {
  private static final String GENERIC = "org.eclipse.ui.genericeditor.GenericEditor";

  @Override
  String editorId() {
    return GENERIC;
  }

  @BeforeEach
  void makeItTheDefault() {
    registry().setDefaultEditor("*.c", GENERIC);
  }

  @AfterEach
  void restoreTheDefault() {
    registry().setDefaultEditor("*.c", null);
  }

  private static IEditorRegistry registry() {
    return PlatformUI.getWorkbench().getEditorRegistry();
  }
}
