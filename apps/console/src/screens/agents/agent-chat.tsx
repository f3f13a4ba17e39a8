import type { Message } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { ChatPanel } from '../../answers/chat-panel.js';
import { useStoredChat, type ConversationStart } from '../../answers/use-stored-chat.js';
import { useStoredMessages } from '../../answers/use-stored-messages.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { PlusIcon } from '../../components/icons.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { useOpenScreen, useSearchParameter } from '../../routing/screen-link.js';
import { agentsMessages } from './messages.js';

/**
 * Shows a conversation that tests an agent. The address contains the id of the conversation, so that a reload shows the
 * conversation again and resumes a running answer.
 */
export function AgentChat({ agentId }: { readonly agentId: string }): ReactNode {
  const messages = useMessages(agentsMessages);
  const openScreen = useOpenScreen();
  const [conversationId] = useSearchParameter('conversation');
  const [runningMessageId] = useSearchParameter('answering');
  // Only the conversation that was in the address when the chat opened is loaded. The screen already shows a
  // conversation that starts later.
  const [start, setStart] = useState({ conversationId, runningMessageId, count: 0 });
  const loading = useStoredMessages(start.conversationId);
  const startNewConversation = (): void => {
    setStart({ conversationId: undefined, runningMessageId: undefined, count: start.count + 1 });
    openScreen({ to: 'agent', parameters: { agentId }, isReplacing: true });
  };
  if (loading.error !== null) return <ErrorNotice error={loading.error} onRetry={startNewConversation} />;
  if (loading.stored === undefined) return <Skeleton lines={5} />;
  return (
    <div className="agent-chat">
      <div className="agent-chat-bar">
        <Button disabled={conversationId === undefined} icon={PlusIcon} onClick={startNewConversation}>
          {messages.newConversation}
        </Button>
      </div>
      <AgentConversation agentId={agentId} key={start.count} start={start} storedMessages={loading.stored} />
    </div>
  );
}

interface AgentConversationProps {
  readonly agentId: string;
  readonly start: ConversationStart;
  readonly storedMessages: readonly Message[];
}

function AgentConversation({ agentId, start, storedMessages }: AgentConversationProps): ReactNode {
  const openScreen = useOpenScreen();
  const { chat, conversationId } = useStoredChat({
    ...{ agentId, start, storedMessages },
    onProgress: (conversation, answering) =>
      openScreen({ to: 'agent', parameters: { agentId }, search: { conversation, answering }, isReplacing: true }),
  });
  return <ChatPanel chat={chat} conversationId={conversationId} />;
}
