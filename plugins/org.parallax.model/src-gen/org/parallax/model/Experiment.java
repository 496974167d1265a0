/**
 */
package org.parallax.model;

import org.eclipse.emf.common.util.EList;

import org.eclipse.emf.ecore.EObject;

/**
 * <!-- begin-user-doc -->
 * A representation of the model object '<em><b>Experiment</b></em>'.
 * <!-- end-user-doc -->
 *
 * <!-- begin-model-doc -->
 * A designed experiment with synthetic perturbations (Lyon, Snelick, Kacker 1992): what is perturbed, in which pattern of runs, and what was measured.
 * <!-- end-model-doc -->
 *
 * <p>
 * The following features are supported:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.Experiment#getArguments <em>Arguments</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getDirectory <em>Directory</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getProgram <em>Program</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getLibraries <em>Libraries</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getBuilds <em>Builds</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getDesign <em>Design</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getDesignName <em>Design Name</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getLevels <em>Levels</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getReplicates <em>Replicates</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getWarmups <em>Warmups</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getSeed <em>Seed</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getTimeoutSeconds <em>Timeout Seconds</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getAttempts <em>Attempts</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getFactors <em>Factors</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getResponses <em>Responses</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getRuns <em>Runs</em>}</li>
 *   <li>{@link org.parallax.model.Experiment#getTrials <em>Trials</em>}</li>
 * </ul>
 *
 * @see org.parallax.model.ModelPackage#getExperiment()
 * @model
 * @generated
 */
public interface Experiment extends EObject {
	/**
	 * Returns the value of the '<em><b>Arguments</b></em>' attribute list.
	 * The list contents are of type {@link java.lang.String}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The command of a trial: a program and its arguments, or a launcher (mpirun) with them.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Arguments</em>' attribute list.
	 * @see org.parallax.model.ModelPackage#getExperiment_Arguments()
	 * @model unique="false"
	 * @generated
	 */
	EList<String> getArguments();

	/**
	 * Returns the value of the '<em><b>Directory</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * In which the command runs, relative to the directory of the experiment's file; empty for that one.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Directory</em>' attribute.
	 * @see #setDirectory(String)
	 * @see org.parallax.model.ModelPackage#getExperiment_Directory()
	 * @model
	 * @generated
	 */
	String getDirectory();

	/**
	 * Sets the value of the '{@link org.parallax.model.Experiment#getDirectory <em>Directory</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Directory</em>' attribute.
	 * @see #getDirectory()
	 * @generated
	 */
	void setDirectory(String value);

	/**
	 * Returns the value of the '<em><b>Program</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The executable in which the places are; null when it is the command's own.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Program</em>' attribute.
	 * @see #setProgram(String)
	 * @see org.parallax.model.ModelPackage#getExperiment_Program()
	 * @model
	 * @generated
	 */
	String getProgram();

	/**
	 * Sets the value of the '{@link org.parallax.model.Experiment#getProgram <em>Program</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Program</em>' attribute.
	 * @see #getProgram()
	 * @generated
	 */
	void setProgram(String value);

	/**
	 * Returns the value of the '<em><b>Libraries</b></em>' attribute list.
	 * The list contents are of type {@link java.lang.String}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Further modules in which places are.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Libraries</em>' attribute list.
	 * @see org.parallax.model.ModelPackage#getExperiment_Libraries()
	 * @model unique="false"
	 * @generated
	 */
	EList<String> getLibraries();

	/**
	 * Returns the value of the '<em><b>Builds</b></em>' attribute list.
	 * The list contents are of type {@link java.lang.String}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Build ids and paths of the binaries of which the trials were made; those of others cannot be averaged with them.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Builds</em>' attribute list.
	 * @see org.parallax.model.ModelPackage#getExperiment_Builds()
	 * @model unique="false"
	 * @generated
	 */
	EList<String> getBuilds();

	/**
	 * Returns the value of the '<em><b>Design</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The design as it was asked for, for DesignRequest.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Design</em>' attribute.
	 * @see #setDesign(String)
	 * @see org.parallax.model.ModelPackage#getExperiment_Design()
	 * @model
	 * @generated
	 */
	String getDesign();

	/**
	 * Sets the value of the '{@link org.parallax.model.Experiment#getDesign <em>Design</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Design</em>' attribute.
	 * @see #getDesign()
	 * @generated
	 */
	void setDesign(String value);

	/**
	 * Returns the value of the '<em><b>Design Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The design as it came out, for people: 2^(6-2) IV.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Design Name</em>' attribute.
	 * @see #setDesignName(String)
	 * @see org.parallax.model.ModelPackage#getExperiment_DesignName()
	 * @model
	 * @generated
	 */
	String getDesignName();

