import type { Agent } from '@quarry/client';
import type { ReactNode } from 'react';
import { ClientAccess } from '../../clients/client-access.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { KeyIcon } from '../../components/icons.js';
import { Skeleton } from '../../components/skeleton.js';
import { Tabs } from '../../components/tabs.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { ScreenLink, useScreenParameters, useSearchValue } from '../../routing/screen-link.js';
import { useHasScope } from '../../session/use-session.js';
import { AgentChat } from './agent-chat.js';
import './agents.css';
import { agentsMessages } from './messages.js';
import { PromptsTab } from './prompts-tab.js';
import { SettingsTab } from './settings-tab.js';
import { useAgent } from './use-agents.js';

const TABS = ['chat', 'settings', 'prompts', 'connect'] as const;

/** Shows an agent: a chat that tests it, its settings and prompts, and how other programs use it. */
export function AgentScreen(): ReactNode {
  const messages = useMessages(agentsMessages);
  const { agentId } = useScreenParameters('agent');
  const { data: agent, isPending, error, refetch } = useAgent(agentId);
  return (
    <>
      <PageHeader
        actions={
          <ScreenLink className="button button-secondary" search={{ agentId }} to="conversations">
            {messages.conversations}
          </ScreenLink>
        }
        title={agent?.name ?? messages.title}
        trail={[{ title: messages.title, target: { to: 'agents' } }]}
      />
      <div className="page">
        {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} title={messages.agentFailed} />}
        {isPending && <Skeleton lines={6} />}
        {agent !== undefined && <AgentTabs agent={agent} key={agent.id} />}
      </div>
    </>
  );
}

function AgentTabs({ agent }: { readonly agent: Agent }): ReactNode {
  const messages = useMessages(agentsMessages);
  const [tab, setTab] = useSearchValue('tab');
  const canAsk = useHasScope('query');
  const chat = canAsk ? (
    <AgentChat agentId={agent.id} />
  ) : (
    <EmptyState icon={KeyIcon} title={messages.chat}>
      {messages.needsQuery}
    </EmptyState>
  );
  return (
    <Tabs
      label={messages.tabs}
      onChange={(next) => setTab(next === 'chat' ? undefined : next)}
      tabs={[
        { name: 'chat', title: messages.chat, content: chat },
        { name: 'settings', title: messages.settings, content: <SettingsTab agent={agent} /> },
        { name: 'prompts', title: messages.prompts, content: <PromptsTab agent={agent} /> },
        { name: 'connect', title: messages.connect, content: <ClientAccess agentId={agent.id} /> },
      ]}
      value={TABS.find((name) => name === tab) ?? 'chat'}
    />
  );
}
