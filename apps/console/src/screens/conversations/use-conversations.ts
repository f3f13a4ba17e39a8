import type { Agent, Conversation, Message, QuarryClient } from '@quarry/client';
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { MAX_ITEMS_PER_RESPONSE, usePages, type Pages } from '../../api/use-pages.js';
import { isNotFoundError } from '../../components/explain-error.js';
import { buildConversationQuery, computeNextCursor, type ConversationFilter } from './conversation-filter.js';

const CONVERSATIONS = ['conversations'] as const;
const PAGE_SIZE = 50;

/** Loads the conversations that match a filter, page by page. */
export function useConversations(filter: ConversationFilter): Pages<Conversation> {
  const client = useClient();
  return usePages([...CONVERSATIONS, 'list', filter], async (cursor, signal) => {
    const query = { ...buildConversationQuery(filter, cursor, new Date()), limit: PAGE_SIZE };
    const { items, next_cursor } = await client.listConversations(query, { signal });
    return { items, next_cursor: computeNextCursor(filter, cursor, next_cursor) };
  });
}

/** A conversation with its messages, oldest first. */
export interface StoredConversation {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
  /** The agent of the conversation. Undefined if the agent was deleted. */
  readonly agent: Agent | undefined;
}

export function useConversation(id: string): UseQueryResult<StoredConversation> {
  const client = useClient();
  return useQuery({
    queryKey: [...CONVERSATIONS, id],
    queryFn: async ({ signal }) => {
      const [[conversation, agent], messages] = await Promise.all([
        loadConversationAndAgent(client, id, signal),
        Array.fromAsync(client.listMessages(id, { limit: MAX_ITEMS_PER_RESPONSE }, { signal })),
      ]);
      return { conversation, messages, agent };
    },
  });
}

async function loadConversationAndAgent(
  client: QuarryClient,
  id: string,
  signal: AbortSignal,
): Promise<readonly [Conversation, Agent | undefined]> {
  const conversation = await client.getConversation(id, { signal });
  const agent = await client.getAgent(conversation.agentId, { signal }).catch((error: unknown) => {
    if (!isNotFoundError(error)) throw error;
    return undefined;
  });
  return [conversation, agent];
}

/**
 * Loads all agents, keyed by id, so that lists of conversations can show the names of their agents. An agent that is
 * missing was deleted.
 */
export function useAgentsById(): UseQueryResult<ReadonlyMap<string, Agent>> {
  const client = useClient();
  return useQuery({
    queryKey: ['agents', 'all'],
    queryFn: async ({ signal }) => {
      const agents = await Array.fromAsync(client.listAgents({ limit: MAX_ITEMS_PER_RESPONSE }, { signal }));
      return new Map(agents.map((agent) => [agent.id, agent]));
    },
    // React Query can compare only arrays and plain objects with the earlier data, not maps.
    structuralSharing: false,
  });
}

export function useDeleteConversation(): UseMutationResult<void, Error, string> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => client.deleteConversation(id),
    onSuccess: (_nothing, id) => {
      queries.removeQueries({ queryKey: [...CONVERSATIONS, id] });
      void queries.invalidateQueries({ queryKey: [...CONVERSATIONS, 'list'] });
    },
  });
}
