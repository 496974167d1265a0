/**
 */
package org.parallax.model;

import org.eclipse.emf.common.util.EList;

import org.eclipse.emf.ecore.EObject;

/**
 * <!-- begin-user-doc -->
 * A representation of the model object '<em><b>Session</b></em>'.
 * <!-- end-user-doc -->
 *
 * <!-- begin-model-doc -->
 * Everything that is looked at together: the applications of one or several runs and the machines they ran on. Its file holds the runs; the rest is read from their traces.
 * <!-- end-model-doc -->
 *
 * <p>
 * The following features are supported:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.Session#getApplications <em>Applications</em>}</li>
 *   <li>{@link org.parallax.model.Session#getMachines <em>Machines</em>}</li>
 *   <li>{@link org.parallax.model.Session#getRuns <em>Runs</em>}</li>
 *   <li>{@link org.parallax.model.Session#getExternals <em>Externals</em>}</li>
 * </ul>
 *
 * @see org.parallax.model.ModelPackage#getSession()
 * @model
 * @generated
 */
public interface Session extends EObject {
	/**
	 * Returns the value of the '<em><b>Applications</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.Application}.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.Application#getSession <em>Session</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Applications</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getSession_Applications()
	 * @see org.parallax.model.Application#getSession
	 * @model opposite="session" containment="true" transient="true"
	 * @generated
	 */
	EList<Application> getApplications();

	/**
	 * Returns the value of the '<em><b>Machines</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.Machine}.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.Machine#getSession <em>Session</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Machines</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getSession_Machines()
	 * @see org.parallax.model.Machine#getSession
	 * @model opposite="session" containment="true" transient="true"
	 * @generated
	 */
	EList<Machine> getMachines();

	/**
	 * Returns the value of the '<em><b>Runs</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.Run}.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Runs</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getSession_Runs()
	 * @model containment="true"
	 * @generated
	 */
	EList<Run> getRuns();

	/**
	 * Returns the value of the '<em><b>Externals</b></em>' containment reference list.
	 * The list contents are of type {@link org.parallax.model.ExternalData}.
	 * It is bidirectional and its opposite is '{@link org.parallax.model.ExternalData#getSession <em>Session</em>}'.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @return the value of the '<em>Externals</em>' containment reference list.
	 * @see org.parallax.model.ModelPackage#getSession_Externals()
	 * @see org.parallax.model.ExternalData#getSession
	 * @model opposite="session" containment="true" transient="true"
	 * @generated
	 */
	EList<ExternalData> getExternals();

} // Session
