import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { DatastoreIcon, PlusIcon } from '../../components/icons.js';
import { LoadMore } from '../../components/load-more.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import type { DatastoreAction } from './datastore-action.js';
import { DatastoreDialog } from './datastore-dialog.js';
import { DatastoreTable } from './datastore-table.js';
import { DeleteDatastoreDialog } from './delete-datastore-dialog.js';
import { datastoresMessages } from './messages.js';
import { useDatastores } from './use-datastores.js';

/** Lists the datastores, and creates, changes and deletes them. */
export function DatastoresScreen(): ReactNode {
  const messages = useMessages(datastoresMessages);
  const [action, setAction] = useState<DatastoreAction>();
  const { datastores, isPending, error, refetch, more } = useDatastores();
  const createButton = (
    <Button
      icon={PlusIcon}
      kind="primary"
      onClick={() => {
        setAction({ kind: 'create' });
      }}
    >
      {messages.create}
    </Button>
  );
  const close = (): void => {
    setAction(undefined);
  };
  const isEmpty = !isPending && error === null && datastores.length === 0;
  return (
    <>
      <PageHeader actions={isEmpty ? undefined : createButton} title={messages.title} />
      <div className="page">
        {error !== null && <ErrorNotice error={error} onRetry={refetch} title={messages.loadFailed} />}
        {isPending && <Skeleton lines={6} shape="rows" />}
        {isEmpty && (
          <EmptyState actions={createButton} icon={DatastoreIcon} title={messages.emptyTitle}>
            {messages.emptyText}
          </EmptyState>
        )}
        {datastores.length > 0 && (
          <>
            <p className="page-intro">{messages.intro}</p>
            <DatastoreTable datastores={datastores} onAction={setAction} />
            <LoadMore {...more} />
          </>
        )}
      </div>
      <DatastoreDialog action={action} onClose={close} />
      <DeleteDatastoreDialog datastore={action?.kind === 'delete' ? action.datastore : undefined} onClose={close} />
    </>
  );
}
