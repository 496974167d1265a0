package org.parallax.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.ui.commands.IElementUpdater;
import org.eclipse.ui.menus.UIElement;

/** Shows or hides a number in the rulers. */
public final class ShowColumnHandler extends AbstractHandler implements IElementUpdater {
  static final String NUMBER = "org.parallax.source.showColumn.number";

  @Override
  public Object execute(ExecutionEvent event) {
    SourceNumber number = SourceNumber.valueOf(event.getParameter(NUMBER));
    List<SourceNumber> shown = new ArrayList<>(SourceNumber.shown());
    if (!shown.remove(number)) {
      shown.add(number);
    }
    SourceNumber.show(shown);
    return null;
  }

  @Override
  @SuppressWarnings("rawtypes") // as the interface has it
  public void updateElement(UIElement element, Map parameters) {
    Object name = parameters.get(NUMBER);
    element.setChecked(SourceNumber.shown().stream().anyMatch(each -> each.name().equals(name)));
  }
}
