/**
 */
package org.parallax.model.impl;

import java.util.Collection;

import org.eclipse.emf.common.notify.NotificationChain;

import org.eclipse.emf.common.util.EList;

import org.eclipse.emf.ecore.EClass;
import org.eclipse.emf.ecore.InternalEObject;

import org.eclipse.emf.ecore.impl.MinimalEObjectImpl;

import org.eclipse.emf.ecore.util.EObjectContainmentEList;
import org.eclipse.emf.ecore.util.EObjectContainmentWithInverseEList;
import org.eclipse.emf.ecore.util.InternalEList;

import org.parallax.model.Application;
import org.parallax.model.ExternalData;
import org.parallax.model.Machine;
import org.parallax.model.ModelPackage;
import org.parallax.model.Run;
import org.parallax.model.Session;

/**
 * <!-- begin-user-doc -->
 * An implementation of the model object '<em><b>Session</b></em>'.
 * <!-- end-user-doc -->
 * <p>
 * The following features are implemented:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.impl.SessionImpl#getApplications <em>Applications</em>}</li>
 *   <li>{@link org.parallax.model.impl.SessionImpl#getMachines <em>Machines</em>}</li>
 *   <li>{@link org.parallax.model.impl.SessionImpl#getRuns <em>Runs</em>}</li>
 *   <li>{@link org.parallax.model.impl.SessionImpl#getExternals <em>Externals</em>}</li>
 * </ul>
 *
 * @generated
 */
public class SessionImpl extends MinimalEObjectImpl.Container implements Session {
	/**
	 * The cached value of the '{@link #getApplications() <em>Applications</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getApplications()
	 * @generated
	 * @ordered
	 */
	protected EList<Application> applications;

	/**
	 * The cached value of the '{@link #getMachines() <em>Machines</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getMachines()
	 * @generated
	 * @ordered
	 */
	protected EList<Machine> machines;

	/**
	 * The cached value of the '{@link #getRuns() <em>Runs</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getRuns()
	 * @generated
	 * @ordered
	 */
	protected EList<Run> runs;

	/**
	 * The cached value of the '{@link #getExternals() <em>Externals</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getExternals()
	 * @generated
	 * @ordered
	 */
	protected EList<ExternalData> externals;

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	protected SessionImpl() {
		super();
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	protected EClass eStaticClass() {
		return ModelPackage.Literals.SESSION;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<Application> getApplications() {
		if (applications == null) {
			applications = new EObjectContainmentWithInverseEList<Application>(Application.class, this, ModelPackage.SESSION__APPLICATIONS, ModelPackage.APPLICATION__SESSION);
		}
		return applications;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<Machine> getMachines() {
		if (machines == null) {
			machines = new EObjectContainmentWithInverseEList<Machine>(Machine.class, this, ModelPackage.SESSION__MACHINES, ModelPackage.MACHINE__SESSION);
		}
		return machines;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<Run> getRuns() {
		if (runs == null) {
			runs = new EObjectContainmentEList<Run>(Run.class, this, ModelPackage.SESSION__RUNS);
		}
		return runs;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<ExternalData> getExternals() {
		if (externals == null) {
			externals = new EObjectContainmentWithInverseEList<ExternalData>(ExternalData.class, this, ModelPackage.SESSION__EXTERNALS, ModelPackage.EXTERNAL_DATA__SESSION);
		}
		return externals;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@SuppressWarnings("unchecked")
	@Override
	public NotificationChain eInverseAdd(InternalEObject otherEnd, int featureID, NotificationChain msgs) {
		switch (featureID) {
			case ModelPackage.SESSION__APPLICATIONS:
				return ((InternalEList<InternalEObject>)(InternalEList<?>)getApplications()).basicAdd(otherEnd, msgs);
			case ModelPackage.SESSION__MACHINES:
				return ((InternalEList<InternalEObject>)(InternalEList<?>)getMachines()).basicAdd(otherEnd, msgs);
			case ModelPackage.SESSION__EXTERNALS:
				return ((InternalEList<InternalEObject>)(InternalEList<?>)getExternals()).basicAdd(otherEnd, msgs);
		}
		return super.eInverseAdd(otherEnd, featureID, msgs);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public NotificationChain eInverseRemove(InternalEObject otherEnd, int featureID, NotificationChain msgs) {
		switch (featureID) {
			case ModelPackage.SESSION__APPLICATIONS:
				return ((InternalEList<?>)getApplications()).basicRemove(otherEnd, msgs);
			case ModelPackage.SESSION__MACHINES:
				return ((InternalEList<?>)getMachines()).basicRemove(otherEnd, msgs);
			case ModelPackage.SESSION__RUNS:
				return ((InternalEList<?>)getRuns()).basicRemove(otherEnd, msgs);
			case ModelPackage.SESSION__EXTERNALS:
				return ((InternalEList<?>)getExternals()).basicRemove(otherEnd, msgs);
		}
		return super.eInverseRemove(otherEnd, featureID, msgs);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public Object eGet(int featureID, boolean resolve, boolean coreType) {
		switch (featureID) {
			case ModelPackage.SESSION__APPLICATIONS:
				return getApplications();
			case ModelPackage.SESSION__MACHINES:
				return getMachines();
			case ModelPackage.SESSION__RUNS:
				return getRuns();
			case ModelPackage.SESSION__EXTERNALS:
				return getExternals();
		}
		return super.eGet(featureID, resolve, coreType);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@SuppressWarnings("unchecked")
	@Override
	public void eSet(int featureID, Object newValue) {
		switch (featureID) {
			case ModelPackage.SESSION__APPLICATIONS:
				getApplications().clear();
				getApplications().addAll((Collection<? extends Application>)newValue);
				return;
			case ModelPackage.SESSION__MACHINES:
				getMachines().clear();
				getMachines().addAll((Collection<? extends Machine>)newValue);
				return;
			case ModelPackage.SESSION__RUNS:
				getRuns().clear();
				getRuns().addAll((Collection<? extends Run>)newValue);
				return;
			case ModelPackage.SESSION__EXTERNALS:
				getExternals().clear();
				getExternals().addAll((Collection<? extends ExternalData>)newValue);
				return;
		}
		super.eSet(featureID, newValue);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void eUnset(int featureID) {
		switch (featureID) {
			case ModelPackage.SESSION__APPLICATIONS:
				getApplications().clear();
				return;
			case ModelPackage.SESSION__MACHINES:
				getMachines().clear();
				return;
			case ModelPackage.SESSION__RUNS:
				getRuns().clear();
				return;
			case ModelPackage.SESSION__EXTERNALS:
				getExternals().clear();
				return;
		}
		super.eUnset(featureID);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public boolean eIsSet(int featureID) {
		switch (featureID) {
			case ModelPackage.SESSION__APPLICATIONS:
				return applications != null && !applications.isEmpty();
			case ModelPackage.SESSION__MACHINES:
				return machines != null && !machines.isEmpty();
			case ModelPackage.SESSION__RUNS:
				return runs != null && !runs.isEmpty();
			case ModelPackage.SESSION__EXTERNALS:
				return externals != null && !externals.isEmpty();
		}
		return super.eIsSet(featureID);
	}

} //SessionImpl
