/**
 */
package org.parallax.model;

import org.eclipse.emf.common.util.EList;

import org.eclipse.emf.ecore.EObject;

/**
 * <!-- begin-user-doc -->
 * A representation of the model object '<em><b>Machine</b></em>'.
 * <!-- end-user-doc -->
 *
 * <p>
 * The following features are supported:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.Machine#getSession <em>Session</em>}</li>
 *   <li>{@link org.parallax.model.Machine#getHost <em>Host</em>}</li>
 *   <li>{@link org.parallax.model.Machine#getProcesses <em>Processes</em>}</li>
 * </ul>
 *
 * @see org.parallax.model.ModelPackage#getMachine()
 * @model
 * @generated
 */
public interface Machine extends EObject {
	/**
	 * Returns the value of the '<em><b>Session</b></em>' container reference.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.Session#getMachines <em>Machines</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Session</em>' container reference.
	 * @see #setSession(Session)
	 * @see org.parallax.model.ModelPackage#getMachine_Session()
	 * @see org.parallax.model.Session#getMachines
	 * @model opposite="machines" transient="false"
	 * @generated
	 */
	Session getSession();

	/**
	 * Sets the value of the '{@link org.parallax.model.Machine#getSession <em>Session</em>}' container reference.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Session</em>' container reference.
	 * @see #getSession()
	 * @generated
	 */
	void setSession(Session value);

	/**
	 * Returns the value of the '<em><b>Host</b></em>' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Host</em>' attribute.
	 * @see #setHost(String)
	 * @see org.parallax.model.ModelPackage#getMachine_Host()
	 * @model
	 * @generated
	 */
	String getHost();

	/**
	 * Sets the value of the '{@link org.parallax.model.Machine#getHost <em>Host</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @param value the new value of the '<em>Host</em>' attribute.
	 * @see #getHost()
	 * @generated
	 */
	void setHost(String value);

	/**
	 * Returns the value of the '<em><b>Processes</b></em>' reference list.
	 * The list contents are of type {@link org.parallax.model.Process}.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.Process#getMachine <em>Machine</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Processes</em>' reference list.
	 * @see org.parallax.model.ModelPackage#getMachine_Processes()
	 * @see org.parallax.model.Process#getMachine
	 * @model opposite="machine"
	 * @generated
	 */
	EList<org.parallax.model.Process> getProcesses();

} // Machine
