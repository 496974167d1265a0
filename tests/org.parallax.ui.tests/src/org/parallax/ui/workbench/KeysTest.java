package org.parallax.ui.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.eclipse.jface.bindings.Binding;
import org.eclipse.jface.bindings.TriggerSequence;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.commands.ICommandService;
import org.eclipse.ui.keys.IBindingService;
import org.junit.jupiter.api.Test;
import org.parallax.ui.testing.OurViews;

/** Keys and commands: each view has a key of its own, and none takes another's. */
class KeysTest {
  private static final String VIEW = "org.eclipse.ui.views.showView.viewId";

  private final List<Binding> bindings = Arrays.stream(
      PlatformUI.getWorkbench().getService(IBindingService.class).getBindings())
      .filter(binding -> binding.getParameterizedCommand() != null).toList();

  @Test
  void everyViewHasAKey() {
    Map<String, String> keys = new TreeMap<>();
    for (Binding binding : ours()) {
      Object view = binding.getParameterizedCommand().getParameterMap().get(VIEW);
      if (view != null) {
        keys.put(view.toString(), binding.getTriggerSequence().format());
      }
    }
    TreeSet<String> without = new TreeSet<>(OurViews.ids());
    without.removeAll(keys.keySet());
    assertEquals(new TreeSet<String>(), without, "views without a key");
    TreeSet<String> gone = new TreeSet<>(keys.keySet());
    gone.removeAll(OurViews.ids());
    assertEquals(new TreeSet<String>(), gone, "keys of views that are not there");
  }

  @Test
  void noKeyIsTakenTwice() {
    List<String> clashes = new ArrayList<>();
    for (Binding our : ours()) {
      for (Binding other : bindings) {
        if (other != our && clash(our.getTriggerSequence(), other.getTriggerSequence())
            && !our.getParameterizedCommand().equals(other.getParameterizedCommand())) {
          clashes.add(our.getTriggerSequence() + ": " + our.getParameterizedCommand().getId()
              + " and " + other.getTriggerSequence() + ": "
              + other.getParameterizedCommand().getId());
        }
      }
    }
    assertEquals(List.of(), clashes);
  }

  @Test
  void everyBoundCommandIsThereAndHasANameAndACategory() throws Exception {
    ICommandService commands = PlatformUI.getWorkbench().getService(ICommandService.class);
    int found = 0;
    for (var command : commands.getDefinedCommands()) {
      if (command.getId().startsWith("org.parallax.")) {
        found++;
        assertTrue(command.getCategory().isDefined(), command.getId());
        assertTrue(!command.getName().isBlank() && command.getDescription() != null
            && !command.getDescription().isBlank(), command.getId());
      }
    }
    assertTrue(found > 4, "commands: " + found);
    for (Binding binding : ours()) {
      assertTrue(binding.getParameterizedCommand().getCommand().isDefined(),
          binding.getTriggerSequence().format());
    }
  }

  /** One is the other, or begins with it. */
  private static boolean clash(TriggerSequence one, TriggerSequence other) {
    return one.startsWith(other, true) || other.startsWith(one, true);
  }

  private List<Binding> ours() {
    List<Binding> ours = bindings.stream().filter(binding -> {
      Object view = binding.getParameterizedCommand().getParameterMap().get(VIEW);
      return binding.getParameterizedCommand().getId().startsWith("org.parallax.")
          || view != null && view.toString().startsWith("org.parallax.");
    }).toList();
    assertTrue(ours.size() > 5, ours::toString);
    return ours;
  }
}
