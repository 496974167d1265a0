package org.parallax.ui.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.core.commands.ParameterizedCommand;
import org.eclipse.core.runtime.Platform;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.commands.ICommandService;
import org.eclipse.ui.forms.widgets.ImageHyperlink;
import org.eclipse.ui.handlers.IHandlerService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Menus;
import org.parallax.ui.testing.OurViews;
import org.parallax.ui.testing.Workbench;

/** The steps of the cheat sheet and of the welcome page can be taken. */
class CheatSheetTest {
  private static final String VIEW = "org.eclipse.ui.views.showView.viewId";

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
  }

  @Test
  void everyStepOfTheCheatSheetCanBeTaken() throws Exception {
    List<String> steps = found("cheatsheets/slow_part.xml", "serialization=\"([^\"]+)\"");
    assertTrue(steps.size() > 5, steps.toString());
    for (String step : steps) {
      ParameterizedCommand command = Workbench.window().getService(ICommandService.class)
          .deserialize(step);
      boolean asks = command.getId().equals("org.eclipse.ui.newWizard");
      if (asks) {
        closeDialogs();
      }
      Workbench.window().getService(IHandlerService.class).executeCommand(command, null);
      Workbench.settle();
      String view = (String) command.getParameterMap().get(VIEW);
      if (view != null) {
        IWorkbenchPage page = Workbench.page();
        assertTrue(page.isPartVisible(page.findView(view)), step);
        assertTrue(OurViews.ids().contains(view), step);
      } else if (!asks) {
        Workbench.await(step, () -> OpenSession.current().state().isOpen());
      }
    }
    assertEquals(1, OpenSession.current().state().traces().size());
  }

  @Test
  void theCheatSheetOpensAndItsActionsWork() throws Exception {
    Shell window = Workbench.window().getShell();
    String[] title = {null};
    onDialog(dialog -> title[0] = dialog.getText());
    Menus.choose(window.getMenuBar(), "Help", "Cheat Sheets...");
    assertEquals("Cheat Sheet Selection", title[0]);

    Workbench.window().getService(IHandlerService.class).executeCommand(
        Workbench.window().getService(ICommandService.class).deserialize(
            "org.eclipse.ui.cheatsheets.openCheatSheet(cheatSheetId=org.parallax.help.slowPart)"),
        null);
    Workbench.settle();
    press("Click to Begin");
    press("Click to perform");
    Workbench.await("the example", () -> OpenSession.current().state().isOpen());
    Workbench.settle();
    assertEquals(1, OpenSession.current().state().traces().size());
    for (String view : List.of("criticalPath", "profile", "metrics", "waits")) {
      Workbench.page().hideView(Workbench.page().findView("org.parallax.ui.views." + view));
      press("Click to perform");
      assertTrue(Workbench.page().isPartVisible(
          Workbench.page().findView("org.parallax.ui.views." + view)), view);
    }
    press("Click when complete");
    Workbench.page().hideView(Workbench.page().findView("org.eclipse.ui.cheatsheets.views.CheatSheetView"));
  }

  /** Presses the link in sight with this text. */
  private static void press(String text) {
    List<ImageHyperlink> found = Workbench.find(Workbench.window().getShell(), ImageHyperlink.class,
        each -> each.isVisible() && text.equals(each.getText()));
    assertEquals(1, found.size(), () -> text + " among " + Workbench.find(
        Workbench.window().getShell(), ImageHyperlink.class, ImageHyperlink::isVisible).stream()
        .map(each -> each.getText() + "/" + each.getToolTipText()).toList());
    Event enter = new Event();
    enter.character = SWT.CR;
    found.get(0).notifyListeners(SWT.KeyDown, enter);
    Workbench.settle();
  }

  /** Looks at the next dialog and closes it. */
  private static void onDialog(Consumer<Shell> look) {
    Shell window = Workbench.window().getShell();
    window.getDisplay().timerExec(200, () -> {
      for (Shell each : window.getDisplay().getShells()) {
        if (each != window && each.isVisible()) {
          look.accept(each);
          each.close();
          return;
        }
      }
      onDialog(look);
    });
  }

  /** Soon after it was opened. */
  private static void closeDialogs() {
    Shell window = Workbench.window().getShell();
    window.getDisplay().timerExec(200, () -> {
      List<Shell> dialogs = new ArrayList<>(List.of(window.getDisplay().getShells()));
      dialogs.removeIf(each -> each == window || !each.isVisible());
      if (dialogs.isEmpty()) {
        closeDialogs();
      } else {
        dialogs.forEach(Shell::close);
      }
    });
  }

  @Test
  void linksOfTheWelcomePageAreCommands() throws Exception {
    List<String> commands = found("intro/overview.xml", "execute\\?command=([^&\"]+)");
    assertEquals(2, commands.size());
    for (String command : commands) {
      assertNotNull(Workbench.window().getService(ICommandService.class)
          .deserialize(URLDecoder.decode(command, StandardCharsets.UTF_8)).getCommand()
          .getHandler(), command);
    }
  }

  private static List<String> found(String file, String pattern) throws Exception {
    try (InputStream in = Platform.getBundle("org.parallax.help").getEntry(file).openStream()) {
      Matcher matcher = Pattern.compile(pattern)
          .matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      List<String> all = new ArrayList<>();
      while (matcher.find()) {
        all.add(matcher.group(1));
      }
      return all;
    }
  }
}
