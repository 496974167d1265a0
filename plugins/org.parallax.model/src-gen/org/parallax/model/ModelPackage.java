/**
 */
package org.parallax.model;

import org.eclipse.emf.ecore.EAttribute;
import org.eclipse.emf.ecore.EClass;
import org.eclipse.emf.ecore.EEnum;
import org.eclipse.emf.ecore.EPackage;
import org.eclipse.emf.ecore.EReference;

/**
 * <!-- begin-user-doc -->
 * The <b>Package</b> for the model.
 * It contains accessors for the meta objects to represent
 * <ul>
 *   <li>each class,</li>
 *   <li>each feature of each class,</li>
 *   <li>each enum,</li>
 *   <li>and each data type</li>
 * </ul>
 * <!-- end-user-doc -->
 * @see org.parallax.model.ModelFactory
 * @model kind="package"
 * @generated
 */
public interface ModelPackage extends EPackage {
	/**
	 * The package name.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	String eNAME = "model";

	/**
	 * The package namespace URI.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	String eNS_URI = "urn:parallax:model:1";

	/**
	 * The package namespace name.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	String eNS_PREFIX = "parallax";

	/**
	 * The singleton instance of the package.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	ModelPackage eINSTANCE = org.parallax.model.impl.ModelPackageImpl.init();

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.SessionImpl <em>Session</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.SessionImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getSession()
	 * @generated
	 */
	int SESSION = 0;

	/**
	 * The feature id for the '<em><b>Runs</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int SESSION__RUNS = 0;

	/**
	 * The number of structural features of the '<em>Session</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int SESSION_FEATURE_COUNT = 1;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.RunImpl <em>Run</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.RunImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getRun()
	 * @generated
	 */
	int RUN = 1;

	/**
	 * The feature id for the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int RUN__NAME = 0;

	/**
	 * The feature id for the '<em><b>Mode</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int RUN__MODE = 1;

	/**
	 * The feature id for the '<em><b>Command</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int RUN__COMMAND = 2;

	/**
	 * The feature id for the '<em><b>Trace</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int RUN__TRACE = 3;

	/**
	 * The feature id for the '<em><b>Group</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int RUN__GROUP = 4;

	/**
	 * The number of structural features of the '<em>Run</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int RUN_FEATURE_COUNT = 5;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.ExperimentImpl <em>Experiment</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.ExperimentImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getExperiment()
	 * @generated
	 */
	int EXPERIMENT = 2;

	/**
	 * The feature id for the '<em><b>Arguments</b></em>' attribute list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__ARGUMENTS = 0;

	/**
	 * The feature id for the '<em><b>Directory</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__DIRECTORY = 1;

	/**
	 * The feature id for the '<em><b>Program</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__PROGRAM = 2;

	/**
	 * The feature id for the '<em><b>Libraries</b></em>' attribute list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__LIBRARIES = 3;

	/**
	 * The feature id for the '<em><b>Builds</b></em>' attribute list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__BUILDS = 4;

	/**
	 * The feature id for the '<em><b>Design</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__DESIGN = 5;

	/**
	 * The feature id for the '<em><b>Design Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__DESIGN_NAME = 6;

	/**
	 * The feature id for the '<em><b>Levels</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__LEVELS = 7;

	/**
	 * The feature id for the '<em><b>Replicates</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__REPLICATES = 8;

	/**
	 * The feature id for the '<em><b>Warmups</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__WARMUPS = 9;

	/**
	 * The feature id for the '<em><b>Seed</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__SEED = 10;

	/**
	 * The feature id for the '<em><b>Timeout Seconds</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__TIMEOUT_SECONDS = 11;

	/**
	 * The feature id for the '<em><b>Attempts</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__ATTEMPTS = 12;

	/**
	 * The feature id for the '<em><b>Factors</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__FACTORS = 13;

	/**
	 * The feature id for the '<em><b>Responses</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__RESPONSES = 14;

	/**
	 * The feature id for the '<em><b>Runs</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__RUNS = 15;

	/**
	 * The feature id for the '<em><b>Trials</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT__TRIALS = 16;

	/**
	 * The number of structural features of the '<em>Experiment</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXPERIMENT_FEATURE_COUNT = 17;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.FactorImpl <em>Factor</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.FactorImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getFactor()
	 * @generated
	 */
	int FACTOR = 3;

