import type { ModelConnection, ModelProvider } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { PlusIcon } from '../../components/icons.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { ConnectModelDialog } from './connect-model-dialog.js';
import { DisconnectDialog } from './disconnect-dialog.js';
import { LocalModelsNotice } from './local-models-notice.js';
import { modelsMessages } from './messages.js';
import './models.css';
import { ProviderTable } from './provider-table.js';
import { useModelConnections } from './use-models.js';

/** Shows the providers of language models with the states of their connections, and connects providers. */
export function ModelsScreen(): ReactNode {
  const messages = useMessages(modelsMessages);
  const { data, error, isPending, refetch } = useModelConnections();
  const [isConnecting, setIsConnecting] = useState(false);
  const [provider, setProvider] = useState<ModelProvider>();
  const [removed, setRemoved] = useState<ModelConnection>();
  const connect = (next: ModelProvider | undefined): void => {
    setProvider(next);
    setIsConnecting(true);
  };
  return (
    <>
      <PageHeader
        actions={
          <Button icon={PlusIcon} kind="primary" onClick={() => connect(undefined)}>
            {messages.connect}
          </Button>
        }
        title={messages.title}
      />
      <div className="page">
        <p className="page-intro">{messages.intro}</p>
        {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} title={messages.loadFailed} />}
        {isPending && <Skeleton lines={6} shape="rows" />}
        {data !== undefined && (
          <>
            <LocalModelsNotice />
            <p>{data.defaultModel === null ? messages.noModel : messages.defaultModel(data.defaultModel)}</p>
            <ProviderTable connections={data.connections} onConnect={connect} onDisconnect={setRemoved} />
          </>
        )}
      </div>
      <ConnectModelDialog isOpen={isConnecting} onClose={() => setIsConnecting(false)} provider={provider} />
      <DisconnectDialog connection={removed} onClose={() => setRemoved(undefined)} />
    </>
  );
}
