import type { Agent } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { DeleteDialog } from '../../components/delete-dialog.js';
import { AgentIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { ListPage } from '../../page/list-page.js';
import { AgentTable } from './agent-table.js';
import './agents.css';
import { CreateAgentDialog } from './create-agent-dialog.js';
import { agentsMessages } from './messages.js';
import { useAgents, useDeleteAgent } from './use-agents.js';

/** Lists the agents, and creates and deletes them. */
export function AgentsScreen(): ReactNode {
  const messages = useMessages(agentsMessages);
  const [isCreating, setIsCreating] = useState(false);
  const [deleted, setDeleted] = useState<Agent>();
  const agents = useAgents();
  const deletion = useDeleteAgent();
  return (
    <>
      <ListPage icon={AgentIcon} list={agents} messages={messages} onCreate={() => setIsCreating(true)}>
        <AgentTable agents={agents} onDelete={setDeleted} />
      </ListPage>
      <CreateAgentDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
      <DeleteDialog deletion={deletion} item={deleted} messages={messages} onClose={() => setDeleted(undefined)} />
    </>
  );
}
