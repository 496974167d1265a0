/**
 */
package org.parallax.model.impl;

import org.eclipse.emf.common.notify.Notification;

import org.eclipse.emf.ecore.EClass;

import org.eclipse.emf.ecore.impl.ENotificationImpl;
import org.eclipse.emf.ecore.impl.MinimalEObjectImpl;

import org.parallax.model.ModelPackage;
import org.parallax.model.TreatmentCount;

/**
 * <!-- begin-user-doc -->
 * An implementation of the model object '<em><b>Treatment Count</b></em>'.
 * <!-- end-user-doc -->
 * <p>
 * The following features are implemented:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.impl.TreatmentCountImpl#getFactor <em>Factor</em>}</li>
 *   <li>{@link org.parallax.model.impl.TreatmentCountImpl#getCount <em>Count</em>}</li>
 *   <li>{@link org.parallax.model.impl.TreatmentCountImpl#getRequestedNs <em>Requested Ns</em>}</li>
 *   <li>{@link org.parallax.model.impl.TreatmentCountImpl#getAchievedNs <em>Achieved Ns</em>}</li>
 *   <li>{@link org.parallax.model.impl.TreatmentCountImpl#getSkipped <em>Skipped</em>}</li>
 * </ul>
 *
 * @generated
 */
public class TreatmentCountImpl extends MinimalEObjectImpl.Container implements TreatmentCount {
	/**
	 * The default value of the '{@link #getFactor() <em>Factor</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getFactor()
	 * @generated
	 * @ordered
	 */
	protected static final String FACTOR_EDEFAULT = null;

	/**
	 * The cached value of the '{@link #getFactor() <em>Factor</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getFactor()
	 * @generated
	 * @ordered
	 */
	protected String factor = FACTOR_EDEFAULT;

	/**
	 * The default value of the '{@link #getCount() <em>Count</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getCount()
	 * @generated
	 * @ordered
	 */
	protected static final long COUNT_EDEFAULT = 0L;

	/**
	 * The cached value of the '{@link #getCount() <em>Count</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getCount()
	 * @generated
	 * @ordered
	 */
	protected long count = COUNT_EDEFAULT;

	/**
	 * The default value of the '{@link #getRequestedNs() <em>Requested Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getRequestedNs()
	 * @generated
	 * @ordered
	 */
	protected static final long REQUESTED_NS_EDEFAULT = 0L;

	/**
	 * The cached value of the '{@link #getRequestedNs() <em>Requested Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getRequestedNs()
	 * @generated
	 * @ordered
	 */
	protected long requestedNs = REQUESTED_NS_EDEFAULT;

	/**
	 * The default value of the '{@link #getAchievedNs() <em>Achieved Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getAchievedNs()
	 * @generated
	 * @ordered
	 */
	protected static final long ACHIEVED_NS_EDEFAULT = 0L;

	/**
	 * The cached value of the '{@link #getAchievedNs() <em>Achieved Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getAchievedNs()
	 * @generated
	 * @ordered
	 */
	protected long achievedNs = ACHIEVED_NS_EDEFAULT;

	/**
	 * The default value of the '{@link #getSkipped() <em>Skipped</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getSkipped()
	 * @generated
	 * @ordered
	 */
	protected static final long SKIPPED_EDEFAULT = 0L;

