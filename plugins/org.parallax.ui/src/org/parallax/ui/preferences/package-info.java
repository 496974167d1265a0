/** What a person has chosen for all sessions, and the page on which to choose it. */
package org.parallax.ui.preferences;
