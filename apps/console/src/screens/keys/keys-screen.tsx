import type { ApiKey } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { ClientAccess } from '../../clients/client-access.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { PlusIcon } from '../../components/icons.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { CreateKeyDialog } from './create-key-dialog.js';
import { KeyTable } from './key-table.js';
import { keysMessages } from './messages.js';
import { RevokeKeyDialog } from './revoke-key-dialog.js';
import { useKeys } from './use-keys.js';

/** Shows the API keys, creates and revokes keys, and shows the addresses for programs that use a key. */
export function KeysScreen(): ReactNode {
  const messages = useMessages(keysMessages);
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  const keys = useKeys();
  const { items, isPending, error, refetch } = keys;
  return (
    <>
      <PageHeader
        actions={
          <Button icon={PlusIcon} kind="primary" onClick={() => setIsCreating(true)}>
            {messages.create}
          </Button>
        }
        title={messages.title}
      />
      <div className="page">
        <p className="page-intro">{messages.intro}</p>
        {error !== null && <ErrorNotice error={error} onRetry={refetch} title={messages.loadFailed} />}
        {isPending && <Skeleton lines={6} shape="rows" />}
        {/* The list is never empty: it contains the key of this session. */}
        {items.length > 0 && <KeyTable keys={keys} onRevoke={setRevoked} />}
        {!isPending && (
          <>
            <h2>{messages.programs}</h2>
            <ClientAccess />
          </>
        )}
      </div>
      <CreateKeyDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
      <RevokeKeyDialog apiKey={revoked} onClose={() => setRevoked(undefined)} />
    </>
  );
}
