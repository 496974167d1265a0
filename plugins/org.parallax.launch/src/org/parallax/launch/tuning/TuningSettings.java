package org.parallax.launch.tuning;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.eclipse.osgi.util.NLS;
import org.parallax.record.LaunchAttributes;
import org.parallax.record.LaunchPlan;
import org.parallax.record.RecordException;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.model.ModelException;
import org.parallax.tuning.model.ModelFile;
import org.parallax.tuning.model.TuningModel;

/**
 * How a launch is tuned.
 *
 * @param isActing whether actions are done, or else only advised
 * @param models what is looked for
 */
public record TuningSettings(boolean isActing, List<TuningModel> models) {
  /** The values of {@link LaunchAttributes#TUNE}. */
  public static final String ADVISE = "advise";
  public static final String ACT = "act";
  /** The value of {@link LaunchAttributes#TUNE_MODELS} for none of the built-in models. */
  public static final String NONE = "-";

  /**
   * Reads what a launch says; reads the files of models.
   *
   * @param variables replaces those in the paths of models
   * @param base to which paths refer that are not absolute
   * @return null when the launch is not tuned
   * @throws RecordException when a model is wrong or not there
   */
  public static TuningSettings of(Map<String, String> attributes, Path base, LaunchPlan.Variables variables)
      throws RecordException {
    String mode = attributes.getOrDefault(LaunchAttributes.TUNE, "").strip();
    if (mode.isEmpty()) {
      return null;
    }
    if (!mode.equals(ACT) && !mode.equals(ADVISE)) {
      throw new RecordException(NLS.bind(Messages.wrongMode, mode));
    }
    try {
      List<TuningModel> models = ModelFile.readAll(builtIn(attributes.getOrDefault(LaunchAttributes.TUNE_MODELS, "")), base,
          variables.replace(attributes.getOrDefault(LaunchAttributes.TUNE_FILES, "")).lines().map(String::strip)
              .filter(line -> !line.isEmpty()).toList());
      if (models.isEmpty()) {
        throw new RecordException(Messages.noModels);
      }
      return new TuningSettings(mode.equals(ACT), models);
    } catch (ModelException e) {
      throw new RecordException(e.getMessage());
    }
  }

  private static List<TuningModel> builtIn(String names) throws RecordException {
    List<TuningModel> all = BuiltInModels.all();
    if (names.isBlank()) {
      return BuiltInModels.byDefault();
    }
    List<String> chosen = Arrays.stream(names.split("[,\\s]+")).filter(name -> !name.isEmpty() && !name.equals(NONE)).toList();
    for (String name : chosen) {
      if (all.stream().noneMatch(model -> model.name().equals(name))) {
        throw new RecordException(NLS.bind(Messages.unknownModel, name));
      }
    }
    return all.stream().filter(model -> chosen.contains(model.name())).toList();
  }
}