	/**
	 * The feature id for the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int FACTOR__NAME = 0;

	/**
	 * The feature id for the '<em><b>Place</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int FACTOR__PLACE = 1;

	/**
	 * The feature id for the '<em><b>Treatment</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int FACTOR__TREATMENT = 2;

	/**
	 * The feature id for the '<em><b>Settings</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int FACTOR__SETTINGS = 3;

	/**
	 * The feature id for the '<em><b>Argument</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int FACTOR__ARGUMENT = 4;

	/**
	 * The number of structural features of the '<em>Factor</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int FACTOR_FEATURE_COUNT = 5;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.DesignRunImpl <em>Design Run</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.DesignRunImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getDesignRun()
	 * @generated
	 */
	int DESIGN_RUN = 4;

	/**
	 * The feature id for the '<em><b>Settings</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int DESIGN_RUN__SETTINGS = 0;

	/**
	 * The feature id for the '<em><b>Block</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int DESIGN_RUN__BLOCK = 1;

	/**
	 * The number of structural features of the '<em>Design Run</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int DESIGN_RUN_FEATURE_COUNT = 2;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.ResponseImpl <em>Response</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.ResponseImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getResponse()
	 * @generated
	 */
	int RESPONSE = 5;

	/**
	 * The feature id for the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int RESPONSE__NAME = 0;

	/**
	 * The feature id for the '<em><b>Kind</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int RESPONSE__KIND = 1;

	/**
	 * The feature id for the '<em><b>Argument</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int RESPONSE__ARGUMENT = 2;

	/**
	 * The feature id for the '<em><b>Unit</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int RESPONSE__UNIT = 3;

	/**
	 * The number of structural features of the '<em>Response</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int RESPONSE_FEATURE_COUNT = 4;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.TrialImpl <em>Trial</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.TrialImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getTrial()
	 * @generated
	 */
	int TRIAL = 6;

	/**
	 * The feature id for the '<em><b>Kind</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TRIAL__KIND = 0;

	/**
	 * The feature id for the '<em><b>Run</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TRIAL__RUN = 1;

	/**
	 * The feature id for the '<em><b>Replicate</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TRIAL__REPLICATE = 2;

	/**
	 * The feature id for the '<em><b>Block</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TRIAL__BLOCK = 3;

	/**
	 * The feature id for the '<em><b>Status</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TRIAL__STATUS = 4;

	/**
	 * The feature id for the '<em><b>Duration Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TRIAL__DURATION_NS = 5;

	/**
	 * The feature id for the '<em><b>Started</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TRIAL__STARTED = 6;

	/**
	 * The feature id for the '<em><b>Failures</b></em>' attribute list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TRIAL__FAILURES = 7;

	/**
	 * The feature id for the '<em><b>Measurements</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TRIAL__MEASUREMENTS = 8;

	/**
	 * The feature id for the '<em><b>Counts</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TRIAL__COUNTS = 9;

	/**
	 * The number of structural features of the '<em>Trial</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TRIAL_FEATURE_COUNT = 10;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.MeasurementImpl <em>Measurement</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.MeasurementImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getMeasurement()
	 * @generated
	 */
	int MEASUREMENT = 7;

	/**
	 * The feature id for the '<em><b>Response</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int MEASUREMENT__RESPONSE = 0;

	/**
	 * The feature id for the '<em><b>Value</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int MEASUREMENT__VALUE = 1;

	/**
	 * The number of structural features of the '<em>Measurement</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int MEASUREMENT_FEATURE_COUNT = 2;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.TreatmentCountImpl <em>Treatment Count</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.TreatmentCountImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getTreatmentCount()
	 * @generated
	 */
	int TREATMENT_COUNT = 8;

	/**
	 * The feature id for the '<em><b>Factor</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TREATMENT_COUNT__FACTOR = 0;

	/**
	 * The feature id for the '<em><b>Count</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TREATMENT_COUNT__COUNT = 1;

	/**
	 * The feature id for the '<em><b>Requested Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TREATMENT_COUNT__REQUESTED_NS = 2;

	/**
	 * The feature id for the '<em><b>Achieved Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TREATMENT_COUNT__ACHIEVED_NS = 3;

	/**
	 * The feature id for the '<em><b>Skipped</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TREATMENT_COUNT__SKIPPED = 4;

	/**
	 * The number of structural features of the '<em>Treatment Count</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int TREATMENT_COUNT_FEATURE_COUNT = 5;

	/**
	 * The meta object id for the '{@link org.parallax.model.RunMode <em>Run Mode</em>}' enum.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.RunMode
	 * @see org.parallax.model.impl.ModelPackageImpl#getRunMode()
	 * @generated
	 */
	int RUN_MODE = 9;

