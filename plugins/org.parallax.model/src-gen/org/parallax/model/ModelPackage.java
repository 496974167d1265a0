/**
 */
package org.parallax.model;

import org.eclipse.emf.ecore.EAttribute;
import org.eclipse.emf.ecore.EClass;
import org.eclipse.emf.ecore.EDataType;
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
	 * The feature id for the '<em><b>Applications</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int SESSION__APPLICATIONS = 0;

	/**
	 * The feature id for the '<em><b>Machines</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int SESSION__MACHINES = 1;

	/**
	 * The feature id for the '<em><b>Runs</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int SESSION__RUNS = 2;

	/**
	 * The feature id for the '<em><b>Externals</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int SESSION__EXTERNALS = 3;

	/**
	 * The number of structural features of the '<em>Session</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int SESSION_FEATURE_COUNT = 4;

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
	 * The meta object id for the '{@link org.parallax.model.impl.ApplicationImpl <em>Application</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.ApplicationImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getApplication()
	 * @generated
	 */
	int APPLICATION = 2;

	/**
	 * The feature id for the '<em><b>Session</b></em>' container reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int APPLICATION__SESSION = 0;

	/**
	 * The feature id for the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int APPLICATION__NAME = 1;

	/**
	 * The feature id for the '<em><b>Command</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int APPLICATION__COMMAND = 2;

	/**
	 * The feature id for the '<em><b>Trace Path</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int APPLICATION__TRACE_PATH = 3;

	/**
	 * The feature id for the '<em><b>Job</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int APPLICATION__JOB = 4;

	/**
	 * The feature id for the '<em><b>Start Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int APPLICATION__START_NS = 5;

	/**
	 * The feature id for the '<em><b>End Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int APPLICATION__END_NS = 6;

	/**
	 * The feature id for the '<em><b>Mode</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int APPLICATION__MODE = 7;

	/**
	 * The feature id for the '<em><b>Trace</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int APPLICATION__TRACE = 8;

	/**
	 * The feature id for the '<em><b>Processes</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int APPLICATION__PROCESSES = 9;

	/**
	 * The feature id for the '<em><b>Procedures</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int APPLICATION__PROCEDURES = 10;

	/**
	 * The number of structural features of the '<em>Application</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int APPLICATION_FEATURE_COUNT = 11;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.MachineImpl <em>Machine</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.MachineImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getMachine()
	 * @generated
	 */
	int MACHINE = 3;

	/**
	 * The feature id for the '<em><b>Session</b></em>' container reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int MACHINE__SESSION = 0;

	/**
	 * The feature id for the '<em><b>Host</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int MACHINE__HOST = 1;

	/**
	 * The feature id for the '<em><b>Processes</b></em>' reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int MACHINE__PROCESSES = 2;

	/**
	 * The number of structural features of the '<em>Machine</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int MACHINE_FEATURE_COUNT = 3;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.ProcessImpl <em>Process</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.ProcessImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getProcess()
	 * @generated
	 */
	int PROCESS = 4;

	/**
	 * The feature id for the '<em><b>Application</b></em>' container reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCESS__APPLICATION = 0;

	/**
	 * The feature id for the '<em><b>Machine</b></em>' reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCESS__MACHINE = 1;

	/**
	 * The feature id for the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCESS__NAME = 2;

	/**
	 * The feature id for the '<em><b>Pid</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCESS__PID = 3;

	/**
	 * The feature id for the '<em><b>World Rank</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCESS__WORLD_RANK = 4;

	/**
	 * The feature id for the '<em><b>Index</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCESS__INDEX = 5;

	/**
	 * The feature id for the '<em><b>Threads</b></em>' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCESS__THREADS = 6;

	/**
	 * The feature id for the '<em><b>Threads Named</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCESS__THREADS_NAMED = 7;

	/**
	 * The number of structural features of the '<em>Process</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCESS_FEATURE_COUNT = 8;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.ThreadImpl <em>Thread</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.ThreadImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getThread()
	 * @generated
	 */
	int THREAD = 5;

	/**
	 * The feature id for the '<em><b>Process</b></em>' container reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int THREAD__PROCESS = 0;

	/**
	 * The feature id for the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int THREAD__NAME = 1;

	/**
	 * The feature id for the '<em><b>Id</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int THREAD__ID = 2;

	/**
	 * The feature id for the '<em><b>Index</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int THREAD__INDEX = 3;

	/**
	 * The feature id for the '<em><b>Begin Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int THREAD__BEGIN_NS = 4;

	/**
	 * The feature id for the '<em><b>End Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int THREAD__END_NS = 5;

	/**
	 * The feature id for the '<em><b>Procedures</b></em>' reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int THREAD__PROCEDURES = 6;

	/**
	 * The number of structural features of the '<em>Thread</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int THREAD_FEATURE_COUNT = 7;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.ProcedureImpl <em>Procedure</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.ProcedureImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getProcedure()
	 * @generated
	 */
	int PROCEDURE = 6;

	/**
	 * The feature id for the '<em><b>Application</b></em>' container reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCEDURE__APPLICATION = 0;

	/**
	 * The feature id for the '<em><b>Id</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCEDURE__ID = 1;

	/**
	 * The feature id for the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCEDURE__NAME = 2;

	/**
	 * The feature id for the '<em><b>File</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCEDURE__FILE = 3;

	/**
	 * The feature id for the '<em><b>Line</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCEDURE__LINE = 4;

	/**
	 * The feature id for the '<em><b>Module</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCEDURE__MODULE = 5;

	/**
	 * The feature id for the '<em><b>Kind</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCEDURE__KIND = 6;

	/**
	 * The feature id for the '<em><b>Reason</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCEDURE__REASON = 7;

	/**
	 * The number of structural features of the '<em>Procedure</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int PROCEDURE_FEATURE_COUNT = 8;

	/**
	 * The meta object id for the '{@link org.parallax.model.impl.ExternalDataImpl <em>External Data</em>}' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.impl.ExternalDataImpl
	 * @see org.parallax.model.impl.ModelPackageImpl#getExternalData()
	 * @generated
	 */
	int EXTERNAL_DATA = 7;

	/**
	 * The feature id for the '<em><b>Session</b></em>' container reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXTERNAL_DATA__SESSION = 0;

	/**
	 * The feature id for the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXTERNAL_DATA__NAME = 1;

	/**
	 * The feature id for the '<em><b>Machine</b></em>' reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXTERNAL_DATA__MACHINE = 2;

	/**
	 * The feature id for the '<em><b>Process</b></em>' reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXTERNAL_DATA__PROCESS = 3;

	/**
	 * The feature id for the '<em><b>Application</b></em>' reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXTERNAL_DATA__APPLICATION = 4;

	/**
	 * The feature id for the '<em><b>Trace</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXTERNAL_DATA__TRACE = 5;

	/**
	 * The feature id for the '<em><b>Series</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXTERNAL_DATA__SERIES = 6;

	/**
	 * The number of structural features of the '<em>External Data</em>' class.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 * @ordered
	 */
	int EXTERNAL_DATA_FEATURE_COUNT = 7;

	/**
	 * The meta object id for the '{@link org.parallax.model.RunMode <em>Run Mode</em>}' enum.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.RunMode
	 * @see org.parallax.model.impl.ModelPackageImpl#getRunMode()
	 * @generated
	 */
	int RUN_MODE = 8;

	/**
	 * The meta object id for the '{@link org.parallax.model.ProcedureKind <em>Procedure Kind</em>}' enum.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.model.ProcedureKind
	 * @see org.parallax.model.impl.ModelPackageImpl#getProcedureKind()
	 * @generated
	 */
	int PROCEDURE_KIND = 9;

	/**
	 * The meta object id for the '<em>Trace Handle</em>' data type.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.trace.Trace
	 * @see org.parallax.model.impl.ModelPackageImpl#getTraceHandle()
	 * @generated
	 */
	int TRACE_HANDLE = 10;

	/**
	 * The meta object id for the '<em>Series Handle</em>' data type.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see org.parallax.trace.ExternalSeries
	 * @see org.parallax.model.impl.ModelPackageImpl#getSeriesHandle()
	 * @generated
	 */
	int SERIES_HANDLE = 11;


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
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Session#getApplications <em>Applications</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Applications</em>'.
	 * @see org.parallax.model.Session#getApplications()
	 * @see #getSession()
	 * @generated
	 */
	EReference getSession_Applications();

	/**
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Session#getMachines <em>Machines</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Machines</em>'.
	 * @see org.parallax.model.Session#getMachines()
	 * @see #getSession()
	 * @generated
	 */
	EReference getSession_Machines();

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
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Session#getExternals <em>Externals</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Externals</em>'.
	 * @see org.parallax.model.Session#getExternals()
	 * @see #getSession()
	 * @generated
	 */
	EReference getSession_Externals();

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
	 * Returns the meta object for class '{@link org.parallax.model.Application <em>Application</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Application</em>'.
	 * @see org.parallax.model.Application
	 * @generated
	 */
	EClass getApplication();

	/**
	 * Returns the meta object for the container reference '{@link org.parallax.model.Application#getSession <em>Session</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the container reference '<em>Session</em>'.
	 * @see org.parallax.model.Application#getSession()
	 * @see #getApplication()
	 * @generated
	 */
	EReference getApplication_Session();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Application#getName <em>Name</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Name</em>'.
	 * @see org.parallax.model.Application#getName()
	 * @see #getApplication()
	 * @generated
	 */
	EAttribute getApplication_Name();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Application#getCommand <em>Command</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Command</em>'.
	 * @see org.parallax.model.Application#getCommand()
	 * @see #getApplication()
	 * @generated
	 */
	EAttribute getApplication_Command();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Application#getTracePath <em>Trace Path</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Trace Path</em>'.
	 * @see org.parallax.model.Application#getTracePath()
	 * @see #getApplication()
	 * @generated
	 */
	EAttribute getApplication_TracePath();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Application#getJob <em>Job</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Job</em>'.
	 * @see org.parallax.model.Application#getJob()
	 * @see #getApplication()
	 * @generated
	 */
	EAttribute getApplication_Job();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Application#getStartNs <em>Start Ns</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Start Ns</em>'.
	 * @see org.parallax.model.Application#getStartNs()
	 * @see #getApplication()
	 * @generated
	 */
	EAttribute getApplication_StartNs();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Application#getEndNs <em>End Ns</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>End Ns</em>'.
	 * @see org.parallax.model.Application#getEndNs()
	 * @see #getApplication()
	 * @generated
	 */
	EAttribute getApplication_EndNs();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Application#getMode <em>Mode</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Mode</em>'.
	 * @see org.parallax.model.Application#getMode()
	 * @see #getApplication()
	 * @generated
	 */
	EAttribute getApplication_Mode();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Application#getTrace <em>Trace</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Trace</em>'.
	 * @see org.parallax.model.Application#getTrace()
	 * @see #getApplication()
	 * @generated
	 */
	EAttribute getApplication_Trace();

	/**
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Application#getProcesses <em>Processes</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Processes</em>'.
	 * @see org.parallax.model.Application#getProcesses()
	 * @see #getApplication()
	 * @generated
	 */
	EReference getApplication_Processes();

	/**
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Application#getProcedures <em>Procedures</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Procedures</em>'.
	 * @see org.parallax.model.Application#getProcedures()
	 * @see #getApplication()
	 * @generated
	 */
	EReference getApplication_Procedures();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.Machine <em>Machine</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Machine</em>'.
	 * @see org.parallax.model.Machine
	 * @generated
	 */
	EClass getMachine();

	/**
	 * Returns the meta object for the container reference '{@link org.parallax.model.Machine#getSession <em>Session</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the container reference '<em>Session</em>'.
	 * @see org.parallax.model.Machine#getSession()
	 * @see #getMachine()
	 * @generated
	 */
	EReference getMachine_Session();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Machine#getHost <em>Host</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Host</em>'.
	 * @see org.parallax.model.Machine#getHost()
	 * @see #getMachine()
	 * @generated
	 */
	EAttribute getMachine_Host();

	/**
	 * Returns the meta object for the reference list '{@link org.parallax.model.Machine#getProcesses <em>Processes</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the reference list '<em>Processes</em>'.
	 * @see org.parallax.model.Machine#getProcesses()
	 * @see #getMachine()
	 * @generated
	 */
	EReference getMachine_Processes();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.Process <em>Process</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Process</em>'.
	 * @see org.parallax.model.Process
	 * @generated
	 */
	EClass getProcess();

	/**
	 * Returns the meta object for the container reference '{@link org.parallax.model.Process#getApplication <em>Application</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the container reference '<em>Application</em>'.
	 * @see org.parallax.model.Process#getApplication()
	 * @see #getProcess()
	 * @generated
	 */
	EReference getProcess_Application();

	/**
	 * Returns the meta object for the reference '{@link org.parallax.model.Process#getMachine <em>Machine</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the reference '<em>Machine</em>'.
	 * @see org.parallax.model.Process#getMachine()
	 * @see #getProcess()
	 * @generated
	 */
	EReference getProcess_Machine();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Process#getName <em>Name</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Name</em>'.
	 * @see org.parallax.model.Process#getName()
	 * @see #getProcess()
	 * @generated
	 */
	EAttribute getProcess_Name();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Process#getPid <em>Pid</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Pid</em>'.
	 * @see org.parallax.model.Process#getPid()
	 * @see #getProcess()
	 * @generated
	 */
	EAttribute getProcess_Pid();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Process#getWorldRank <em>World Rank</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>World Rank</em>'.
	 * @see org.parallax.model.Process#getWorldRank()
	 * @see #getProcess()
	 * @generated
	 */
	EAttribute getProcess_WorldRank();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Process#getIndex <em>Index</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Index</em>'.
	 * @see org.parallax.model.Process#getIndex()
	 * @see #getProcess()
	 * @generated
	 */
	EAttribute getProcess_Index();

	/**
	 * Returns the meta object for the containment reference list '{@link org.parallax.model.Process#getThreads <em>Threads</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the containment reference list '<em>Threads</em>'.
	 * @see org.parallax.model.Process#getThreads()
	 * @see #getProcess()
	 * @generated
	 */
	EReference getProcess_Threads();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Process#isThreadsNamed <em>Threads Named</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Threads Named</em>'.
	 * @see org.parallax.model.Process#isThreadsNamed()
	 * @see #getProcess()
	 * @generated
	 */
	EAttribute getProcess_ThreadsNamed();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.Thread <em>Thread</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Thread</em>'.
	 * @see org.parallax.model.Thread
	 * @generated
	 */
	EClass getThread();

	/**
	 * Returns the meta object for the container reference '{@link org.parallax.model.Thread#getProcess <em>Process</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the container reference '<em>Process</em>'.
	 * @see org.parallax.model.Thread#getProcess()
	 * @see #getThread()
	 * @generated
	 */
	EReference getThread_Process();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Thread#getName <em>Name</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Name</em>'.
	 * @see org.parallax.model.Thread#getName()
	 * @see #getThread()
	 * @generated
	 */
	EAttribute getThread_Name();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Thread#getId <em>Id</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Id</em>'.
	 * @see org.parallax.model.Thread#getId()
	 * @see #getThread()
	 * @generated
	 */
	EAttribute getThread_Id();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Thread#getIndex <em>Index</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Index</em>'.
	 * @see org.parallax.model.Thread#getIndex()
	 * @see #getThread()
	 * @generated
	 */
	EAttribute getThread_Index();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Thread#getBeginNs <em>Begin Ns</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Begin Ns</em>'.
	 * @see org.parallax.model.Thread#getBeginNs()
	 * @see #getThread()
	 * @generated
	 */
	EAttribute getThread_BeginNs();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Thread#getEndNs <em>End Ns</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>End Ns</em>'.
	 * @see org.parallax.model.Thread#getEndNs()
	 * @see #getThread()
	 * @generated
	 */
	EAttribute getThread_EndNs();

	/**
	 * Returns the meta object for the reference list '{@link org.parallax.model.Thread#getProcedures <em>Procedures</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the reference list '<em>Procedures</em>'.
	 * @see org.parallax.model.Thread#getProcedures()
	 * @see #getThread()
	 * @generated
	 */
	EReference getThread_Procedures();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.Procedure <em>Procedure</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>Procedure</em>'.
	 * @see org.parallax.model.Procedure
	 * @generated
	 */
	EClass getProcedure();

	/**
	 * Returns the meta object for the container reference '{@link org.parallax.model.Procedure#getApplication <em>Application</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the container reference '<em>Application</em>'.
	 * @see org.parallax.model.Procedure#getApplication()
	 * @see #getProcedure()
	 * @generated
	 */
	EReference getProcedure_Application();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Procedure#getId <em>Id</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Id</em>'.
	 * @see org.parallax.model.Procedure#getId()
	 * @see #getProcedure()
	 * @generated
	 */
	EAttribute getProcedure_Id();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Procedure#getName <em>Name</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Name</em>'.
	 * @see org.parallax.model.Procedure#getName()
	 * @see #getProcedure()
	 * @generated
	 */
	EAttribute getProcedure_Name();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Procedure#getFile <em>File</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>File</em>'.
	 * @see org.parallax.model.Procedure#getFile()
	 * @see #getProcedure()
	 * @generated
	 */
	EAttribute getProcedure_File();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Procedure#getLine <em>Line</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Line</em>'.
	 * @see org.parallax.model.Procedure#getLine()
	 * @see #getProcedure()
	 * @generated
	 */
	EAttribute getProcedure_Line();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Procedure#getModule <em>Module</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Module</em>'.
	 * @see org.parallax.model.Procedure#getModule()
	 * @see #getProcedure()
	 * @generated
	 */
	EAttribute getProcedure_Module();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Procedure#getKind <em>Kind</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Kind</em>'.
	 * @see org.parallax.model.Procedure#getKind()
	 * @see #getProcedure()
	 * @generated
	 */
	EAttribute getProcedure_Kind();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.Procedure#getReason <em>Reason</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Reason</em>'.
	 * @see org.parallax.model.Procedure#getReason()
	 * @see #getProcedure()
	 * @generated
	 */
	EAttribute getProcedure_Reason();

	/**
	 * Returns the meta object for class '{@link org.parallax.model.ExternalData <em>External Data</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for class '<em>External Data</em>'.
	 * @see org.parallax.model.ExternalData
	 * @generated
	 */
	EClass getExternalData();

	/**
	 * Returns the meta object for the container reference '{@link org.parallax.model.ExternalData#getSession <em>Session</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the container reference '<em>Session</em>'.
	 * @see org.parallax.model.ExternalData#getSession()
	 * @see #getExternalData()
	 * @generated
	 */
	EReference getExternalData_Session();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.ExternalData#getName <em>Name</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Name</em>'.
	 * @see org.parallax.model.ExternalData#getName()
	 * @see #getExternalData()
	 * @generated
	 */
	EAttribute getExternalData_Name();

	/**
	 * Returns the meta object for the reference '{@link org.parallax.model.ExternalData#getMachine <em>Machine</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the reference '<em>Machine</em>'.
	 * @see org.parallax.model.ExternalData#getMachine()
	 * @see #getExternalData()
	 * @generated
	 */
	EReference getExternalData_Machine();

	/**
	 * Returns the meta object for the reference '{@link org.parallax.model.ExternalData#getProcess <em>Process</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the reference '<em>Process</em>'.
	 * @see org.parallax.model.ExternalData#getProcess()
	 * @see #getExternalData()
	 * @generated
	 */
	EReference getExternalData_Process();

	/**
	 * Returns the meta object for the reference '{@link org.parallax.model.ExternalData#getApplication <em>Application</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the reference '<em>Application</em>'.
	 * @see org.parallax.model.ExternalData#getApplication()
	 * @see #getExternalData()
	 * @generated
	 */
	EReference getExternalData_Application();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.ExternalData#getTrace <em>Trace</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Trace</em>'.
	 * @see org.parallax.model.ExternalData#getTrace()
	 * @see #getExternalData()
	 * @generated
	 */
	EAttribute getExternalData_Trace();

	/**
	 * Returns the meta object for the attribute '{@link org.parallax.model.ExternalData#getSeries <em>Series</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for the attribute '<em>Series</em>'.
	 * @see org.parallax.model.ExternalData#getSeries()
	 * @see #getExternalData()
	 * @generated
	 */
	EAttribute getExternalData_Series();

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
	 * Returns the meta object for enum '{@link org.parallax.model.ProcedureKind <em>Procedure Kind</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for enum '<em>Procedure Kind</em>'.
	 * @see org.parallax.model.ProcedureKind
	 * @generated
	 */
	EEnum getProcedureKind();

	/**
	 * Returns the meta object for data type '{@link org.parallax.trace.Trace <em>Trace Handle</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for data type '<em>Trace Handle</em>'.
	 * @see org.parallax.trace.Trace
	 * @model instanceClass="org.parallax.trace.Trace" serializeable="false"
	 * @generated
	 */
	EDataType getTraceHandle();

	/**
	 * Returns the meta object for data type '{@link org.parallax.trace.ExternalSeries <em>Series Handle</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the meta object for data type '<em>Series Handle</em>'.
	 * @see org.parallax.trace.ExternalSeries
	 * @model instanceClass="org.parallax.trace.ExternalSeries" serializeable="false"
	 * @generated
	 */
	EDataType getSeriesHandle();

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
		 * The meta object literal for the '<em><b>Applications</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference SESSION__APPLICATIONS = eINSTANCE.getSession_Applications();

		/**
		 * The meta object literal for the '<em><b>Machines</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference SESSION__MACHINES = eINSTANCE.getSession_Machines();

		/**
		 * The meta object literal for the '<em><b>Runs</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference SESSION__RUNS = eINSTANCE.getSession_Runs();

		/**
		 * The meta object literal for the '<em><b>Externals</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference SESSION__EXTERNALS = eINSTANCE.getSession_Externals();

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
		 * The meta object literal for the '{@link org.parallax.model.impl.ApplicationImpl <em>Application</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.ApplicationImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getApplication()
		 * @generated
		 */
		EClass APPLICATION = eINSTANCE.getApplication();

		/**
		 * The meta object literal for the '<em><b>Session</b></em>' container reference feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference APPLICATION__SESSION = eINSTANCE.getApplication_Session();

		/**
		 * The meta object literal for the '<em><b>Name</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute APPLICATION__NAME = eINSTANCE.getApplication_Name();

		/**
		 * The meta object literal for the '<em><b>Command</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute APPLICATION__COMMAND = eINSTANCE.getApplication_Command();

		/**
		 * The meta object literal for the '<em><b>Trace Path</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute APPLICATION__TRACE_PATH = eINSTANCE.getApplication_TracePath();

		/**
		 * The meta object literal for the '<em><b>Job</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute APPLICATION__JOB = eINSTANCE.getApplication_Job();

		/**
		 * The meta object literal for the '<em><b>Start Ns</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute APPLICATION__START_NS = eINSTANCE.getApplication_StartNs();

		/**
		 * The meta object literal for the '<em><b>End Ns</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute APPLICATION__END_NS = eINSTANCE.getApplication_EndNs();

		/**
		 * The meta object literal for the '<em><b>Mode</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute APPLICATION__MODE = eINSTANCE.getApplication_Mode();

		/**
		 * The meta object literal for the '<em><b>Trace</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute APPLICATION__TRACE = eINSTANCE.getApplication_Trace();

		/**
		 * The meta object literal for the '<em><b>Processes</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference APPLICATION__PROCESSES = eINSTANCE.getApplication_Processes();

		/**
		 * The meta object literal for the '<em><b>Procedures</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference APPLICATION__PROCEDURES = eINSTANCE.getApplication_Procedures();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.MachineImpl <em>Machine</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.MachineImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getMachine()
		 * @generated
		 */
		EClass MACHINE = eINSTANCE.getMachine();

		/**
		 * The meta object literal for the '<em><b>Session</b></em>' container reference feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference MACHINE__SESSION = eINSTANCE.getMachine_Session();

		/**
		 * The meta object literal for the '<em><b>Host</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute MACHINE__HOST = eINSTANCE.getMachine_Host();

		/**
		 * The meta object literal for the '<em><b>Processes</b></em>' reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference MACHINE__PROCESSES = eINSTANCE.getMachine_Processes();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.ProcessImpl <em>Process</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.ProcessImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getProcess()
		 * @generated
		 */
		EClass PROCESS = eINSTANCE.getProcess();

		/**
		 * The meta object literal for the '<em><b>Application</b></em>' container reference feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference PROCESS__APPLICATION = eINSTANCE.getProcess_Application();

		/**
		 * The meta object literal for the '<em><b>Machine</b></em>' reference feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference PROCESS__MACHINE = eINSTANCE.getProcess_Machine();

		/**
		 * The meta object literal for the '<em><b>Name</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute PROCESS__NAME = eINSTANCE.getProcess_Name();

		/**
		 * The meta object literal for the '<em><b>Pid</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute PROCESS__PID = eINSTANCE.getProcess_Pid();

		/**
		 * The meta object literal for the '<em><b>World Rank</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute PROCESS__WORLD_RANK = eINSTANCE.getProcess_WorldRank();

		/**
		 * The meta object literal for the '<em><b>Index</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute PROCESS__INDEX = eINSTANCE.getProcess_Index();

		/**
		 * The meta object literal for the '<em><b>Threads</b></em>' containment reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference PROCESS__THREADS = eINSTANCE.getProcess_Threads();

		/**
		 * The meta object literal for the '<em><b>Threads Named</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute PROCESS__THREADS_NAMED = eINSTANCE.getProcess_ThreadsNamed();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.ThreadImpl <em>Thread</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.ThreadImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getThread()
		 * @generated
		 */
		EClass THREAD = eINSTANCE.getThread();

		/**
		 * The meta object literal for the '<em><b>Process</b></em>' container reference feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference THREAD__PROCESS = eINSTANCE.getThread_Process();

		/**
		 * The meta object literal for the '<em><b>Name</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute THREAD__NAME = eINSTANCE.getThread_Name();

		/**
		 * The meta object literal for the '<em><b>Id</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute THREAD__ID = eINSTANCE.getThread_Id();

		/**
		 * The meta object literal for the '<em><b>Index</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute THREAD__INDEX = eINSTANCE.getThread_Index();

		/**
		 * The meta object literal for the '<em><b>Begin Ns</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute THREAD__BEGIN_NS = eINSTANCE.getThread_BeginNs();

		/**
		 * The meta object literal for the '<em><b>End Ns</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute THREAD__END_NS = eINSTANCE.getThread_EndNs();

		/**
		 * The meta object literal for the '<em><b>Procedures</b></em>' reference list feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference THREAD__PROCEDURES = eINSTANCE.getThread_Procedures();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.ProcedureImpl <em>Procedure</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.ProcedureImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getProcedure()
		 * @generated
		 */
		EClass PROCEDURE = eINSTANCE.getProcedure();

		/**
		 * The meta object literal for the '<em><b>Application</b></em>' container reference feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference PROCEDURE__APPLICATION = eINSTANCE.getProcedure_Application();

		/**
		 * The meta object literal for the '<em><b>Id</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute PROCEDURE__ID = eINSTANCE.getProcedure_Id();

		/**
		 * The meta object literal for the '<em><b>Name</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute PROCEDURE__NAME = eINSTANCE.getProcedure_Name();

		/**
		 * The meta object literal for the '<em><b>File</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute PROCEDURE__FILE = eINSTANCE.getProcedure_File();

		/**
		 * The meta object literal for the '<em><b>Line</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute PROCEDURE__LINE = eINSTANCE.getProcedure_Line();

		/**
		 * The meta object literal for the '<em><b>Module</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute PROCEDURE__MODULE = eINSTANCE.getProcedure_Module();

		/**
		 * The meta object literal for the '<em><b>Kind</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute PROCEDURE__KIND = eINSTANCE.getProcedure_Kind();

		/**
		 * The meta object literal for the '<em><b>Reason</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute PROCEDURE__REASON = eINSTANCE.getProcedure_Reason();

		/**
		 * The meta object literal for the '{@link org.parallax.model.impl.ExternalDataImpl <em>External Data</em>}' class.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.impl.ExternalDataImpl
		 * @see org.parallax.model.impl.ModelPackageImpl#getExternalData()
		 * @generated
		 */
		EClass EXTERNAL_DATA = eINSTANCE.getExternalData();

		/**
		 * The meta object literal for the '<em><b>Session</b></em>' container reference feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference EXTERNAL_DATA__SESSION = eINSTANCE.getExternalData_Session();

		/**
		 * The meta object literal for the '<em><b>Name</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXTERNAL_DATA__NAME = eINSTANCE.getExternalData_Name();

		/**
		 * The meta object literal for the '<em><b>Machine</b></em>' reference feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference EXTERNAL_DATA__MACHINE = eINSTANCE.getExternalData_Machine();

		/**
		 * The meta object literal for the '<em><b>Process</b></em>' reference feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference EXTERNAL_DATA__PROCESS = eINSTANCE.getExternalData_Process();

		/**
		 * The meta object literal for the '<em><b>Application</b></em>' reference feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EReference EXTERNAL_DATA__APPLICATION = eINSTANCE.getExternalData_Application();

		/**
		 * The meta object literal for the '<em><b>Trace</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXTERNAL_DATA__TRACE = eINSTANCE.getExternalData_Trace();

		/**
		 * The meta object literal for the '<em><b>Series</b></em>' attribute feature.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @generated
		 */
		EAttribute EXTERNAL_DATA__SERIES = eINSTANCE.getExternalData_Series();

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
		 * The meta object literal for the '{@link org.parallax.model.ProcedureKind <em>Procedure Kind</em>}' enum.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.model.ProcedureKind
		 * @see org.parallax.model.impl.ModelPackageImpl#getProcedureKind()
		 * @generated
		 */
		EEnum PROCEDURE_KIND = eINSTANCE.getProcedureKind();

		/**
		 * The meta object literal for the '<em>Trace Handle</em>' data type.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.trace.Trace
		 * @see org.parallax.model.impl.ModelPackageImpl#getTraceHandle()
		 * @generated
		 */
		EDataType TRACE_HANDLE = eINSTANCE.getTraceHandle();

		/**
		 * The meta object literal for the '<em>Series Handle</em>' data type.
		 * <!-- begin-user-doc -->
		 * <!-- end-user-doc -->
		 * @see org.parallax.trace.ExternalSeries
		 * @see org.parallax.model.impl.ModelPackageImpl#getSeriesHandle()
		 * @generated
		 */
		EDataType SERIES_HANDLE = eINSTANCE.getSeriesHandle();

	}

} //ModelPackage
