package org.parallax.ui.experiment;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Spinner;
import org.eclipse.ui.forms.widgets.FormToolkit;
import org.parallax.experiment.design.DesignException;
import org.parallax.experiment.design.DesignRequest;
import org.parallax.model.Experiment;
import org.parallax.ui.table.ResultTable;
import org.parallax.ui.table.TableMenu;

/** Which settings are run: the design as asked for, and what it can tell, as it comes out. */
final class DesignSection extends FormPart {
  private static final String[] REQUESTS = {"usual", "full", "resolution III", "resolution IV",
      "resolution V", "fraction; runs=16", "plackett-burman", "screening", "orthogonal-array"};
  private static final int MOST_REPLICATES = 1000;
  private static final int NOISE_DIGITS = 1;
  private static final double NOISE_UNIT = 10;

  private final Combo request;
  private final Spinner replicates;
  private final Spinner noise;
  private final Label lines;
  private final Label power;
  private final ResultTable aliases;
  private boolean filling;

  DesignSection(ExperimentEditor editor, FormToolkit toolkit, Composite parent) {
    super(editor, toolkit, parent, Messages.designTitle, "", 2);
    toolkit.createLabel(client, Messages.design);
    request = new Combo(client, SWT.DROP_DOWN);
    request.setItems(REQUESTS);
    request.setToolTipText(Messages.designTip);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(request);
    request.addListener(SWT.Modify, event -> requested());
    toolkit.createLabel(client, Messages.replicates);
    Composite counts = toolkit.createComposite(client);
    GridLayoutFactory.fillDefaults().numColumns(4).applyTo(counts);
    replicates = spinner(counts, 1, MOST_REPLICATES, 0);
    replicates.addListener(SWT.Selection, event -> {
      if (!filling && editor.experiment() != null
          && editor.experiment().getReplicates() != replicates.getSelection()) {
        editor.change(replicates, false,
            experiment -> experiment.setReplicates(replicates.getSelection()));
      }
    });
    toolkit.createLabel(counts, Messages.noise);
    noise = spinner(counts, 1, MOST_REPLICATES, NOISE_DIGITS);
    noise.setSelection((int) NOISE_UNIT);
    noise.setToolTipText(Messages.noiseTip);
    noise.addListener(SWT.Selection, event -> {
      if (editor.experiment() != null) {
        editor.check();
      }
    });
    toolkit.createLabel(counts, "%");
    lines = text();
    power = text();
    aliases = new ResultTable(client, row -> null);
    new TableMenu(aliases).installOnRows(manager -> { });
    GridDataFactory.fillDefaults().span(2, 1).grab(true, true).hint(260, 150)
        .applyTo(aliases.control());
  }

  private Label text() {
    Label label = toolkit.createLabel(client, "", SWT.WRAP);
    GridDataFactory.fillDefaults().span(2, 1).grab(true, false).hint(260, SWT.DEFAULT)
        .applyTo(label);
    return label;
  }

  private Spinner spinner(Composite parent, int least, int most, int digits) {
    Spinner spinner = new Spinner(parent, SWT.BORDER);
    spinner.setValues(least, least, most, digits, 1, digits == 0 ? 5 : (int) NOISE_UNIT);
    toolkit.adapt(spinner, true, true);
    return spinner;
  }

  private void requested() {
    if (filling || editor.experiment() == null) {
      return;
    }
    try {
      String design = DesignRequest.parse(request.getText()).text();
      editor.change(request, false, experiment -> experiment.setDesign(design));
    } catch (DesignException e) {
      editor.refuse(e.getMessage());
    }
  }

  @Override
  void fill(Experiment experiment) {
    filling = true;
    String text = experiment.getDesign() == null || experiment.getDesign().isEmpty() ? REQUESTS[0]
        : experiment.getDesign();
    if (!text.equals(request.getText())) {
      request.setText(text);
    }
    replicates.setSelection(experiment.getReplicates());
    filling = false;
  }

  void show(ExperimentCheck check) {
    String told = String.join("\n", check.lines());
    lines.setText((check.design().isEmpty() ? told : check.design()).replace("&", "&&"));
    power.setText(check.power());
    if (check.aliases() != null) {
      aliases.show(check.aliases());
    }
    aliases.control().setVisible(check.aliases() != null);
  }

  /** Of a trial, in percent, as the person expects it. */
  double noise() {
    return noise.getSelection() / NOISE_UNIT;
  }

  Combo request() {
    return request;
  }

  Spinner replicates() {
    return replicates;
  }

  ResultTable aliases() {
    return aliases;
  }

  /** What is told of the design and its power. */
  String texts() {
    return lines.getText() + "\n" + power.getText();
  }
}