	/**
	 * The meta object id for the '{@link org.parallax.model.Treatment <em>Treatment</em>}' enum.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.Treatment
	 * @see org.parallax.model.impl.ModelPackageImpl#getTreatment()
	 * @generated
	 */
	int TREATMENT = 10;

	/**
	 * The meta object id for the '{@link org.parallax.model.ResponseKind <em>Response Kind</em>}' enum.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.ResponseKind
	 * @see org.parallax.model.impl.ModelPackageImpl#getResponseKind()
	 * @generated
	 */
	int RESPONSE_KIND = 11;

	/**
	 * The meta object id for the '{@link org.parallax.model.TrialKind <em>Trial Kind</em>}' enum.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.TrialKind
	 * @see org.parallax.model.impl.ModelPackageImpl#getTrialKind()
	 * @generated
	 */
	int TRIAL_KIND = 12;

	/**
	 * The meta object id for the '{@link org.parallax.model.TrialStatus <em>Trial Status</em>}' enum.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.TrialStatus
	 * @see org.parallax.model.impl.ModelPackageImpl#getTrialStatus()
	 * @generated
	 */
	int TRIAL_STATUS = 13;


	/**
	 * Returns the meta object for class '{@link org.parallax.model.Session <em>Session</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Session</em>'.
	 * @see org.parallax.model.Session
	 * @generated
	 */
	EClass getSession();

	/**
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Session#getRuns <em>Runs</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Runs</em>'.
	 * @see org.parallax.model.Session#getRuns()
	 * @see #getSession()
	 * @generated
	 */
	EReference getSession_Runs();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.Run <em>Run</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Run</em>'.
	 * @see org.parallax.model.Run
	 * @generated
	 */
	EClass getRun();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Run#getName <em>Name</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Name</em>'.
	 * @see org.parallax.model.Run#getName()
	 * @see #getRun()
	 * @generated
	 */
	EAttribute getRun_Name();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Run#getMode <em>Mode</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Mode</em>'.
	 * @see org.parallax.model.Run#getMode()
	 * @see #getRun()
	 * @generated
	 */
	EAttribute getRun_Mode();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Run#getCommand <em>Command</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Command</em>'.
	 * @see org.parallax.model.Run#getCommand()
	 * @see #getRun()
	 * @generated
	 */
	EAttribute getRun_Command();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Run#getTrace <em>Trace</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Trace</em>'.
	 * @see org.parallax.model.Run#getTrace()
	 * @see #getRun()
	 * @generated
	 */
	EAttribute getRun_Trace();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Run#getGroup <em>Group</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Group</em>'.
	 * @see org.parallax.model.Run#getGroup()
	 * @see #getRun()
	 * @generated
	 */
	EAttribute getRun_Group();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.Experiment <em>Experiment</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Experiment</em>'.
	 * @see org.parallax.model.Experiment
	 * @generated
	 */
	EClass getExperiment();

	/**
	 * Returns the meta object for the attribute list '{@link org.parallax.model.Experiment#getArguments <em>Arguments</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute list '<em>Arguments</em>'.
	 * @see org.parallax.model.Experiment#getArguments()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_Arguments();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Experiment#getDirectory <em>Directory</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Directory</em>'.
	 * @see org.parallax.model.Experiment#getDirectory()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_Directory();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Experiment#getProgram <em>Program</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Program</em>'.
	 * @see org.parallax.model.Experiment#getProgram()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_Program();

	/**
	 * Returns the meta object for the attribute list '{@link org.parallax.model.Experiment#getLibraries <em>Libraries</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute list '<em>Libraries</em>'.
	 * @see org.parallax.model.Experiment#getLibraries()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_Libraries();

	/**
	 * Returns the meta object for the attribute list '{@link org.parallax.model.Experiment#getBuilds <em>Builds</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute list '<em>Builds</em>'.
	 * @see org.parallax.model.Experiment#getBuilds()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_Builds();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Experiment#getDesign <em>Design</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Design</em>'.
	 * @see org.parallax.model.Experiment#getDesign()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_Design();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Experiment#getDesignName <em>Design Name</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Design Name</em>'.
	 * @see org.parallax.model.Experiment#getDesignName()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_DesignName();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Experiment#getLevels <em>Levels</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Levels</em>'.
	 * @see org.parallax.model.Experiment#getLevels()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_Levels();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Experiment#getReplicates <em>Replicates</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Replicates</em>'.
	 * @see org.parallax.model.Experiment#getReplicates()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_Replicates();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Experiment#getWarmups <em>Warmups</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Warmups</em>'.
	 * @see org.parallax.model.Experiment#getWarmups()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_Warmups();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Experiment#getSeed <em>Seed</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Seed</em>'.
	 * @see org.parallax.model.Experiment#getSeed()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_Seed();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Experiment#getTimeoutSeconds <em>Timeout Seconds</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Timeout Seconds</em>'.
	 * @see org.parallax.model.Experiment#getTimeoutSeconds()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_TimeoutSeconds();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Experiment#getAttempts <em>Attempts</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Attempts</em>'.
	 * @see org.parallax.model.Experiment#getAttempts()
	 * @see #getExperiment()
	 * @generated
	 */
	EAttribute getExperiment_Attempts();

