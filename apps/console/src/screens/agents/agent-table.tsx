import type { Agent } from '@quarry/client';
import type { ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import { Button } from '../../components/button.js';
import { copyText } from '../../components/copy-text.js';
import { AgentIcon, CopyIcon, MoreIcon, TrashIcon } from '../../components/icons.js';
import { Menu } from '../../components/menu.js';
import { Tag } from '../../components/status-badge.js';
import { Table } from '../../components/table.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { ScreenLink, useOpenScreen } from '../../routing/screen-link.js';
import { useAllDatastores, type AllDatastores } from '../datastores/use-datastores.js';
import { agentsMessages } from './messages.js';
import { MODELS } from './models.js';
import { useExistingDatastores } from './use-existing-datastores.js';

interface AgentTableProps {
  readonly agents: Pages<Agent>;
  readonly onDelete: (agent: Agent) => void;
}

/** Shows the agents as rows with their actions. */
export function AgentTable({ agents, onDelete }: AgentTableProps): ReactNode {
  const messages = useMessages(agentsMessages);
  const datastores = useAllDatastores();
  return (
    <Table
      columns={[
        { key: 'name', title: messages.name, kind: 'main', render: (agent) => <NameCell {...agent} /> },
        {
          key: 'datastores',
          title: messages.datastores,
          render: ({ datastoreIds }) => <DatastoresCell ids={datastoreIds} loaded={datastores} />,
        },
        {
          key: 'model',
          isSecondary: true,
          title: messages.model,
          render: ({ modelName }) => (
            <span className="muted">{modelName ? MODELS[modelName] : messages.defaultModel}</span>
          ),
        },
        {
          key: 'updated',
          isSecondary: true,
          title: messages.updated,
          render: ({ updatedAt }) => <RelativeTime value={updatedAt} />,
        },
        {
          key: 'actions',
          title: messages.actions,
          kind: 'actions',
          render: (agent) => <RowMenu agent={agent} onDelete={onDelete} />,
        },
      ]}
      getKey={({ id }) => id}
      label={messages.title}
      more={agents.more}
      rows={agents.items}
    />
  );
}

function NameCell({ id, name, description }: Agent): ReactNode {
  return (
    <>
      <ScreenLink className="agent-name truncate" parameters={{ agentId: id }} to="agent">
        {name}
      </ScreenLink>
      {description !== null && description !== '' && <div className="cell-note">{description}</div>}
    </>
  );
}

interface DatastoresCellProps {
  readonly ids: readonly string[];
  readonly loaded: AllDatastores;
}

function DatastoresCell({ ids, loaded }: DatastoresCellProps): ReactNode {
  const messages = useMessages(agentsMessages);
  const datastores = useExistingDatastores(ids, loaded);
  if (ids.length === 0) return <span className="muted">{messages.noneChosen}</span>;
  return (
    <span className="tags">
      {datastores.map(({ id, name }) => (
        <Tag key={id} title={name}>
          {name}
        </Tag>
      ))}
    </span>
  );
}

function RowMenu({ agent, onDelete }: { readonly agent: Agent } & Pick<AgentTableProps, 'onDelete'>): ReactNode {
  const messages = useMessages(agentsMessages);
  const { showToast } = useToasts();
  const openScreen = useOpenScreen();
  const copyId = async (): Promise<void> => {
    if (await copyText(agent.id)) showToast({ text: (language) => agentsMessages[language].idCopied });
  };
  const open = (): void => openScreen({ to: 'agent', parameters: { agentId: agent.id } });
  return (
    <Menu
      align="end"
      groups={[
        {
          actions: [
            { label: messages.open, icon: AgentIcon, onSelect: open },
            { label: messages.copyId, icon: CopyIcon, onSelect: () => void copyId() },
          ],
        },
        {
          actions: [{ label: messages.remove, icon: TrashIcon, isDangerous: true, onSelect: () => onDelete(agent) }],
        },
      ]}
      trigger={
        <Button aria-label={messages.actionsFor(agent.name)} className="icon-button" kind="quiet">
          <MoreIcon />
        </Button>
      }
    />
  );
}
