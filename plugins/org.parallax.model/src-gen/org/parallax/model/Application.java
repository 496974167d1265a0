/**
 */
package org.parallax.model;

import org.eclipse.emf.common.util.EList;

import org.eclipse.emf.ecore.EObject;

import org.parallax.trace.Trace;

/**
 * <!-- begin-user-doc -->
 * A representation of the model object '<em><b>Application</b></em>'.
 * <!-- end-user-doc -->
 *
 * <!-- begin-model-doc -->
 * The processes of one MPI job, of one virtual machine of PVM, or of one executable. It is the root of a logical tree.
 * <!-- end-model-doc -->
 *
 * <p>
 * The following features are supported:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.Application#getSession <em>Session</em>}</li>
 *   <li>{@link org.parallax.model.Application#getName <em>Name</em>}</li>
 *   <li>{@link org.parallax.model.Application#getCommand <em>Command</em>}</li>
 *   <li>{@link org.parallax.model.Application#getTracePath <em>Trace Path</em>}</li>
 *   <li>{@link org.parallax.model.Application#getJob <em>Job</em>}</li>
 *   <li>{@link org.parallax.model.Application#getStartNs <em>Start Ns</em>}</li>
 *   <li>{@link org.parallax.model.Application#getEndNs <em>End Ns</em>}</li>
 *   <li>{@link org.parallax.model.Application#getMode <em>Mode</em>}</li>
 *   <li>{@link org.parallax.model.Application#getTrace <em>Trace</em>}</li>
 *   <li>{@link org.parallax.model.Application#getProcesses <em>Processes</em>}</li>
 *   <li>{@link org.parallax.model.Application#getProcedures <em>Procedures</em>}</li>
 * </ul>
 *
 * @see org.parallax.model.ModelPackage#getApplication()
 * @model
 * @generated
 */
public interface Application extends EObject {
	/**
	 * Returns the value of the '<em><b>Session</b></em>' container reference.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.Session#getApplications <em>Applications</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Session</em>' container reference.
	 * @see #setSession(Session)
	 * @see org.parallax.model.ModelPackage#getApplication_Session()
	 * @see org.parallax.model.Session#getApplications
	 * @model opposite="applications" transient="false"
	 * @generated
	 */
	Session getSession();

	/**
	 * Sets the value of the '{@link org.parallax.model.Application#getSession <em>Session</em>}' container reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Session</em>' container reference.
	 * @see #getSession()
	 * @generated
	 */
	void setSession(Session value);

	/**
	 * Returns the value of the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Name</em>' attribute.
	 * @see #setName(String)
	 * @see org.parallax.model.ModelPackage#getApplication_Name()
	 * @model
	 * @generated
	 */
	String getName();

	/**
	 * Sets the value of the '{@link org.parallax.model.Application#getName <em>Name</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Name</em>' attribute.
	 * @see #getName()
	 * @generated
	 */
	void setName(String value);

	/**
	 * Returns the value of the '<em><b>Command</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The command that was recorded, quoted for a shell.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Command</em>' attribute.
	 * @see #setCommand(String)
	 * @see org.parallax.model.ModelPackage#getApplication_Command()
	 * @model
	 * @generated
	 */
	String getCommand();

	/**
	 * Sets the value of the '{@link org.parallax.model.Application#getCommand <em>Command</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Command</em>' attribute.
	 * @see #getCommand()
	 * @generated
	 */
	void setCommand(String value);

	/**
	 * Returns the value of the '<em><b>Trace Path</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The trace directory, absolute. Several applications of one run share it.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Trace Path</em>' attribute.
	 * @see #setTracePath(String)
	 * @see org.parallax.model.ModelPackage#getApplication_TracePath()
	 * @model
	 * @generated
	 */
	String getTracePath();

	/**
	 * Sets the value of the '{@link org.parallax.model.Application#getTracePath <em>Trace Path</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Trace Path</em>' attribute.
	 * @see #getTracePath()
	 * @generated
	 */
	void setTracePath(String value);

	/**
	 * Returns the value of the '<em><b>Job</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The number of the MPI job; meaningful only if the processes have world ranks.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Job</em>' attribute.
	 * @see #setJob(long)
	 * @see org.parallax.model.ModelPackage#getApplication_Job()
	 * @model
	 * @generated
	 */
	long getJob();

	/**
	 * Sets the value of the '{@link org.parallax.model.Application#getJob <em>Job</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Job</em>' attribute.
	 * @see #getJob()
	 * @generated
	 */
	void setJob(long value);

	/**
	 * Returns the value of the '<em><b>Start Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * When its first thread began, in nanoseconds since the trace's first process started.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Start Ns</em>' attribute.
	 * @see #setStartNs(long)
	 * @see org.parallax.model.ModelPackage#getApplication_StartNs()
	 * @model
	 * @generated
	 */
	long getStartNs();

	/**
	 * Sets the value of the '{@link org.parallax.model.Application#getStartNs <em>Start Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Start Ns</em>' attribute.
	 * @see #getStartNs()
	 * @generated
	 */
	void setStartNs(long value);

	/**
	 * Returns the value of the '<em><b>End Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * When its last thread ended, in nanoseconds since the trace's first process started.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>End Ns</em>' attribute.
	 * @see #setEndNs(long)
	 * @see org.parallax.model.ModelPackage#getApplication_EndNs()
	 * @model
	 * @generated
	 */
	long getEndNs();

	/**
	 * Sets the value of the '{@link org.parallax.model.Application#getEndNs <em>End Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>End Ns</em>' attribute.
	 * @see #getEndNs()
	 * @generated
	 */
	void setEndNs(long value);

	/**
	 * Returns the value of the '<em><b>Mode</b></em>' attribute.
	 * The literals are from the enumeration {@link org.parallax.model.RunMode}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * How the run takes part in the session.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Mode</em>' attribute.
	 * @see org.parallax.model.RunMode
	 * @see #setMode(RunMode)
	 * @see org.parallax.model.ModelPackage#getApplication_Mode()
	 * @model
	 * @generated
	 */
	RunMode getMode();

	/**
	 * Sets the value of the '{@link org.parallax.model.Application#getMode <em>Mode</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Mode</em>' attribute.
	 * @see org.parallax.model.RunMode
	 * @see #getMode()
	 * @generated
	 */
	void setMode(RunMode value);

	/**
	 * Returns the value of the '<em><b>Trace</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The opened trace, null when only the model was loaded. Applications of one run share it.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Trace</em>' attribute.
	 * @see #setTrace(Trace)
	 * @see org.parallax.model.ModelPackage#getApplication_Trace()
	 * @model dataType="org.parallax.model.TraceHandle" transient="true"
	 * @generated
	 */
	Trace getTrace();

	/**
	 * Sets the value of the '{@link org.parallax.model.Application#getTrace <em>Trace</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Trace</em>' attribute.
	 * @see #getTrace()
	 * @generated
	 */
	void setTrace(Trace value);

	/**
	 * Returns the value of the '<em><b>Processes</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.Process}.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.Process#getApplication <em>Application</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Processes</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getApplication_Processes()
	 * @see org.parallax.model.Process#getApplication
	 * @model opposite="application" containment="true"
	 * @generated
	 */
	EList<org.parallax.model.Process> getProcesses();

	/**
	 * Returns the value of the '<em><b>Procedures</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.Procedure}.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.Procedure#getApplication <em>Application</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The procedures on the call paths of its processes, by rising id.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Procedures</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getApplication_Procedures()
	 * @see org.parallax.model.Procedure#getApplication
	 * @model opposite="application" containment="true"
	 * @generated
	 */
	EList<Procedure> getProcedures();

} // Application
