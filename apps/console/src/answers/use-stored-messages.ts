import type { Message } from '@quarry/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { MAX_ITEMS_PER_RESPONSE } from '../api/use-pages.js';

interface StoredMessages {
  /** The stored messages of the conversation. Undefined until they are loaded. */
  readonly stored: readonly Message[] | undefined;
  readonly error: Error | null;
}

/** Loads the messages of a conversation once, oldest first. Returns an empty list if the id is undefined. */
export function useStoredMessages(conversationId: string | undefined): StoredMessages {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['chat', conversationId],
    queryFn: async ({ signal }) =>
      conversationId === undefined
        ? []
        : Array.fromAsync(client.listMessages(conversationId, { limit: MAX_ITEMS_PER_RESPONSE }, { signal })),
    staleTime: Infinity,
    gcTime: 0,
  });
  return { stored: data, error };
}
