/** What tests that measure times share. */
package org.parallax.testing;
