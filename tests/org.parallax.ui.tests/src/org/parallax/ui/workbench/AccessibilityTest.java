package org.parallax.ui.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.eclipse.core.runtime.Platform;
import org.eclipse.help.HelpSystem;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CTabFolder;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.widgets.Canvas;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Link;
import org.eclipse.swt.widgets.Scale;
import org.eclipse.swt.widgets.Slider;
import org.eclipse.swt.widgets.Spinner;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.Text;
import org.eclipse.swt.widgets.ToolBar;
import org.eclipse.swt.widgets.ToolItem;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.views.IViewDescriptor;
import org.junit.jupiter.api.Test;
import org.parallax.ui.open.ExampleTrace;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.AccessibleNames;
import org.parallax.ui.testing.OurViews;
import org.parallax.ui.testing.Workbench;

/** Every view, whether it sees, is seen, or is heard: names for screen readers, Tab, help. */
class AccessibilityTest {
  private static final Set<Class<?>> NEED_A_NAME = Set.of(Text.class, StyledText.class,
      Combo.class, Spinner.class, Scale.class, Slider.class);
  private static final Set<Class<?>> TAKE_KEYS = Set.of(Text.class, StyledText.class,
      Combo.class, Spinner.class, Scale.class, Slider.class, Table.class, Tree.class, Link.class);

  @Test
  void allWidgetsHaveNamesAndAreReachedByKeys() throws Exception {
    Workbench.reset();
    ExampleTrace.open(Workbench.window());
    Workbench.await("the example", () -> OpenSession.current().state().isOpen());
    Workbench.settle();
    List<String> faults = new ArrayList<>();
    List<String> ids = OurViews.ids();
    assertFalse(ids.isEmpty());
    for (String id : ids) {
      IViewPart view = Workbench.page().showView(id, null, IWorkbenchPage.VIEW_ACTIVATE);
      Workbench.settle();
      CTabFolder folder = folder(view);
      for (ToolItem item : toolItems(folder)) {
        if (isEmpty(item.getText()) && isEmpty(item.getToolTipText())) {
          faults.add(view.getTitle() + ": a button of the tool bar has no tool tip");
        }
      }
      Composite part = (Composite) folder.getSelection().getControl();
      check(view.getTitle(), part, faults);
    }
    assertEquals(List.of(), faults, () -> String.join("\n", faults));
  }

  @Test
  void everyViewHasASectionInTheHelp() throws Exception {
    Workbench.reset();
    for (IViewDescriptor view : OurViews.all()) {
      IViewPart shown =
          Workbench.page().showView(view.getId(), null, IWorkbenchPage.VIEW_ACTIVATE);
      Workbench.handleEvents();
      String context = helpContext(folder(shown));
      assertEquals("org.parallax.help." + view.getId().replaceFirst(".*\\.", ""), context,
          view.getLabel());
      // Contexts are made when the bundle of the help is built.
      if (Platform.getBundle("org.parallax.help")
          .getEntry("contexts.xml") != null) {
        assertNotNull(HelpSystem.getContext(context), context);
      }
    }
  }

  private static void check(String view, Composite parent, List<String> faults) {
    for (Control control : parent.getChildren()) {
      if (!control.getVisible()) {
        continue;
      }
      String what = view + ": a " + control.getClass().getSimpleName();
      boolean drawn = isDrawn(control);
      if ((drawn || NEED_A_NAME.contains(control.getClass()))
          && isEmpty(AccessibleNames.of(control))) {
        faults.add(what + " has no name for screen readers");
      }
      boolean text = control instanceof Link link && !link.getText().contains("<a");
      if ((drawn || TAKE_KEYS.contains(control.getClass())) && control.isEnabled() && !text
          && !AccessibleNames.isReachedByTab(control)) {
        faults.add(what + " is not reached by Tab");
      }
      if (control instanceof ToolBar bar) {
        for (ToolItem item : bar.getItems()) {
          if ((item.getStyle() & SWT.SEPARATOR) == 0 && isEmpty(item.getText())
              && isEmpty(item.getToolTipText())) {
            faults.add(view + ": a tool item has no tool tip");
          }
        }
      }
      if (control instanceof Composite composite) {
        check(view, composite, faults);
      }
    }
  }

  /** Whether a control is painted by us, rather than one that holds others. */
  private static boolean isDrawn(Control control) {
    return control instanceof Canvas canvas && canvas.getChildren().length == 0
        && control.isListening(SWT.Paint)
        && (control.getClass() == Canvas.class
            || control.getClass().getName().startsWith("org.parallax."));
  }

  private static CTabFolder folder(IViewPart view) {
    return Workbench.find(Workbench.window().getShell(), CTabFolder.class,
        each -> each.isVisible() && each.getSelection() != null
            && each.getSelection().getText().replace("*", "").equals(view.getTitle())).get(0);
  }

  /** Those beside the tabs. */
  private static List<ToolItem> toolItems(CTabFolder folder) {
    List<ToolItem> items = new ArrayList<>();
    for (ToolBar bar : Workbench.find(folder, ToolBar.class, each -> each.isVisible())) {
      for (ToolItem item : bar.getItems()) {
        if ((item.getStyle() & SWT.SEPARATOR) == 0) {
          items.add(item);
        }
      }
    }
    return items;
  }

  private static String helpContext(CTabFolder folder) {
    return Workbench.find((Composite) folder.getSelection().getControl(), Control.class,
        each -> each.getData("org.eclipse.ui.help") instanceof String id
            && id.startsWith("org.parallax.help.")).stream().findFirst()
        .map(each -> (String) each.getData("org.eclipse.ui.help")).orElse("");
  }

  private static boolean isEmpty(String text) {
    return text == null || text.isBlank();
  }
}