	/**
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Experiment#getFactors <em>Factors</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Factors</em>'.
	 * @see org.parallax.model.Experiment#getFactors()
	 * @see #getExperiment()
	 * @generated
	 */
	EReference getExperiment_Factors();

	/**
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Experiment#getResponses <em>Responses</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Responses</em>'.
	 * @see org.parallax.model.Experiment#getResponses()
	 * @see #getExperiment()
	 * @generated
	 */
	EReference getExperiment_Responses();

	/**
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Experiment#getRuns <em>Runs</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Runs</em>'.
	 * @see org.parallax.model.Experiment#getRuns()
	 * @see #getExperiment()
	 * @generated
	 */
	EReference getExperiment_Runs();

	/**
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Experiment#getTrials <em>Trials</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Trials</em>'.
	 * @see org.parallax.model.Experiment#getTrials()
	 * @see #getExperiment()
	 * @generated
	 */
	EReference getExperiment_Trials();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.Factor <em>Factor</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Factor</em>'.
	 * @see org.parallax.model.Factor
	 * @generated
	 */
	EClass getFactor();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Factor#getName <em>Name</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Name</em>'.
	 * @see org.parallax.model.Factor#getName()
	 * @see #getFactor()
	 * @generated
	 */
	EAttribute getFactor_Name();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Factor#getPlace <em>Place</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Place</em>'.
	 * @see org.parallax.model.Factor#getPlace()
	 * @see #getFactor()
	 * @generated
	 */
	EAttribute getFactor_Place();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Factor#getTreatment <em>Treatment</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Treatment</em>'.
	 * @see org.parallax.model.Factor#getTreatment()
	 * @see #getFactor()
	 * @generated
	 */
	EAttribute getFactor_Treatment();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Factor#getSettings <em>Settings</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Settings</em>'.
	 * @see org.parallax.model.Factor#getSettings()
	 * @see #getFactor()
	 * @generated
	 */
	EAttribute getFactor_Settings();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Factor#getArgument <em>Argument</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Argument</em>'.
	 * @see org.parallax.model.Factor#getArgument()
	 * @see #getFactor()
	 * @generated
	 */
	EAttribute getFactor_Argument();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.DesignRun <em>Design Run</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Design Run</em>'.
	 * @see org.parallax.model.DesignRun
	 * @generated
	 */
	EClass getDesignRun();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.DesignRun#getSettings <em>Settings</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Settings</em>'.
	 * @see org.parallax.model.DesignRun#getSettings()
	 * @see #getDesignRun()
	 * @generated
	 */
	EAttribute getDesignRun_Settings();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.DesignRun#getBlock <em>Block</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Block</em>'.
	 * @see org.parallax.model.DesignRun#getBlock()
	 * @see #getDesignRun()
	 * @generated
	 */
	EAttribute getDesignRun_Block();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.Response <em>Response</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Response</em>'.
	 * @see org.parallax.model.Response
	 * @generated
	 */
	EClass getResponse();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Response#getName <em>Name</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Name</em>'.
	 * @see org.parallax.model.Response#getName()
	 * @see #getResponse()
	 * @generated
	 */
	EAttribute getResponse_Name();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Response#getKind <em>Kind</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Kind</em>'.
	 * @see org.parallax.model.Response#getKind()
	 * @see #getResponse()
	 * @generated
	 */
	EAttribute getResponse_Kind();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Response#getArgument <em>Argument</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Argument</em>'.
	 * @see org.parallax.model.Response#getArgument()
	 * @see #getResponse()
	 * @generated
	 */
	EAttribute getResponse_Argument();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Response#getUnit <em>Unit</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Unit</em>'.
	 * @see org.parallax.model.Response#getUnit()
	 * @see #getResponse()
	 * @generated
	 */
	EAttribute getResponse_Unit();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.Trial <em>Trial</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Trial</em>'.
	 * @see org.parallax.model.Trial
	 * @generated
	 */
	EClass getTrial();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Trial#getKind <em>Kind</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Kind</em>'.
	 * @see org.parallax.model.Trial#getKind()
	 * @see #getTrial()
	 * @generated
	 */
	EAttribute getTrial_Kind();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Trial#getRun <em>Run</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Run</em>'.
	 * @see org.parallax.model.Trial#getRun()
	 * @see #getTrial()
	 * @generated
	 */
	EAttribute getTrial_Run();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Trial#getReplicate <em>Replicate</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Replicate</em>'.
	 * @see org.parallax.model.Trial#getReplicate()
	 * @see #getTrial()
	 * @generated
	 */
	EAttribute getTrial_Replicate();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Trial#getBlock <em>Block</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Block</em>'.
	 * @see org.parallax.model.Trial#getBlock()
	 * @see #getTrial()
	 * @generated
	 */
	EAttribute getTrial_Block();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Trial#getStatus <em>Status</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Status</em>'.
	 * @see org.parallax.model.Trial#getStatus()
	 * @see #getTrial()
	 * @generated
	 */
	EAttribute getTrial_Status();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Trial#getDurationNs <em>Duration Ns</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Duration Ns</em>'.
	 * @see org.parallax.model.Trial#getDurationNs()
	 * @see #getTrial()
	 * @generated
	 */
	EAttribute getTrial_DurationNs();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Trial#getStarted <em>Started</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Started</em>'.
	 * @see org.parallax.model.Trial#getStarted()
	 * @see #getTrial()
	 * @generated
	 */
	EAttribute getTrial_Started();

