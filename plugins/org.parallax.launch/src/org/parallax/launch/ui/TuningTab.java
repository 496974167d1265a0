package org.parallax.launch.ui;

import static org.parallax.record.LaunchAttributes.TUNE;
import static org.parallax.record.LaunchAttributes.TUNE_FILES;
import static org.parallax.record.LaunchAttributes.TUNE_MODELS;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Text;
import org.parallax.launch.tuning.TuningSettings;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.model.TuningModel;

/** Whether the programs of a launch are tuned while they run, and by which models. */
public final class TuningTab extends ParallelTab {
  private static final List<String> MODES = List.of("", TuningSettings.ADVISE, TuningSettings.ACT);
  private static final List<String> BY_DEFAULT = BuiltInModels.byDefault().stream().map(TuningModel::name).toList();
  private static final int FILE_LINES = 4;

  private final Map<String, Button> models = new LinkedHashMap<>();
  private Combo mode;
  private Text files;
  private Button browse;

  public TuningTab() {
    super(Messages.tuningTab, "live_tuning");
  }

  @Override
  void createFields(Form form) {
    mode = form.combo(Messages.tuningMode, Messages.tuningModeTip, false, Messages.tuningModeOff,
        Messages.tuningModeAdvise, Messages.tuningModeAct);
    Form builtIn = form.group(Messages.tuningModelsGroup);
    for (TuningModel model : BuiltInModels.all()) {
      models.put(model.name(), builtIn.check(model.name() + ": " + model.about(), model.when().toString()));
    }
    files = form.area(Messages.tuningFiles, Messages.tuningFilesTip, FILE_LINES, false);
    form.label("");
    browse = form.button(Messages.tuningFilesBrowse, "", this::addFiles);
  }

  private void addFiles() {
    FileDialog dialog = new FileDialog(getShell(), SWT.OPEN | SWT.MULTI);
    dialog.setText(Messages.tuningFilesTitle);
    dialog.setFilterExtensions(new String[] {"*.yaml;*.yml", "*"});
    if (dialog.open() != null) {
      String added = Arrays.stream(dialog.getFileNames()).map(name -> dialog.getFilterPath() + "/" + name)
          .collect(Collectors.joining("\n"));
      files.setText((files.getText().strip() + "\n" + added).strip());
    }
  }

  @Override
  void fill(Map<String, String> attributes) {
    mode.select(Math.max(0, MODES.indexOf(attributes.getOrDefault(TUNE, ""))));
    List<String> chosen = List.of(attributes.getOrDefault(TUNE_MODELS, "").split("[,\\s]+"));
    models.forEach((name, check) -> check.setSelection(chosen.equals(List.of("")) ? BY_DEFAULT.contains(name) : chosen.contains(name)));
    set(files, attributes.getOrDefault(TUNE_FILES, ""));
    enable();
  }

  private void enable() {
    boolean tunes = mode.getSelectionIndex() > 0;
    models.values().forEach(check -> check.setEnabled(tunes));
    files.setEnabled(tunes);
    browse.setEnabled(tunes);
  }

  @Override
  void changed() {
    enable();
    super.changed();
  }

  @Override
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(TUNE, MODES.get(Math.max(0, mode.getSelectionIndex())));
    String chosen = models.entrySet().stream().filter(each -> each.getValue().getSelection()).map(Map.Entry::getKey)
        .collect(Collectors.joining(","));
    values.put(TUNE_MODELS, chosen.equals(String.join(",", BY_DEFAULT)) ? "" : chosen.isEmpty() ? TuningSettings.NONE : chosen);
    values.put(TUNE_FILES, files.getText().strip());
    return values;
  }

  @Override
  public boolean isValid(ILaunchConfiguration configuration) {
    boolean hasModel = !files.getText().isBlank() || models.values().stream().anyMatch(Button::getSelection);
    setErrorMessage(mode.getSelectionIndex() > 0 && !hasModel ? Messages.tuningNoModel : null);
    return getErrorMessage() == null;
  }
}
