import type { ReactNode } from 'react';
import './data.css';

export interface Column<Row> {
  /** Identifies the column. */
  readonly key: string;
  readonly title: string;
  /** `number` aligns right, `main` names the row, `actions` is as narrow as its buttons and hides its title. */
  readonly kind?: 'text' | 'number' | 'main' | 'actions';
  readonly render: (row: Row) => ReactNode;
}

export interface TableProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly getKey: (row: Row) => string;
  /** The rows have no controls, so that keyboards scroll the frame of the table itself (WCAG 2.1.1). */
  readonly isReadOnly?: boolean;
}

/** Shows a table of up to some hundred rows. Use `VirtualList` for more. */
export function Table<Row>({ label, columns, rows, getKey, isReadOnly = false }: TableProps<Row>): ReactNode {
  return (
    <div className="table-frame" {...(isReadOnly ? { 'aria-label': label, role: 'region', tabIndex: 0 } : {})}>
      <table aria-label={label} className="table">
        <thead>
          <tr>
            {columns.map(({ key, title, kind = 'text' }) => (
              <th className={`cell-${kind}`} key={key} scope="col">
                {kind === 'actions' ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={getKey(row)}>
              {columns.map(({ key, kind = 'text', render }) => (
                <td className={`cell-${kind}`} key={key}>
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
