/**
 * The session that the workbench has open: its traces, the selection that all views follow, and the analyses that
 * they share. {@link org.parallax.ui.session.OpenSession} is the entry.
 */
package org.parallax.ui.session;
