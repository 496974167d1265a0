/**
 */
package org.parallax.model;

import org.eclipse.emf.common.util.EList;

import org.eclipse.emf.ecore.EObject;

/**
 * <!-- begin-user-doc -->
 * A representation of the model object '<em><b>Thread</b></em>'.
 * <!-- end-user-doc -->
 *
 * <p>
 * The following features are supported:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.Thread#getProcess <em>Process</em>}</li>
 *   <li>{@link org.parallax.model.Thread#getName <em>Name</em>}</li>
 *   <li>{@link org.parallax.model.Thread#getId <em>Id</em>}</li>
 *   <li>{@link org.parallax.model.Thread#getIndex <em>Index</em>}</li>
 *   <li>{@link org.parallax.model.Thread#getBeginNs <em>Begin Ns</em>}</li>
 *   <li>{@link org.parallax.model.Thread#getEndNs <em>End Ns</em>}</li>
 *   <li>{@link org.parallax.model.Thread#getProcedures <em>Procedures</em>}</li>
 * </ul>
 *
 * @see org.parallax.model.ModelPackage#getThread()
 * @model
 * @generated
 */
public interface Thread extends EObject {
	/**
	 * Returns the value of the '<em><b>Process</b></em>' container reference.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.Process#getThreads <em>Threads</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Process</em>' container reference.
	 * @see #setProcess(org.parallax.model.Process)
	 * @see org.parallax.model.ModelPackage#getThread_Process()
	 * @see org.parallax.model.Process#getThreads
	 * @model opposite="threads" transient="false"
	 * @generated
	 */
	org.parallax.model.Process getProcess();

	/**
	 * Sets the value of the '{@link org.parallax.model.Thread#getProcess <em>Process</em>}' container reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Process</em>' container reference.
	 * @see #getProcess()
	 * @generated
	 */
	void setProcess(org.parallax.model.Process value);

	/**
	 * Returns the value of the '<em><b>Name</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Name</em>' attribute.
	 * @see #setName(String)
	 * @see org.parallax.model.ModelPackage#getThread_Name()
	 * @model
	 * @generated
	 */
	String getName();

	/**
	 * Sets the value of the '{@link org.parallax.model.Thread#getName <em>Name</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Name</em>' attribute.
	 * @see #getName()
	 * @generated
	 */
	void setName(String value);

	/**
	 * Returns the value of the '<em><b>Id</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The number that the process gave it, 0 for the main thread.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Id</em>' attribute.
	 * @see #setId(int)
	 * @see org.parallax.model.ModelPackage#getThread_Id()
	 * @model
	 * @generated
	 */
	int getId();

	/**
	 * Sets the value of the '{@link org.parallax.model.Thread#getId <em>Id</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Id</em>' attribute.
	 * @see #getId()
	 * @generated
	 */
	void setId(int value);

	/**
	 * Returns the value of the '<em><b>Index</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The position among the recorded threads of its process.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Index</em>' attribute.
	 * @see #setIndex(int)
	 * @see org.parallax.model.ModelPackage#getThread_Index()
	 * @model
	 * @generated
	 */
	int getIndex();

	/**
	 * Sets the value of the '{@link org.parallax.model.Thread#getIndex <em>Index</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Index</em>' attribute.
	 * @see #getIndex()
	 * @generated
	 */
	void setIndex(int value);

	/**
	 * Returns the value of the '<em><b>Begin Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Begin Ns</em>' attribute.
	 * @see #setBeginNs(long)
	 * @see org.parallax.model.ModelPackage#getThread_BeginNs()
	 * @model
	 * @generated
	 */
	long getBeginNs();

	/**
	 * Sets the value of the '{@link org.parallax.model.Thread#getBeginNs <em>Begin Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Begin Ns</em>' attribute.
	 * @see #getBeginNs()
	 * @generated
	 */
	void setBeginNs(long value);

	/**
	 * Returns the value of the '<em><b>End Ns</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>End Ns</em>' attribute.
	 * @see #setEndNs(long)
	 * @see org.parallax.model.ModelPackage#getThread_EndNs()
	 * @model
	 * @generated
	 */
	long getEndNs();

	/**
	 * Sets the value of the '{@link org.parallax.model.Thread#getEndNs <em>End Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>End Ns</em>' attribute.
	 * @see #getEndNs()
	 * @generated
	 */
	void setEndNs(long value);

	/**
	 * Returns the value of the '<em><b>Procedures</b></em>' reference list.
	 * The list contents are of type {@link org.parallax.model.Procedure}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * <!-- begin-model-doc -->
	 * The procedures seen on this thread; empty until ThreadProcedures has read its events.
	 * <!-- end-model-doc -->
	 * @return the value of the '<em>Procedures</em>' reference list.
	 * @see org.parallax.model.ModelPackage#getThread_Procedures()
	 * @model
	 * @generated
	 */
	EList<Procedure> getProcedures();

} // Thread
