import type { Agent } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { AgentIcon, PlusIcon } from '../../components/icons.js';
import { LoadMore } from '../../components/load-more.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { AgentTable } from './agent-table.js';
import './agents.css';
import { CreateAgentDialog } from './create-agent-dialog.js';
import { DeleteAgentDialog } from './delete-agent-dialog.js';
import { agentsMessages } from './messages.js';
import { useAgents } from './use-agents.js';

/** Lists the agents, and creates and deletes them. */
export function AgentsScreen(): ReactNode {
  const messages = useMessages(agentsMessages);
  const [isCreating, setIsCreating] = useState(false);
  const [deleted, setDeleted] = useState<Agent>();
  const { items: agents, isPending, error, refetch, more } = useAgents();
  const isEmpty = !isPending && error === null && agents.length === 0;
  const createButton = (
    <Button icon={PlusIcon} kind="primary" onClick={() => setIsCreating(true)}>
      {messages.create}
    </Button>
  );
  return (
    <>
      <PageHeader actions={isEmpty ? undefined : createButton} title={messages.title} />
      <div className="page">
        {error !== null && <ErrorNotice error={error} onRetry={refetch} title={messages.loadFailed} />}
        {isPending && <Skeleton lines={6} shape="rows" />}
        {isEmpty && (
          <EmptyState actions={createButton} icon={AgentIcon} title={messages.emptyTitle}>
            {messages.emptyText}
          </EmptyState>
        )}
        {agents.length > 0 && (
          <>
            <p className="page-intro">{messages.intro}</p>
            <AgentTable agents={agents} onDelete={setDeleted} />
            <LoadMore {...more} />
          </>
        )}
      </div>
      <CreateAgentDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
      <DeleteAgentDialog agent={deleted} onClose={() => setDeleted(undefined)} />
    </>
  );
}
