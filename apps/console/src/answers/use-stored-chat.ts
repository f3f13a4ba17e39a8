import type { Message } from '@quarry/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { groupMessagesIntoTurns } from './chat-turn.js';
import { useChat, type Chat, type ChatOptions } from './use-chat.js';

/** The ids of the conversation and of its running answer that the address contained when the screen was opened. */
export type ConversationStart = Pick<ChatOptions, 'conversationId' | 'runningMessageId'>;

export interface StoredChatOptions extends Pick<ChatOptions, 'agentId'> {
  readonly start: ConversationStart;
  /** The stored messages of the conversation, oldest first. */
  readonly storedMessages: readonly Message[];
  /**
   * Called when an answer starts or ends, to write the ids of the conversation and of the running answer to the
   * address. See `ChatOptions.onProgress`.
   */
  readonly onProgress: NonNullable<ChatOptions['onProgress']>;
}

interface StoredChat {
  readonly chat: Chat;
  /** The id of the conversation. Undefined until its first answer starts. */
  readonly conversationId: string | undefined;
}

/**
 * Returns a chat that continues the conversation `start.conversationId`, or starts a new one if this id is undefined.
 * Reloads the cached data of all conversations after each answer.
 */
export function useStoredChat({ agentId, start, storedMessages, onProgress }: StoredChatOptions): StoredChat {
  const queries = useQueryClient();
  const [conversationId, setConversationId] = useState(start.conversationId);
  const [turns] = useState(() => groupMessagesIntoTurns(storedMessages));
  const isStored = turns.some(({ messageId }) => messageId === start.runningMessageId);
  const chat = useChat({
    agentId,
    turns,
    conversationId: start.conversationId,
    runningMessageId: isStored ? undefined : start.runningMessageId,
    onProgress: (conversation, answering) => {
      setConversationId(conversation);
      onProgress(conversation, answering);
      if (answering === undefined) void queries.invalidateQueries({ queryKey: ['conversations'] });
    },
  });
  return { chat, conversationId };
}