	/**
	 * Returns the meta object for the attribute list '{@link org.parallax.model.Trial#getFailures <em>Failures</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute list '<em>Failures</em>'.
	 * @see org.parallax.model.Trial#getFailures()
	 * @see #getTrial()
	 * @generated
	 */
	EAttribute getTrial_Failures();

	/**
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Trial#getMeasurements <em>Measurements</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Measurements</em>'.
	 * @see org.parallax.model.Trial#getMeasurements()
	 * @see #getTrial()
	 * @generated
	 */
	EReference getTrial_Measurements();

	/**
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Trial#getCounts <em>Counts</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Counts</em>'.
	 * @see org.parallax.model.Trial#getCounts()
	 * @see #getTrial()
	 * @generated
	 */
	EReference getTrial_Counts();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.Measurement <em>Measurement</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Measurement</em>'.
	 * @see org.parallax.model.Measurement
	 * @generated
	 */
	EClass getMeasurement();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Measurement#getResponse <em>Response</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Response</em>'.
	 * @see org.parallax.model.Measurement#getResponse()
	 * @see #getMeasurement()
	 * @generated
	 */
	EAttribute getMeasurement_Response();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Measurement#getValue <em>Value</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Value</em>'.
	 * @see org.parallax.model.Measurement#getValue()
	 * @see #getMeasurement()
	 * @generated
	 */
	EAttribute getMeasurement_Value();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.TreatmentCount <em>Treatment Count</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Treatment Count</em>'.
	 * @see org.parallax.model.TreatmentCount
	 * @generated
	 */
	EClass getTreatmentCount();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.TreatmentCount#getFactor <em>Factor</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Factor</em>'.
	 * @see org.parallax.model.TreatmentCount#getFactor()
	 * @see #getTreatmentCount()
	 * @generated
	 */
	EAttribute getTreatmentCount_Factor();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.TreatmentCount#getCount <em>Count</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Count</em>'.
	 * @see org.parallax.model.TreatmentCount#getCount()
	 * @see #getTreatmentCount()
	 * @generated
	 */
	EAttribute getTreatmentCount_Count();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.TreatmentCount#getRequestedNs <em>Requested Ns</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Requested Ns</em>'.
	 * @see org.parallax.model.TreatmentCount#getRequestedNs()
	 * @see #getTreatmentCount()
	 * @generated
	 */
	EAttribute getTreatmentCount_RequestedNs();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.TreatmentCount#getAchievedNs <em>Achieved Ns</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Achieved Ns</em>'.
	 * @see org.parallax.model.TreatmentCount#getAchievedNs()
	 * @see #getTreatmentCount()
	 * @generated
	 */
	EAttribute getTreatmentCount_AchievedNs();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.TreatmentCount#getSkipped <em>Skipped</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Skipped</em>'.
	 * @see org.parallax.model.TreatmentCount#getSkipped()
	 * @see #getTreatmentCount()
	 * @generated
	 */
	EAttribute getTreatmentCount_Skipped();