	/**
	 * Sets the value of the '{@link org.parallax.model.Experiment#getDesignName <em>Design Name</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Design Name</em>' attribute.
	 * @see #getDesignName()
	 * @generated
	 */
	void setDesignName(String value);

	/**
	 * Returns the value of the '<em><b>Levels</b></em>' attribute.
	 * The default value is <code>"2"</code>.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The number of levels of each factor.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Levels</em>' attribute.
	 * @see #setLevels(int)
	 * @see org.parallax.model.ModelPackage#getExperiment_Levels()
	 * @model default="2"
	 * @generated
	 */
	int getLevels();

	/**
	 * Sets the value of the '{@link org.parallax.model.Experiment#getLevels <em>Levels</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Levels</em>' attribute.
	 * @see #getLevels()
	 * @generated
	 */
	void setLevels(int value);

	/**
	 * Returns the value of the '<em><b>Replicates</b></em>' attribute.
	 * The default value is <code>"1"</code>.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * How often each run of the design is made.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Replicates</em>' attribute.
	 * @see #setReplicates(int)
	 * @see org.parallax.model.ModelPackage#getExperiment_Replicates()
	 * @model default="1"
	 * @generated
	 */
	int getReplicates();

	/**
	 * Sets the value of the '{@link org.parallax.model.Experiment#getReplicates <em>Replicates</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Replicates</em>' attribute.
	 * @see #getReplicates()
	 * @generated
	 */
	void setReplicates(int value);

	/**
	 * Returns the value of the '<em><b>Warmups</b></em>' attribute.
	 * The default value is <code>"1"</code>.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Trials before all others, whose results are not used.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Warmups</em>' attribute.
	 * @see #setWarmups(int)
	 * @see org.parallax.model.ModelPackage#getExperiment_Warmups()
	 * @model default="1"
	 * @generated
	 */
	int getWarmups();

	/**
	 * Sets the value of the '{@link org.parallax.model.Experiment#getWarmups <em>Warmups</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Warmups</em>' attribute.
	 * @see #getWarmups()
	 * @generated
	 */
	void setWarmups(int value);

	/**
	 * Returns the value of the '<em><b>Seed</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Seed of the random order of trials; each replicate has another order.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Seed</em>' attribute.
	 * @see #setSeed(long)
	 * @see org.parallax.model.ModelPackage#getExperiment_Seed()
	 * @model
	 * @generated
	 */
	long getSeed();

	/**
	 * Sets the value of the '{@link org.parallax.model.Experiment#getSeed <em>Seed</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Seed</em>' attribute.
	 * @see #getSeed()
	 * @generated
	 */
	void setSeed(long value);

	/**
	 * Returns the value of the '<em><b>Timeout Seconds</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * After which a trial hangs; 0: ten times as long as the longest one so far.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Timeout Seconds</em>' attribute.
	 * @see #setTimeoutSeconds(double)
	 * @see org.parallax.model.ModelPackage#getExperiment_TimeoutSeconds()
	 * @model
	 * @generated
	 */
	double getTimeoutSeconds();

	/**
	 * Sets the value of the '{@link org.parallax.model.Experiment#getTimeoutSeconds <em>Timeout Seconds</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Timeout Seconds</em>' attribute.
	 * @see #getTimeoutSeconds()
	 * @generated
	 */
	void setTimeoutSeconds(double value);

	/**
	 * Returns the value of the '<em><b>Attempts</b></em>' attribute.
	 * The default value is <code>"3"</code>.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Number of attempts for a trial that fails or times out, before the experiment stops.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Attempts</em>' attribute.
	 * @see #setAttempts(int)
	 * @see org.parallax.model.ModelPackage#getExperiment_Attempts()
	 * @model default="3"
	 * @generated
	 */
	int getAttempts();

	/**
	 * Sets the value of the '{@link org.parallax.model.Experiment#getAttempts <em>Attempts</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Attempts</em>' attribute.
	 * @see #getAttempts()
	 * @generated
	 */
	void setAttempts(int value);

	/**
	 * Returns the value of the '<em><b>Factors</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.Factor}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Factors</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getExperiment_Factors()
	 * @model containment="true"
	 * @generated
	 */
	EList<Factor> getFactors();

	/**
	 * Returns the value of the '<em><b>Responses</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.Response}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Responses</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getExperiment_Responses()
	 * @model containment="true"
	 * @generated
	 */
	EList<Response> getResponses();

	/**
	 * Returns the value of the '<em><b>Runs</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.DesignRun}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Of one replicate, in standard order.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Runs</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getExperiment_Runs()
	 * @model containment="true"
	 * @generated
	 */
	EList<DesignRun> getRuns();

	/**
	 * Returns the value of the '<em><b>Trials</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.Trial}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * In the order of time.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Trials</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getExperiment_Trials()
	 * @model containment="true"
	 * @generated
	 */
	EList<Trial> getTrials();

} // Experiment
