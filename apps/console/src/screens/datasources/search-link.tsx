import type { ReactNode } from 'react';
import { PlaygroundIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { datasourcesMessages } from './messages.js';

/** Shows a link that opens the playground, the screen for test queries, for a datastore. */
export function SearchLink({ datastoreId }: { readonly datastoreId: string }): ReactNode {
  const messages = useMessages(datasourcesMessages);
  return (
    <ScreenLink
      aria-label={messages.searchIn}
      className="button button-secondary"
      search={{ a: new URLSearchParams({ datastore: datastoreId }).toString() }}
      to="playground"
    >
      <PlaygroundIcon />
      <span className="button-label-wide">{messages.searchIn}</span>
    </ScreenLink>
  );
}
