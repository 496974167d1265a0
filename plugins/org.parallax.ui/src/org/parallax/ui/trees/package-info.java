/** The view of the program trees, in which a person selects what the other views show. */
package org.parallax.ui.trees;
