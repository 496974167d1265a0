/**
 */
package org.parallax.model.impl;

import java.util.Collection;

import org.eclipse.emf.common.notify.Notification;
import org.eclipse.emf.common.notify.NotificationChain;

import org.eclipse.emf.common.util.EList;

import org.eclipse.emf.ecore.EClass;
import org.eclipse.emf.ecore.InternalEObject;

import org.eclipse.emf.ecore.impl.ENotificationImpl;
import org.eclipse.emf.ecore.impl.MinimalEObjectImpl;

import org.eclipse.emf.ecore.util.EDataTypeEList;
import org.eclipse.emf.ecore.util.EObjectContainmentEList;
import org.eclipse.emf.ecore.util.InternalEList;

import org.parallax.model.Measurement;
import org.parallax.model.ModelPackage;
import org.parallax.model.TreatmentCount;
import org.parallax.model.Trial;
import org.parallax.model.TrialKind;
import org.parallax.model.TrialStatus;

/**
 * <!-- begin-user-doc -->
 * An implementation of the model object '<em><b>Trial</b></em>'.
 * <!-- end-user-doc -->
 * <p>
 * The following features are implemented:
 * </p>
 * <ul>
 *   <li>{@link org.parallax.model.impl.TrialImpl#getKind <em>Kind</em>}</li>
 *   <li>{@link org.parallax.model.impl.TrialImpl#getRun <em>Run</em>}</li>
 *   <li>{@link org.parallax.model.impl.TrialImpl#getReplicate <em>Replicate</em>}</li>
 *   <li>{@link org.parallax.model.impl.TrialImpl#getBlock <em>Block</em>}</li>
 *   <li>{@link org.parallax.model.impl.TrialImpl#getStatus <em>Status</em>}</li>
 *   <li>{@link org.parallax.model.impl.TrialImpl#getDurationNs <em>Duration Ns</em>}</li>
 *   <li>{@link org.parallax.model.impl.TrialImpl#getStarted <em>Started</em>}</li>
 *   <li>{@link org.parallax.model.impl.TrialImpl#getFailures <em>Failures</em>}</li>
 *   <li>{@link org.parallax.model.impl.TrialImpl#getMeasurements <em>Measurements</em>}</li>
 *   <li>{@link org.parallax.model.impl.TrialImpl#getCounts <em>Counts</em>}</li>
 * </ul>
 *
 * @generated
 */
public class TrialImpl extends MinimalEObjectImpl.Container implements Trial {
	/**
	 * The default value of the '{@link #getKind() <em>Kind</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getKind()
	 * @generated
	 * @ordered
	 */
	protected static final TrialKind KIND_EDEFAULT = TrialKind.WARMUP;

	/**
	 * The cached value of the '{@link #getKind() <em>Kind</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getKind()
	 * @generated
	 * @ordered
	 */
	protected TrialKind kind = KIND_EDEFAULT;

	/**
	 * The default value of the '{@link #getRun() <em>Run</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getRun()
	 * @generated
	 * @ordered
	 */
	protected static final int RUN_EDEFAULT = -1;

	/**
	 * The cached value of the '{@link #getRun() <em>Run</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getRun()
	 * @generated
	 * @ordered
	 */
	protected int run = RUN_EDEFAULT;

	/**
	 * The default value of the '{@link #getReplicate() <em>Replicate</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getReplicate()
	 * @generated
	 * @ordered
	 */
	protected static final int REPLICATE_EDEFAULT = 0;

	/**
	 * The cached value of the '{@link #getReplicate() <em>Replicate</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getReplicate()
	 * @generated
	 * @ordered
	 */
	protected int replicate = REPLICATE_EDEFAULT;

	/**
	 * The default value of the '{@link #getBlock() <em>Block</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getBlock()
	 * @generated
	 * @ordered
	 */
	protected static final int BLOCK_EDEFAULT = 0;

	/**
	 * The cached value of the '{@link #getBlock() <em>Block</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getBlock()
	 * @generated
	 * @ordered
	 */
	protected int block = BLOCK_EDEFAULT;

	/**
	 * The default value of the '{@link #getStatus() <em>Status</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getStatus()
	 * @generated
	 * @ordered
	 */
	protected static final TrialStatus STATUS_EDEFAULT = TrialStatus.PLANNED;

	/**
	 * The cached value of the '{@link #getStatus() <em>Status</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getStatus()
	 * @generated
	 * @ordered
	 */
	protected TrialStatus status = STATUS_EDEFAULT;

