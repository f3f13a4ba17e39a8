import { Suspense, useState, type ReactNode } from 'react';
import { DeleteDialog } from '../../components/delete-dialog.js';
import { DatastoreIcon } from '../../components/icons.js';
import { lazyComponent } from '../../components/lazy-component.js';
import { useLastDefined } from '../../components/use-last-defined.js';
import { useMessages } from '../../language/language-context.js';
import { ListPage } from '../../page/list-page.js';
import type { DatastoreAction } from './datastore-action.js';
import { DatastoreTable } from './datastore-table.js';
import { datastoresMessages } from './messages.js';
import { useDatastores, useDeleteDatastore } from './use-datastores.js';

/** The dialog that creates and edits a datastore. Its code is loaded with the first action, not with the screen. */
const DatastoreDialog = lazyComponent(async () => (await import('./datastore-dialog.js')).DatastoreDialog);

/** Shows the datastores, and creates, changes and deletes datastores. */
export function DatastoresScreen(): ReactNode {
  const messages = useMessages(datastoresMessages);
  const [action, setAction] = useState<DatastoreAction>();
  const hasHadAction = useLastDefined(action) !== undefined;
  const datastores = useDatastores();
  const deletion = useDeleteDatastore();
  const close = (): void => setAction(undefined);
  return (
    <>
      <ListPage
        icon={DatastoreIcon}
        list={datastores}
        messages={messages}
        onCreate={() => setAction({ kind: 'create' })}
      >
        <DatastoreTable datastores={datastores} onAction={setAction} />
      </ListPage>
      <Suspense>{hasHadAction && <DatastoreDialog action={action} onClose={close} />}</Suspense>
      <DeleteDialog
        catalogue={datastoresMessages}
        deletion={deletion}
        item={action?.kind === 'delete' ? action.datastore : undefined}
        mustTypeName
        onClose={close}
      />
    </>
  );
}
