import type { Agent } from '@quarry/client';
import { Suspense, type ReactNode } from 'react';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { isNotFoundError } from '../../components/explain-error.js';
import { AgentIcon, KeyIcon } from '../../components/icons.js';
import { lazyComponent } from '../../components/lazy-component.js';
import { Skeleton } from '../../components/skeleton.js';
import { Tabs } from '../../components/tabs.js';
import { useMessages } from '../../language/language-context.js';
import { MissingItem } from '../../page/missing-item.js';
import { PageHeader } from '../../page/page-header.js';
import { ScreenLink, useScreenParameters, useSearchParameter } from '../../routing/screen-link.js';
import { useHasScope } from '../../session/use-session.js';
import { AgentChat } from './agent-chat.js';
import './agents.css';
import { agentsMessages } from './messages.js';
import { useAgent } from './use-agents.js';

// The code of these tabs is loaded when they are opened, because most visits only open the chat.
const SettingsTab = lazyComponent(async () => (await import('./settings-tab.js')).SettingsTab);
const PromptsTab = lazyComponent(async () => (await import('./prompts-tab.js')).PromptsTab);
const ClientAccess = lazyComponent(async () => (await import('../../clients/client-access.js')).ClientAccess);

const TABS = ['chat', 'settings', 'prompts', 'connect'] as const;

/** Shows an agent: a chat that tests it, its settings and prompts, and how other programs use it. */
export function AgentScreen(): ReactNode {
  const messages = useMessages(agentsMessages);
  const { agentId } = useScreenParameters('agent');
  const { data: agent, isPending, error, refetch } = useAgent(agentId);
  if (isNotFoundError(error)) {
    return (
      <MissingItem
        icon={AgentIcon}
        list={{ title: messages.title, target: { to: 'agents' } }}
        showAll={messages.showAll}
        title={messages.missing}
      />
    );
  }
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

/** Shows a skeleton until the code of a tab is loaded. */
function withLoadingSkeleton(content: ReactNode): ReactNode {
  return <Suspense fallback={<Skeleton lines={6} />}>{content}</Suspense>;
}

function AgentTabs({ agent }: { readonly agent: Agent }): ReactNode {
  const messages = useMessages(agentsMessages);
  const [tab, setTab] = useSearchParameter('tab');
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
        { name: 'settings', title: messages.settings, content: withLoadingSkeleton(<SettingsTab agent={agent} />) },
        { name: 'prompts', title: messages.prompts, content: withLoadingSkeleton(<PromptsTab agent={agent} />) },
        { name: 'connect', title: messages.connect, content: withLoadingSkeleton(<ClientAccess agentId={agent.id} />) },
      ]}
      value={TABS.find((name) => name === tab) ?? 'chat'}
    />
  );
}
