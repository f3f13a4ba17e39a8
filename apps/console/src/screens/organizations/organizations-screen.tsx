import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { DeleteDialog } from '../../components/delete-dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { PlusIcon } from '../../components/icons.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { organizationsMessages } from './messages.js';
import { OrganizationDialog } from './organization-dialog.js';
import { OrganizationTable, type OrganizationAction } from './organization-table.js';
import { useDeleteOrganization, useOrganizations } from './use-organizations.js';

/** Shows the organizations, and creates, changes and deletes organizations. */
export function OrganizationsScreen(): ReactNode {
  const messages = useMessages(organizationsMessages);
  const [action, setAction] = useState<OrganizationAction>();
  const organizations = useOrganizations();
  const { items, isPending, error, refetch } = organizations;
  const deletion = useDeleteOrganization();
  const close = (): void => setAction(undefined);
  return (
    <>
      <PageHeader
        actions={
          <Button icon={PlusIcon} kind="primary" onClick={() => setAction({ kind: 'create' })}>
            {messages.create}
          </Button>
        }
        title={messages.title}
      />
      <div className="page">
        <p className="page-intro">{messages.intro}</p>
        {error !== null && <ErrorNotice error={error} onRetry={refetch} title={messages.loadFailed} />}
        {isPending && <Skeleton lines={6} shape="rows" />}
        {/* The list is never empty: the default organization cannot be deleted. */}
        {items.length > 0 && <OrganizationTable onAction={setAction} organizations={organizations} />}
      </div>
      <OrganizationDialog isOpen={action?.kind === 'create'} onClose={close} organization={undefined} />
      {action?.kind === 'edit' && <OrganizationDialog isOpen onClose={close} organization={action.organization} />}
      <DeleteDialog
        catalogue={organizationsMessages}
        deletion={deletion}
        item={action?.kind === 'delete' ? action.organization : undefined}
        mustTypeName
        onClose={close}
      />
    </>
  );
}
