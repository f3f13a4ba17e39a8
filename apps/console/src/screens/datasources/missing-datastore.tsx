import type { ReactNode } from 'react';
import { DatastoreIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { MissingItem } from '../../page/missing-item.js';
import { datasourcesMessages } from './messages.js';

/** Shows a notice for a datastore that was deleted, or that the API key of the session cannot access. */
export function MissingDatastore(): ReactNode {
  const messages = useMessages(datasourcesMessages);
  return (
    <MissingItem
      icon={DatastoreIcon}
      list={{ title: messages.datastores, target: { to: 'datastores' } }}
      showAll={messages.showDatastores}
      title={messages.missingDatastore}
    />
  );
}
