import type { ApiKey } from '@quarry/client';
import type { ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import { IconButton } from '../../components/icon-button.js';
import { TrashIcon } from '../../components/icons.js';
import { StatusBadge, Tag } from '../../components/status-badge.js';
import { Table } from '../../components/table.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useMessages } from '../../language/language-context.js';
import { useSession } from '../../session/use-session.js';
import { keysMessages } from './messages.js';

interface KeyTableProps {
  readonly keys: Pages<ApiKey>;
  readonly onRevoke: (key: ApiKey) => void;
}

/** Shows the keys as rows, with their scopes and state. */
export function KeyTable({ keys, onRevoke }: KeyTableProps): ReactNode {
  const messages = useMessages(keysMessages);
  return (
    <Table
      columns={[
        { key: 'name', title: messages.name, kind: 'main', render: (key) => <NameCell {...key} /> },
        { key: 'status', title: messages.status, render: (key) => <KeyStatus apiKey={key} /> },
        { key: 'prefix', title: messages.prefix, render: ({ prefix }) => <code className="muted">{prefix}…</code> },
        { key: 'scopes', title: messages.scopes, render: (key) => <ScopesCell {...key} /> },
        { key: 'lastUsed', title: messages.lastUsed, render: ({ lastUsedAt }) => <RelativeTime value={lastUsedAt} /> },
        {
          key: 'actions',
          title: messages.actions,
          kind: 'actions',
          render: (key) =>
            canRevokeKey(key) && (
              <IconButton icon={TrashIcon} label={messages.revokeFor(key.name)} onClick={() => onRevoke(key)} />
            ),
        },
      ]}
      getKey={({ id }) => id}
      label={messages.title}
      more={keys.more}
      rows={keys.items}
    />
  );
}

/**
 * Returns true if the console can revoke a key: the key is not yet revoked, and it is not the root key, which the
 * configuration sets.
 */
function canRevokeKey({ root, revokedAt }: ApiKey): boolean {
  return !root && revokedAt === null;
}

function NameCell({ id, name, root }: ApiKey): ReactNode {
  const messages = useMessages(keysMessages);
  const isCurrent = useSession().key.id === id;
  return (
    <>
      <div className="truncate">{name}</div>
      {(isCurrent || root) && (
        <div className="cell-note">
          {[root && messages.root, isCurrent && messages.current].filter(Boolean).join(' · ')}
        </div>
      )}
    </>
  );
}

function ScopesCell({ scopes, limits, compatibility }: ApiKey): ReactNode {
  const messages = useMessages(keysMessages);
  return (
    <span className="tags">
      {scopes.map((scope) => (
        <Tag key={scope}>{scope}</Tag>
      ))}
      {limits !== null && <Tag>{messages.limited}</Tag>}
      {compatibility === 'chaindesk' && <Tag>Chaindesk</Tag>}
    </span>
  );
}

function KeyStatus({ apiKey }: { readonly apiKey: ApiKey }): ReactNode {
  const messages = useMessages(keysMessages);
  const { revokedAt, expiresAt } = apiKey;
  if (revokedAt !== null) return <StatusBadge tone="neutral">{messages.revoked}</StatusBadge>;
  if (expiresAt === null) return <StatusBadge tone="success">{messages.active}</StatusBadge>;
  if (new Date(expiresAt) <= new Date()) return <StatusBadge tone="warning">{messages.expired}</StatusBadge>;
  return (
    <>
      <StatusBadge tone="success">{messages.active}</StatusBadge>{' '}
      <span className="muted">
        {messages.expires} <RelativeTime value={expiresAt} />
      </span>
    </>
  );
}
