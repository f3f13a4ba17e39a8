import type { ReactNode } from 'react';
import { EmptyState } from '../../components/empty-state.js';
import { DatastoreIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { datasourcesMessages } from './messages.js';

/** Shows a notice for a datastore that was deleted, or that the API key of the session cannot access. */
export function MissingDatastore(): ReactNode {
  const messages = useMessages(datasourcesMessages);
  return (
    <>
      <PageHeader title={messages.datastores} />
      <EmptyState
        actions={
          <ScreenLink className="button button-secondary" to="datastores">
            {messages.showDatastores}
          </ScreenLink>
        }
        icon={DatastoreIcon}
        title={messages.missingDatastore}
      >
        {messages.missingDatastoreText}
      </EmptyState>
    </>
  );
}