	/**
	 * The cached value of the '{@link #getSkipped() <em>Skipped</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getSkipped()
	 * @generated
	 * @ordered
	 */
	protected long skipped = SKIPPED_EDEFAULT;

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	protected TreatmentCountImpl() {
		super();
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	protected EClass eStaticClass() {
		return ModelPackage.Literals.TREATMENT_COUNT;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String getFactor() {
		return factor;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setFactor(String newFactor) {
		String oldFactor = factor;
		factor = newFactor;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.TREATMENT_COUNT__FACTOR, oldFactor, factor));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public long getCount() {
		return count;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setCount(long newCount) {
		long oldCount = count;
		count = newCount;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.TREATMENT_COUNT__COUNT, oldCount, count));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public long getRequestedNs() {
		return requestedNs;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setRequestedNs(long newRequestedNs) {
		long oldRequestedNs = requestedNs;
		requestedNs = newRequestedNs;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.TREATMENT_COUNT__REQUESTED_NS, oldRequestedNs, requestedNs));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public long getAchievedNs() {
		return achievedNs;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setAchievedNs(long newAchievedNs) {
		long oldAchievedNs = achievedNs;
		achievedNs = newAchievedNs;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.TREATMENT_COUNT__ACHIEVED_NS, oldAchievedNs, achievedNs));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public long getSkipped() {
		return skipped;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setSkipped(long newSkipped) {
		long oldSkipped = skipped;
		skipped = newSkipped;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.TREATMENT_COUNT__SKIPPED, oldSkipped, skipped));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public Object eGet(int featureID, boolean resolve, boolean coreType) {
		switch (featureID) {
			case ModelPackage.TREATMENT_COUNT__FACTOR:
				return getFactor();
			case ModelPackage.TREATMENT_COUNT__COUNT:
				return getCount();
			case ModelPackage.TREATMENT_COUNT__REQUESTED_NS:
				return getRequestedNs();
			case ModelPackage.TREATMENT_COUNT__ACHIEVED_NS:
				return getAchievedNs();
			case ModelPackage.TREATMENT_COUNT__SKIPPED:
				return getSkipped();
		}
		return super.eGet(featureID, resolve, coreType);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void eSet(int featureID, Object newValue) {
		switch (featureID) {
			case ModelPackage.TREATMENT_COUNT__FACTOR:
				setFactor((String)newValue);
				return;
			case ModelPackage.TREATMENT_COUNT__COUNT:
				setCount((Long)newValue);
				return;
			case ModelPackage.TREATMENT_COUNT__REQUESTED_NS:
				setRequestedNs((Long)newValue);
				return;
			case ModelPackage.TREATMENT_COUNT__ACHIEVED_NS:
				setAchievedNs((Long)newValue);
				return;
			case ModelPackage.TREATMENT_COUNT__SKIPPED:
				setSkipped((Long)newValue);
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
			case ModelPackage.TREATMENT_COUNT__FACTOR:
				setFactor(FACTOR_EDEFAULT);
				return;
			case ModelPackage.TREATMENT_COUNT__COUNT:
				setCount(COUNT_EDEFAULT);
				return;
			case ModelPackage.TREATMENT_COUNT__REQUESTED_NS:
				setRequestedNs(REQUESTED_NS_EDEFAULT);
				return;
			case ModelPackage.TREATMENT_COUNT__ACHIEVED_NS:
				setAchievedNs(ACHIEVED_NS_EDEFAULT);
				return;
			case ModelPackage.TREATMENT_COUNT__SKIPPED:
				setSkipped(SKIPPED_EDEFAULT);
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
			case ModelPackage.TREATMENT_COUNT__FACTOR:
				return FACTOR_EDEFAULT == null ? factor != null : !FACTOR_EDEFAULT.equals(factor);
			case ModelPackage.TREATMENT_COUNT__COUNT:
				return count != COUNT_EDEFAULT;
			case ModelPackage.TREATMENT_COUNT__REQUESTED_NS:
				return requestedNs != REQUESTED_NS_EDEFAULT;
			case ModelPackage.TREATMENT_COUNT__ACHIEVED_NS:
				return achievedNs != ACHIEVED_NS_EDEFAULT;
			case ModelPackage.TREATMENT_COUNT__SKIPPED:
				return skipped != SKIPPED_EDEFAULT;
		}
		return super.eIsSet(featureID);
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String toString() {
		if (eIsProxy()) return super.toString();

		StringBuilder result = new StringBuilder(super.toString());
		result.append(" (factor: ");
		result.append(factor);
		result.append(", count: ");
		result.append(count);
		result.append(", requestedNs: ");
		result.append(requestedNs);
		result.append(", achievedNs: ");
		result.append(achievedNs);
		result.append(", skipped: ");
		result.append(skipped);
		result.append(')');
		return result.toString();
	}

} //TreatmentCountImpl
