import type { ReactNode } from 'react';
import { joinClasses } from './join-classes.js';
import type { MoreRows } from './list-end.js';

export interface Column<Row> {
  /** Key of the column, unique in its table. */
  readonly key: string;
  readonly title: string;
  /**
   * The kind of the cells. `number`: aligned right. `main`: the name of the row. `actions`: buttons, in a narrow column
   * with a hidden title. Default: `text`.
   */
  readonly kind?: 'text' | 'number' | 'main' | 'actions';
  /**
   * True to hide the column in a narrow window. The screen or dialog that the row opens must then also show the value.
   */
  readonly isSecondary?: boolean;
  readonly render: (row: Row) => ReactNode;
}

export interface TableProps<Row> {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly getKey: (row: Row) => string;
  /** The state of the rows that are not loaded yet. Absent: all rows are loaded. */
  readonly more?: MoreRows;
  /**
   * True if the rows contain no controls. The frame around the table can then receive the focus, so that keyboard users
   * can scroll it (WCAG 2.1.1).
   */
  readonly isReadOnly?: boolean;
}

/** Shows the titles of the columns. */
export function TableHead<Row>({ columns }: Pick<TableProps<Row>, 'columns'>): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th className={getCellClass(column)} key={column.key} scope="col">
            {column.kind === 'actions' ? <span className="visually-hidden">{column.title}</span> : column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface TableCellsProps<Row> extends Pick<TableProps<Row>, 'columns'> {
  readonly row: Row;
}

/** Shows the cells of a row. */
export function TableCells<Row>({ columns, row }: TableCellsProps<Row>): ReactNode {
  return columns.map((column) => (
    <td className={getCellClass(column)} key={column.key}>
      {column.render(row)}
    </td>
  ));
}

function getCellClass({ kind = 'text', isSecondary = false }: Pick<Column<never>, 'kind' | 'isSecondary'>): string {
  return joinClasses(`cell-${kind}`, isSecondary && 'cell-secondary');
}
