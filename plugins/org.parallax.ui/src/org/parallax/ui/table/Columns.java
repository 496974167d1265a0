package org.parallax.ui.table;

import java.util.List;
import java.util.Set;
import org.eclipse.swt.SWT;

/** The columns of a table, or of a tree, that a person can sort by, order and hide. */
public interface Columns {
  /** The names of the rows, before all columns. */
  int NAME = -1;
  /** The order of the analysis. */
  int NONE = -2;

  /** From the name, -1, in the order of the screen; hidden ones too. */
  List<Integer> columnOrder();

  boolean isVisible(int column);

  String heading(int column);

  /** What a column is, in a sentence; empty where there is nothing to tell. */
  String help(int column);

  /** Shows columns in an order, and hides others. */
  void setColumns(List<Integer> order, Set<Integer> visible);

  /** Shows the columns as they were before a person has changed them. */
  void resetColumns();

  /** The column by which rows are sorted; {@link #NONE} for the order of the analysis. */
  int sortedColumn();

  /** {@link SWT#UP}, {@link SWT#DOWN} or {@link SWT#NONE}. */
  int sortDirection();

  void sort(int column, int direction);

  /** The direction in which a column is read first: numbers from the largest, texts from A. */
  int firstDirection(int column);

  /** Whether rows have an order that is none of a column. */
  boolean hasOwnOrder();
}