	/**
	 * Returns the meta object for enum '{@link org.parallax.model.RunMode <em>Run Mode</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for enum '<em>Run Mode</em>'.
	 * @see org.parallax.model.RunMode
	 * @generated
	 */
	EEnum getRunMode();

	/**
	 * Returns the meta object for enum '{@link org.parallax.model.Treatment <em>Treatment</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for enum '<em>Treatment</em>'.
	 * @see org.parallax.model.Treatment
	 * @generated
	 */
	EEnum getTreatment();

	/**
	 * Returns the meta object for enum '{@link org.parallax.model.ResponseKind <em>Response Kind</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for enum '<em>Response Kind</em>'.
	 * @see org.parallax.model.ResponseKind
	 * @generated
	 */
	EEnum getResponseKind();

	/**
	 * Returns the meta object for enum '{@link org.parallax.model.TrialKind <em>Trial Kind</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for enum '<em>Trial Kind</em>'.
	 * @see org.parallax.model.TrialKind
	 * @generated
	 */
	EEnum getTrialKind();

	/**
	 * Returns the meta object for enum '{@link org.parallax.model.TrialStatus <em>Trial Status</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for enum '<em>Trial Status</em>'.
	 * @see org.parallax.model.TrialStatus
	 * @generated
	 */
	EEnum getTrialStatus();

	/**
	 * Returns the factory that creates the instances of the model.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the factory that creates the instances of the model.
	 * @generated
	 */
	ModelFactory getModelFactory();

	/**
	 * <!-- begin-user-doc -->
	 * Defines literals for the meta objects that represent
	 * <ul>
	 *   <li>each class,</li>
	 *   <li>each feature of each class,</li>
	 *   <li>each enum,</li>
	 *   <li>and each data type</li>
	 * </ul>
	 * <!-- end-user-doc -->
	 * @generated
	 */
	interface Literals {
		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.SessionImpl <em>Session</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.SessionImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getSession()
		 * @generated
		 */
		EClass SESSION = eINSTANCE.getSession();

		/**
		 * The meta object literal for the '<em><b>Runs</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference SESSION__RUNS = eINSTANCE.getSession_Runs();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.RunImpl <em>Run</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.RunImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getRun()
		 * @generated
		 */
		EClass RUN = eINSTANCE.getRun();

		/**
		 * The meta object literal for the '<em><b>Name</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute RUN__NAME = eINSTANCE.getRun_Name();

		/**
		 * The meta object literal for the '<em><b>Mode</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute RUN__MODE = eINSTANCE.getRun_Mode();

		/**
		 * The meta object literal for the '<em><b>Command</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute RUN__COMMAND = eINSTANCE.getRun_Command();

		/**
		 * The meta object literal for the '<em><b>Trace</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute RUN__TRACE = eINSTANCE.getRun_Trace();

		/**
		 * The meta object literal for the '<em><b>Group</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute RUN__GROUP = eINSTANCE.getRun_Group();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.ExperimentImpl <em>Experiment</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.ExperimentImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getExperiment()
		 * @generated
		 */
		EClass EXPERIMENT = eINSTANCE.getExperiment();