	/**
	 * The default value of the '{@link #getDurationNs() <em>Duration Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getDurationNs()
	 * @generated
	 * @ordered
	 */
	protected static final long DURATION_NS_EDEFAULT = 0L;

	/**
	 * The cached value of the '{@link #getDurationNs() <em>Duration Ns</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getDurationNs()
	 * @generated
	 * @ordered
	 */
	protected long durationNs = DURATION_NS_EDEFAULT;

	/**
	 * The default value of the '{@link #getStarted() <em>Started</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getStarted()
	 * @generated
	 * @ordered
	 */
	protected static final String STARTED_EDEFAULT = null;

	/**
	 * The cached value of the '{@link #getStarted() <em>Started</em>}' attribute.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getStarted()
	 * @generated
	 * @ordered
	 */
	protected String started = STARTED_EDEFAULT;

	/**
	 * The cached value of the '{@link #getFailures() <em>Failures</em>}' attribute list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getFailures()
	 * @generated
	 * @ordered
	 */
	protected EList<String> failures;

	/**
	 * The cached value of the '{@link #getMeasurements() <em>Measurements</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getMeasurements()
	 * @generated
	 * @ordered
	 */
	protected EList<Measurement> measurements;

	/**
	 * The cached value of the '{@link #getCounts() <em>Counts</em>}' containment reference list.
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @see #getCounts()
	 * @generated
	 * @ordered
	 */
	protected EList<TreatmentCount> counts;

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	protected TrialImpl() {
		super();
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	protected EClass eStaticClass() {
		return ModelPackage.Literals.TRIAL;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public TrialKind getKind() {
		return kind;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setKind(TrialKind newKind) {
		TrialKind oldKind = kind;
		kind = newKind == null ? KIND_EDEFAULT : newKind;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.TRIAL__KIND, oldKind, kind));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public int getRun() {
		return run;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setRun(int newRun) {
		int oldRun = run;
		run = newRun;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.TRIAL__RUN, oldRun, run));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public int getReplicate() {
		return replicate;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setReplicate(int newReplicate) {
		int oldReplicate = replicate;
		replicate = newReplicate;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.TRIAL__REPLICATE, oldReplicate, replicate));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public int getBlock() {
		return block;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setBlock(int newBlock) {
		int oldBlock = block;
		block = newBlock;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.TRIAL__BLOCK, oldBlock, block));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public TrialStatus getStatus() {
		return status;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setStatus(TrialStatus newStatus) {
		TrialStatus oldStatus = status;
		status = newStatus == null ? STATUS_EDEFAULT : newStatus;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.TRIAL__STATUS, oldStatus, status));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public long getDurationNs() {
		return durationNs;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setDurationNs(long newDurationNs) {
		long oldDurationNs = durationNs;
		durationNs = newDurationNs;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.TRIAL__DURATION_NS, oldDurationNs, durationNs));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public String getStarted() {
		return started;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public void setStarted(String newStarted) {
		String oldStarted = started;
		started = newStarted;
		if (eNotificationRequired())
			eNotify(new ENotificationImpl(this, Notification.SET, ModelPackage.TRIAL__STARTED, oldStarted, started));
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<String> getFailures() {
		if (failures == null) {
			failures = new EDataTypeEList<String>(String.class, this, ModelPackage.TRIAL__FAILURES);
		}
		return failures;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<Measurement> getMeasurements() {
		if (measurements == null) {
			measurements = new EObjectContainmentEList<Measurement>(Measurement.class, this, ModelPackage.TRIAL__MEASUREMENTS);
		}
		return measurements;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public EList<TreatmentCount> getCounts() {
		if (counts == null) {
			counts = new EObjectContainmentEList<TreatmentCount>(TreatmentCount.class, this, ModelPackage.TRIAL__COUNTS);
		}
		return counts;
	}

	/**
	 * <!-- begin-user-doc -->
	 * <!-- end-user-doc -->
	 * @generated
	 */
	@Override
	public NotificationChain eInverseRemove(InternalEObject otherEnd, int featureID, NotificationChain msgs) {
		switch (featureID) {
			case ModelPackage.TRIAL__MEASUREMENTS:
				return ((InternalEList<?>)getMeasurements()).basicRemove(otherEnd, msgs);
			case ModelPackage.TRIAL__COUNTS:
				return ((InternalEList<?>)getCounts()).basicRemove(otherEnd, msgs);
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
			case ModelPackage.TRIAL__KIND:
				return getKind();
			case ModelPackage.TRIAL__RUN:
				return getRun();
			case ModelPackage.TRIAL__REPLICATE:
				return getReplicate();
			case ModelPackage.TRIAL__BLOCK:
				return getBlock();
			case ModelPackage.TRIAL__STATUS:
				return getStatus();
			case ModelPackage.TRIAL__DURATION_NS:
				return getDurationNs();
			case ModelPackage.TRIAL__STARTED:
				return getStarted();
			case ModelPackage.TRIAL__FAILURES:
				return getFailures();
			case ModelPackage.TRIAL__MEASUREMENTS:
				return getMeasurements();
			case ModelPackage.TRIAL__COUNTS:
				return getCounts();
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
			case ModelPackage.TRIAL__KIND:
				setKind((TrialKind)newValue);
				return;
			case ModelPackage.TRIAL__RUN:
				setRun((Integer)newValue);
				return;
			case ModelPackage.TRIAL__REPLICATE:
				setReplicate((Integer)newValue);
				return;
			case ModelPackage.TRIAL__BLOCK:
				setBlock((Integer)newValue);
				return;
			case ModelPackage.TRIAL__STATUS:
				setStatus((TrialStatus)newValue);
				return;
			case ModelPackage.TRIAL__DURATION_NS:
				setDurationNs((Long)newValue);
				return;
			case ModelPackage.TRIAL__STARTED:
				setStarted((String)newValue);
				return;
			case ModelPackage.TRIAL__FAILURES:
				getFailures().clear();
				getFailures().addAll((Collection<? extends String>)newValue);
				return;
			case ModelPackage.TRIAL__MEASUREMENTS:
				getMeasurements().clear();
				getMeasurements().addAll((Collection<? extends Measurement>)newValue);
				return;
			case ModelPackage.TRIAL__COUNTS:
				getCounts().clear();
				getCounts().addAll((Collection<? extends TreatmentCount>)newValue);
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
			case ModelPackage.TRIAL__KIND:
				setKind(KIND_EDEFAULT);
				return;
			case ModelPackage.TRIAL__RUN:
				setRun(RUN_EDEFAULT);
				return;
			case ModelPackage.TRIAL__REPLICATE:
				setReplicate(REPLICATE_EDEFAULT);
				return;
			case ModelPackage.TRIAL__BLOCK:
				setBlock(BLOCK_EDEFAULT);
				return;
			case ModelPackage.TRIAL__STATUS:
				setStatus(STATUS_EDEFAULT);
				return;
			case ModelPackage.TRIAL__DURATION_NS:
				setDurationNs(DURATION_NS_EDEFAULT);
				return;
			case ModelPackage.TRIAL__STARTED:
				setStarted(STARTED_EDEFAULT);
				return;
			case ModelPackage.TRIAL__FAILURES:
				getFailures().clear();
				return;
			case ModelPackage.TRIAL__MEASUREMENTS:
				getMeasurements().clear();
				return;
			case ModelPackage.TRIAL__COUNTS:
				getCounts().clear();
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
			case ModelPackage.TRIAL__KIND:
				return kind != KIND_EDEFAULT;
			case ModelPackage.TRIAL__RUN:
				return run != RUN_EDEFAULT;
			case ModelPackage.TRIAL__REPLICATE:
				return replicate != REPLICATE_EDEFAULT;
			case ModelPackage.TRIAL__BLOCK:
				return block != BLOCK_EDEFAULT;
			case ModelPackage.TRIAL__STATUS:
				return status != STATUS_EDEFAULT;
			case ModelPackage.TRIAL__DURATION_NS:
				return durationNs != DURATION_NS_EDEFAULT;
			case ModelPackage.TRIAL__STARTED:
				return STARTED_EDEFAULT == null ? started != null : !STARTED_EDEFAULT.equals(started);
			case ModelPackage.TRIAL__FAILURES:
				return failures != null && !failures.isEmpty();
			case ModelPackage.TRIAL__MEASUREMENTS:
				return measurements != null && !measurements.isEmpty();
			case ModelPackage.TRIAL__COUNTS:
				return counts != null && !counts.isEmpty();
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
		result.append(" (kind: ");
		result.append(kind);
		result.append(", run: ");
		result.append(run);
		result.append(", replicate: ");
		result.append(replicate);
		result.append(", block: ");
		result.append(block);
		result.append(", status: ");
		result.append(status);
		result.append(", durationNs: ");
		result.append(durationNs);
		result.append(", started: ");
		result.append(started);
		result.append(", failures: ");
		result.append(failures);
		result.append(')');
		return result.toString();
	}

} //TrialImpl
