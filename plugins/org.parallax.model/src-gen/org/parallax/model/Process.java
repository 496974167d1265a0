/**
 */
package org.parallax.model;

import org.eclipse.emf.common.util.EList;

import org.eclipse.emf.ecore.EObject;

/**
 * <!-- begin-user-doc -->
 * A representation of the model object '<em><b>Process</b></em>'.
 * <!-- end-user-doc -->
 *
 * <p>
 * The following features are supported:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.Process#getApplication <em>Application</em>}</li>
 *   <li>{@link org.parallax.model.Process#getMachine <em>Machine</em>}</li>
 *   <li>{@link org.parallax.model.Process#getName <em>Name</em>}</li>
 *   <li>{@link org.parallax.model.Process#getPid <em>Pid</em>}</li>
 *   <li>{@link org.parallax.model.Process#getWorldRank <em>World Rank</em>}</li>
 *   <li>{@link org.parallax.model.Process#getIndex <em>Index</em>}</li>
 *   <li>{@link org.parallax.model.Process#getThreads <em>Threads</em>}</li>
 *   <li>{@link org.parallax.model.Process#isThreadsNamed <em>Threads Named</em>}</li>
 * </ul>
 *
 * @see org.parallax.model.ModelPackage#getProcess()
 * @model
 * @generated
 */
public interface Process extends EObject {
	/**
	 * Returns the value of the '<em><b>Application</b></em>' container reference.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.Application#getProcesses <em>Processes</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Application</em>' container reference.
	 * @see #setApplication(Application)
	 * @see org.parallax.model.ModelPackage#getProcess_Application()
	 * @see org.parallax.model.Application#getProcesses
	 * @model opposite="processes" transient="false"
	 * @generated
	 */
	Application getApplication();

	/**
	 * Sets the value of the '{@link org.parallax.model.Process#getApplication <em>Application</em>}' container reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Application</em>' container reference.
	 * @see #getApplication()
	 * @generated
	 */
	void setApplication(Application value);

	/**
	 * Returns the value of the '<em><b>Machine</b></em>' reference.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.Machine#getProcesses <em>Processes</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Machine</em>' reference.
	 * @see #setMachine(Machine)
	 * @see org.parallax.model.ModelPackage#getProcess_Machine()
	 * @see org.parallax.model.Machine#getProcesses
	 * @model opposite="processes"
	 * @generated
	 */
	Machine getMachine();

	/**
	 * Sets the value of the '{@link org.parallax.model.Process#getMachine <em>Machine</em>}' reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Machine</em>' reference.
	 * @see #getMachine()
	 * @generated
	 */
	void setMachine(Machine value);

	/**
	 * Returns the value of the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The program, with the world rank or the pid in brackets: ring[3]. Unique in its application.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Name</em>' attribute.
	 * @see #setName(String)
	 * @see org.parallax.model.ModelPackage#getProcess_Name()
	 * @model
	 * @generated
	 */
	String getName();

	/**
	 * Sets the value of the '{@link org.parallax.model.Process#getName <em>Name</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Name</em>' attribute.
	 * @see #getName()
	 * @generated
	 */
	void setName(String value);

	/**
	 * Returns the value of the '<em><b>Pid</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Pid</em>' attribute.
	 * @see #setPid(int)
	 * @see org.parallax.model.ModelPackage#getProcess_Pid()
	 * @model
	 * @generated
	 */
	int getPid();

	/**
	 * Sets the value of the '{@link org.parallax.model.Process#getPid <em>Pid</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Pid</em>' attribute.
	 * @see #getPid()
	 * @generated
	 */
	void setPid(int value);

	/**
	 * Returns the value of the '<em><b>World Rank</b></em>' attribute.
	 * The default value is <code>"-1"</code>.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The rank in MPI_COMM_WORLD, -1 for a process that never initialized MPI.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>World Rank</em>' attribute.
	 * @see #setWorldRank(int)
	 * @see org.parallax.model.ModelPackage#getProcess_WorldRank()
	 * @model default="-1"
	 * @generated
	 */
	int getWorldRank();

	/**
	 * Sets the value of the '{@link org.parallax.model.Process#getWorldRank <em>World Rank</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>World Rank</em>' attribute.
	 * @see #getWorldRank()
	 * @generated
	 */
	void setWorldRank(int value);

	/**
	 * Returns the value of the '<em><b>Index</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The position among the processes of its trace.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Index</em>' attribute.
	 * @see #setIndex(int)
	 * @see org.parallax.model.ModelPackage#getProcess_Index()
	 * @model
	 * @generated
	 */
	int getIndex();

	/**
	 * Sets the value of the '{@link org.parallax.model.Process#getIndex <em>Index</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Index</em>' attribute.
	 * @see #getIndex()
	 * @generated
	 */
	void setIndex(int value);

	/**
	 * Returns the value of the '<em><b>Threads</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.Thread}.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.Thread#getProcess <em>Process</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Threads</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getProcess_Threads()
	 * @see org.parallax.model.Thread#getProcess
	 * @model opposite="process" containment="true"
	 * @generated
	 */
	EList<org.parallax.model.Thread> getThreads();

	/**
	 * Returns the value of the '<em><b>Threads Named</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * Whether tables name its thread even if it is the only one: in a run that it is compared with there are several.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Threads Named</em>' attribute.
	 * @see #setThreadsNamed(boolean)
	 * @see org.parallax.model.ModelPackage#getProcess_ThreadsNamed()
	 * @model transient="true"
	 * @generated
	 */
	boolean isThreadsNamed();

	/**
	 * Sets the value of the '{@link org.parallax.model.Process#isThreadsNamed <em>Threads Named</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Threads Named</em>' attribute.
	 * @see #isThreadsNamed()
	 * @generated
	 */
	void setThreadsNamed(boolean value);

} // Process
