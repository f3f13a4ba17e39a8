import { Fragment, type ReactNode } from 'react';
import './popup.css';

/** Shows the keys of a keyboard shortcut. In `keys`, a space separates keys that are pressed one after the other. */
export function ShortcutKeys({ keys }: { readonly keys: string }): ReactNode {
  return (
    <span className="keys">
      {keys.split(' ').map((key, index) => (
        <Fragment key={`${index} ${key}`}>
          <kbd>{key}</kbd>
        </Fragment>
      ))}
    </span>
  );
}