		/**
		 * The meta object literal for the '<em><b>Arguments</b></em>' attribute list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__ARGUMENTS = eINSTANCE.getExperiment_Arguments();

		/**
		 * The meta object literal for the '<em><b>Directory</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__DIRECTORY = eINSTANCE.getExperiment_Directory();

		/**
		 * The meta object literal for the '<em><b>Program</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__PROGRAM = eINSTANCE.getExperiment_Program();

		/**
		 * The meta object literal for the '<em><b>Libraries</b></em>' attribute list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__LIBRARIES = eINSTANCE.getExperiment_Libraries();

		/**
		 * The meta object literal for the '<em><b>Builds</b></em>' attribute list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__BUILDS = eINSTANCE.getExperiment_Builds();

		/**
		 * The meta object literal for the '<em><b>Design</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__DESIGN = eINSTANCE.getExperiment_Design();

		/**
		 * The meta object literal for the '<em><b>Design Name</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__DESIGN_NAME = eINSTANCE.getExperiment_DesignName();

		/**
		 * The meta object literal for the '<em><b>Levels</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__LEVELS = eINSTANCE.getExperiment_Levels();

		/**
		 * The meta object literal for the '<em><b>Replicates</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__REPLICATES = eINSTANCE.getExperiment_Replicates();

		/**
		 * The meta object literal for the '<em><b>Warmups</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__WARMUPS = eINSTANCE.getExperiment_Warmups();

		/**
		 * The meta object literal for the '<em><b>Seed</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__SEED = eINSTANCE.getExperiment_Seed();

		/**
		 * The meta object literal for the '<em><b>Timeout Seconds</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__TIMEOUT_SECONDS = eINSTANCE.getExperiment_TimeoutSeconds();

		/**
		 * The meta object literal for the '<em><b>Attempts</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXPERIMENT__ATTEMPTS = eINSTANCE.getExperiment_Attempts();

		/**
		 * The meta object literal for the '<em><b>Factors</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference EXPERIMENT__FACTORS = eINSTANCE.getExperiment_Factors();

		/**
		 * The meta object literal for the '<em><b>Responses</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference EXPERIMENT__RESPONSES = eINSTANCE.getExperiment_Responses();

		/**
		 * The meta object literal for the '<em><b>Runs</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference EXPERIMENT__RUNS = eINSTANCE.getExperiment_Runs();

		/**
		 * The meta object literal for the '<em><b>Trials</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference EXPERIMENT__TRIALS = eINSTANCE.getExperiment_Trials();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.FactorImpl <em>Factor</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.FactorImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getFactor()
		 * @generated
		 */
		EClass FACTOR = eINSTANCE.getFactor();

		/**
		 * The meta object literal for the '<em><b>Name</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute FACTOR__NAME = eINSTANCE.getFactor_Name();

		/**
		 * The meta object literal for the '<em><b>Place</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute FACTOR__PLACE = eINSTANCE.getFactor_Place();

		/**
		 * The meta object literal for the '<em><b>Treatment</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute FACTOR__TREATMENT = eINSTANCE.getFactor_Treatment();

		/**
		 * The meta object literal for the '<em><b>Settings</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute FACTOR__SETTINGS = eINSTANCE.getFactor_Settings();

		/**
		 * The meta object literal for the '<em><b>Argument</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute FACTOR__ARGUMENT = eINSTANCE.getFactor_Argument();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.DesignRunImpl <em>Design Run</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.DesignRunImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getDesignRun()
		 * @generated
		 */
		EClass DESIGN_RUN = eINSTANCE.getDesignRun();

		/**
		 * The meta object literal for the '<em><b>Settings</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute DESIGN_RUN__SETTINGS = eINSTANCE.getDesignRun_Settings();

		/**
		 * The meta object literal for the '<em><b>Block</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute DESIGN_RUN__BLOCK = eINSTANCE.getDesignRun_Block();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.ResponseImpl <em>Response</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.ResponseImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getResponse()
		 * @generated
		 */
		EClass RESPONSE = eINSTANCE.getResponse();

		/**
		 * The meta object literal for the '<em><b>Name</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute RESPONSE__NAME = eINSTANCE.getResponse_Name();

		/**
		 * The meta object literal for the '<em><b>Kind</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute RESPONSE__KIND = eINSTANCE.getResponse_Kind();

		/**
		 * The meta object literal for the '<em><b>Argument</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute RESPONSE__ARGUMENT = eINSTANCE.getResponse_Argument();

		/**
		 * The meta object literal for the '<em><b>Unit</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute RESPONSE__UNIT = eINSTANCE.getResponse_Unit();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.TrialImpl <em>Trial</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.TrialImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getTrial()
		 * @generated
		 */
		EClass TRIAL = eINSTANCE.getTrial();

