/**
 * What views of the open session are made from: {@link org.parallax.ui.views.SessionView} computes a result for the
 * selection, {@link org.parallax.ui.views.ReportView} shows a report as a table.
 */
package org.parallax.ui.views;
