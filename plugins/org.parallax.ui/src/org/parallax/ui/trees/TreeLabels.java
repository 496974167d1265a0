package org.parallax.ui.trees;

import java.util.stream.Collectors;
import org.eclipse.jface.viewers.StyledCellLabelProvider;
import org.eclipse.jface.viewers.StyledString;
import org.eclipse.jface.viewers.ViewerCell;
import org.eclipse.osgi.util.NLS;
import org.parallax.model.program.Application;
import org.parallax.model.program.ExternalData;
import org.parallax.model.program.Level;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.ProgramProcess;
import org.parallax.model.program.TreeNode;
import org.parallax.ui.widgets.NodeImages;

/** Names and icons of the trees' nodes, with a word about each in a paler colour. */
final class TreeLabels extends StyledCellLabelProvider {
  @Override
  public void update(ViewerCell cell) {
    if (cell.getElement() instanceof TreeNode node) {
      StyledString text = new StyledString(name(node));
      String detail = detail(node);
      if (!detail.isEmpty()) {
        text.append("  " + detail, StyledString.QUALIFIER_STYLER);
      }
      cell.setText(text.getString());
      cell.setStyleRanges(text.getStyleRanges());
      cell.setImage(NodeImages.of(node.object()));
    } else if (cell.getElement() instanceof TreeContent.Pending) {
      cell.setText(Messages.readingEvents);
      cell.setStyleRanges(null);
      cell.setImage(null);
    }
    super.update(cell);
  }

  private static String name(TreeNode node) {
    return switch (node.level()) {
      case WORKLOAD -> Messages.physicalTree;
      default -> node.name();
    };
  }

  private static String detail(TreeNode node) {
    return switch (node.level()) {
      case WORKLOAD -> count(below(node), Messages.oneMachine, Messages.machines);
      case APPLICATION -> count(((Application) node.object()).getProcesses().size(),
          Messages.oneProcess, Messages.processes);
      case MACHINE -> count(below(node), Messages.oneProcess, Messages.processes);
      case PROCESS -> NLS.bind(Messages.pid, String.valueOf(((ProgramProcess) node.object()).getPid()));
      case THREAD -> "";
      case PROCEDURE -> place((Procedure) node.object());
      case EXTERNAL -> count(((ExternalData) node.object()).getSeries().metrics().size(),
          Messages.oneMetric, Messages.metrics);
    };
  }

  /** External data are not counted. */
  private static int below(TreeNode node) {
    return (int) node.children().stream().filter(child -> child.level() != Level.EXTERNAL).count();
  }

  private static String count(int number, String one, String many) {
    return number == 1 ? one : NLS.bind(many, number);
  }

  private static String place(Procedure procedure) {
    String file = procedure.getFile();
    if (file.isEmpty()) {
      String module = procedure.getModule();
      return module.substring(module.lastIndexOf('/') + 1);
    }
    String name = file.substring(file.lastIndexOf('/') + 1);
    return procedure.getLine() > 0 ? name + ":" + procedure.getLine() : name;
  }

  @Override
  public String getToolTipText(Object element) {
    if (element instanceof TreeNode node) {
      if (node.object() instanceof ExternalData data) {
        return data.getSeries().metrics().stream().map(Object::toString)
            .collect(Collectors.joining(", "));
      }
      if (node.object() instanceof Application application) {
        return application.getCommand() + "\n" + application.getTracePath();
      }
      if (node.object() instanceof Procedure procedure) {
        return !procedure.getReason().isEmpty() ? procedure.getReason()
            : !procedure.getFile().isEmpty() ? procedure.getFile()
            : procedure.getModule().isEmpty() ? null : procedure.getModule();
      }
    }
    return null;
  }
}