		/**
		 * The meta object literal for the '<em><b>Kind</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TRIAL__KIND = eINSTANCE.getTrial_Kind();

		/**
		 * The meta object literal for the '<em><b>Run</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TRIAL__RUN = eINSTANCE.getTrial_Run();

		/**
		 * The meta object literal for the '<em><b>Replicate</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TRIAL__REPLICATE = eINSTANCE.getTrial_Replicate();

		/**
		 * The meta object literal for the '<em><b>Block</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TRIAL__BLOCK = eINSTANCE.getTrial_Block();

		/**
		 * The meta object literal for the '<em><b>Status</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TRIAL__STATUS = eINSTANCE.getTrial_Status();

		/**
		 * The meta object literal for the '<em><b>Duration Ns</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TRIAL__DURATION_NS = eINSTANCE.getTrial_DurationNs();

		/**
		 * The meta object literal for the '<em><b>Started</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TRIAL__STARTED = eINSTANCE.getTrial_Started();

		/**
		 * The meta object literal for the '<em><b>Failures</b></em>' attribute list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TRIAL__FAILURES = eINSTANCE.getTrial_Failures();

		/**
		 * The meta object literal for the '<em><b>Measurements</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference TRIAL__MEASUREMENTS = eINSTANCE.getTrial_Measurements();

		/**
		 * The meta object literal for the '<em><b>Counts</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference TRIAL__COUNTS = eINSTANCE.getTrial_Counts();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.MeasurementImpl <em>Measurement</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.MeasurementImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getMeasurement()
		 * @generated
		 */
		EClass MEASUREMENT = eINSTANCE.getMeasurement();

		/**
		 * The meta object literal for the '<em><b>Response</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute MEASUREMENT__RESPONSE = eINSTANCE.getMeasurement_Response();

		/**
		 * The meta object literal for the '<em><b>Value</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute MEASUREMENT__VALUE = eINSTANCE.getMeasurement_Value();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.TreatmentCountImpl <em>Treatment Count</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.TreatmentCountImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getTreatmentCount()
		 * @generated
		 */
		EClass TREATMENT_COUNT = eINSTANCE.getTreatmentCount();

		/**
		 * The meta object literal for the '<em><b>Factor</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TREATMENT_COUNT__FACTOR = eINSTANCE.getTreatmentCount_Factor();

		/**
		 * The meta object literal for the '<em><b>Count</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TREATMENT_COUNT__COUNT = eINSTANCE.getTreatmentCount_Count();

		/**
		 * The meta object literal for the '<em><b>Requested Ns</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TREATMENT_COUNT__REQUESTED_NS = eINSTANCE.getTreatmentCount_RequestedNs();

		/**
		 * The meta object literal for the '<em><b>Achieved Ns</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TREATMENT_COUNT__ACHIEVED_NS = eINSTANCE.getTreatmentCount_AchievedNs();

		/**
		 * The meta object literal for the '<em><b>Skipped</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute TREATMENT_COUNT__SKIPPED = eINSTANCE.getTreatmentCount_Skipped();

		/**
		 * The meta object literal for the '{@link org.parallax.model.RunMode <em>Run Mode</em>}' enum.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.RunMode
		 * @see org.parallax.model.impl.ModelPackageImpl#getRunMode()
		 * @generated
		 */
		EEnum RUN_MODE = eINSTANCE.getRunMode();

		/**
		 * The meta object literal for the '{@link org.parallax.model.Treatment <em>Treatment</em>}' enum.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.Treatment
		 * @see org.parallax.model.impl.ModelPackageImpl#getTreatment()
		 * @generated
		 */
		EEnum TREATMENT = eINSTANCE.getTreatment();

		/**
		 * The meta object literal for the '{@link org.parallax.model.ResponseKind <em>Response Kind</em>}' enum.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.ResponseKind
		 * @see org.parallax.model.impl.ModelPackageImpl#getResponseKind()
		 * @generated
		 */
		EEnum RESPONSE_KIND = eINSTANCE.getResponseKind();

		/**
		 * The meta object literal for the '{@link org.parallax.model.TrialKind <em>Trial Kind</em>}' enum.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.TrialKind
		 * @see org.parallax.model.impl.ModelPackageImpl#getTrialKind()
		 * @generated
		 */
		EEnum TRIAL_KIND = eINSTANCE.getTrialKind();

		/**
		 * The meta object literal for the '{@link org.parallax.model.TrialStatus <em>Trial Status</em>}' enum.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.TrialStatus
		 * @see org.parallax.model.impl.ModelPackageImpl#getTrialStatus()
		 * @generated
		 */
		EEnum TRIAL_STATUS = eINSTANCE.getTrialStatus();

	}

} //ModelPackage
