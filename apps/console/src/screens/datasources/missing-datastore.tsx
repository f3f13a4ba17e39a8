import { QuarryError } from '@quarry/client';
import type { ReactNode } from 'react';
import { EmptyState } from '../../components/empty-state.js';
import { DocumentIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { datasourcesMessages } from './messages.js';

/** Stands for a datastore that was deleted, or that the key of the session does not include. */
export function MissingDatastore(): ReactNode {
  const messages = useMessages(datasourcesMessages);
  return (
    <>
      <PageHeader
        title={messages.missingDatastore}
        trail={[{ title: messages.datastores, target: { to: 'datastores' } }]}
      />
      <EmptyState icon={DocumentIcon} title={messages.missingDatastore}>
        {messages.missingDatastoreText}
      </EmptyState>
    </>
  );
}

/** Returns true if the API did not find what was requested. */
export function isNotFound(error: Error | null): boolean {
  return error instanceof QuarryError && error.status === 404;
}
