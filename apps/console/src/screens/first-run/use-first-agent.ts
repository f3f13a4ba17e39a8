import type { Agent, Datastore } from '@quarry/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useClient } from '../../api/client-context.js';
import { MAX_ITEMS_PER_RESPONSE } from '../../api/use-pages.js';
import { refreshQueries } from '../../api/refresh-queries.js';
import { findDatastoreAgent } from '../agents/use-datastore-agent.js';
import { findFreeName } from './find-free-name.js';
import { loadNames } from './load-names.js';

interface FirstAgent {
  /** The agent that answers the questions. Null if the datastore has none. Undefined until the agent is loaded. */
  readonly agent: Agent | null | undefined;
  /** Returns the id of the agent that answers the questions. Creates the agent if the datastore has none. */
  readonly requireAgent: () => Promise<string>;
}

/**
 * Returns the agent of a conversation. If `conversationId` is undefined, returns the agent that answers from this
 * datastore only.
 */
export function useFirstAgent({ id: datastoreId, name }: Datastore, conversationId: string | undefined): FirstAgent {
  const client = useClient();
  const queries = useQueryClient();
  const created = useRef<Promise<Agent>>(undefined);
  const key = ['agents', 'first-steps', datastoreId, conversationId];
  const loadAgent = async (options?: { readonly signal: AbortSignal }): Promise<Agent | null> => {
    if (conversationId === undefined) return findDatastoreAgent(client, datastoreId, options);
    return client.getAgent((await client.getConversation(conversationId, options)).agentId, options);
  };
  const { data: agent } = useQuery({ queryKey: key, queryFn: async ({ signal }) => loadAgent({ signal }) });
  const findOrCreate = async (): Promise<Agent> => {
    const found = await loadAgent();
    if (found !== null) return found;
    const used = await loadNames(client.listAgents({ limit: MAX_ITEMS_PER_RESPONSE }));
    return client.createAgent({ name: findFreeName(name, used), datastoreIds: [datastoreId] });
  };
  return {
    agent,
    requireAgent: async () => {
      if (agent !== undefined && agent !== null) return agent.id;
      created.current ??= findOrCreate();
      try {
        const next = await created.current;
        queries.setQueryData(key, next);
        refreshQueries(queries, { queryKey: ['agents'] });
        return next.id;
      } finally {
        created.current = undefined;
      }
    },
  };
}
