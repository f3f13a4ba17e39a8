import type { ModelConnection, ModelProvider } from '@quarry/client';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { StatusBadge } from '../../components/status-badge.js';
import { Table } from '../../components/table.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useMessages } from '../../language/language-context.js';
import { modelsMessages } from './messages.js';
import { getProviderName } from './provider-name.js';
import { PROVIDERS } from './use-models.js';

/** A provider, and its connection if there is one. */
interface ProviderRow {
  readonly provider: ModelProvider;
  readonly connection: ModelConnection | undefined;
}

interface ProviderTableProps {
  readonly connections: readonly ModelConnection[];
  readonly onConnect: (provider: ModelProvider) => void;
  readonly onDisconnect: (connection: ModelConnection) => void;
}

/** Shows all providers with the state of their connections. */
export function ProviderTable({ connections, onConnect, onDisconnect }: ProviderTableProps): ReactNode {
  const messages = useMessages(modelsMessages);
  const rows = PROVIDERS.map((provider) => ({
    provider,
    connection: connections.find((one) => one.provider === provider),
  }));
  return (
    <Table
      columns={[
        { key: 'provider', title: messages.provider, kind: 'main', render: (row) => <ProviderCell {...row} /> },
        {
          key: 'state',
          title: messages.state,
          render: ({ connection }) => <ConnectionStatus connection={connection} />,
        },
        {
          key: 'saved',
          isSecondary: true,
          title: messages.saved,
          render: ({ connection }) =>
            connection?.updatedAt == null ? (
              <span className="muted">–</span>
            ) : (
              <RelativeTime value={connection.updatedAt} />
            ),
        },
        {
          key: 'actions',
          title: messages.actions,
          kind: 'actions',
          render: (row) => <ConnectionActions {...row} onConnect={onConnect} onDisconnect={onDisconnect} />,
        },
      ]}
      getKey={({ provider }) => provider}
      label={messages.title}
      rows={rows}
    />
  );
}

function ProviderCell({ provider, connection }: ProviderRow): ReactNode {
  const messages = useMessages(modelsMessages);
  const facts = [
    connection?.model,
    connection?.baseUrl,
    connection?.keyHint == null ? undefined : messages.keyEnds(connection.keyHint),
  ].filter((fact) => fact != null);
  return (
    <>
      <strong>{getProviderName(provider, messages)}</strong>
      {facts.length > 0 && <div className="cell-note">{facts.join(' · ')}</div>}
    </>
  );
}

function ConnectionStatus({ connection }: Pick<ProviderRow, 'connection'>): ReactNode {
  const messages = useMessages(modelsMessages);
  if (connection === undefined) return <span className="muted">{messages.notConnected}</span>;
  if (connection.source === 'api') return <StatusBadge tone="success">{messages.connected}</StatusBadge>;
  return (
    <span title={messages.environmentHint}>
      <StatusBadge tone="success">{messages.environment}</StatusBadge>
    </span>
  );
}

interface ConnectionActionsProps extends ProviderRow, Pick<ProviderTableProps, 'onConnect' | 'onDisconnect'> {}

function ConnectionActions({ provider, connection, onConnect, onDisconnect }: ConnectionActionsProps): ReactNode {
  const messages = useMessages(modelsMessages);
  const name = getProviderName(provider, messages);
  if (connection?.source === 'environment') return null;
  if (connection === undefined) {
    return (
      <Button aria-label={messages.connectProvider(name)} onClick={() => onConnect(provider)}>
        {messages.connectShort}
      </Button>
    );
  }
  return (
    <span className="provider-actions">
      <Button aria-label={messages.replace(name)} onClick={() => onConnect(provider)}>
        {messages.replaceShort}
      </Button>
      <Button aria-label={`${messages.disconnect}: ${name}`} onClick={() => onDisconnect(connection)}>
        {messages.disconnect}
      </Button>
    </span>
  );
}
