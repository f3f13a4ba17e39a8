import { Fragment, type ReactNode } from 'react';
import './data.css';

export interface KeyValueListProps {
  readonly items: readonly { readonly key: string; readonly value: ReactNode }[];
}

/** Shows the properties of an item as names and values. */
export function KeyValueList({ items }: KeyValueListProps): ReactNode {
  return (
    <dl className="key-values">
      {items.map(({ key, value }) => (
        <Fragment key={key}>
          <dt>{key}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
