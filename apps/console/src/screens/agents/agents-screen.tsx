import type { Agent } from '@quarry/client';
import { Suspense, useState, type ReactNode } from 'react';
import { DeleteDialog } from '../../components/delete-dialog.js';
import { AgentIcon } from '../../components/icons.js';
import { lazyComponent } from '../../components/lazy-component.js';
import { useLastDefined } from '../../components/use-last-defined.js';
import { useMessages } from '../../language/language-context.js';
import { ListPage } from '../../page/list-page.js';
import { AgentTable } from './agent-table.js';
import './agents.css';
import { agentsMessages } from './messages.js';
import { useAgents, useDeleteAgent } from './use-agents.js';

/**
 * The dialog that creates an agent. Its code is loaded when the dialog is first opened, because its list of datastores
 * needs a library for long lists.
 */
const CreateAgentDialog = lazyComponent(async () => (await import('./create-agent-dialog.js')).CreateAgentDialog);

/** Shows the agents, and creates and deletes agents. */
export function AgentsScreen(): ReactNode {
  const messages = useMessages(agentsMessages);
  const [isCreating, setIsCreating] = useState(false);
  const hasCreated = useLastDefined(isCreating || undefined) === true;
  const [deleted, setDeleted] = useState<Agent>();
  const agents = useAgents();
  const deletion = useDeleteAgent();
  return (
    <>
      <ListPage icon={AgentIcon} list={agents} messages={messages} onCreate={() => setIsCreating(true)}>
        <AgentTable agents={agents} onDelete={setDeleted} />
      </ListPage>
      <Suspense>
        {hasCreated && <CreateAgentDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />}
      </Suspense>
      <DeleteDialog
        catalogue={agentsMessages}
        deletion={deletion}
        item={deleted}
        onClose={() => setDeleted(undefined)}
      />
    </>
  );
}
