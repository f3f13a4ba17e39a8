import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { useHasScope } from '../../session/use-session.js';
import { useModelConnections } from '../models/use-models.js';

/**
 * Returns true if a language model writes the answers of an agent; undefined if this is not determined yet or cannot be
 * determined. Operators can read the model connections. For other keys, the result is true if a model wrote the agent's
 * last answer.
 */
export function useHasModel(agentId: string): boolean | undefined {
  const client = useClient();
  const isOperator = useHasScope('operate');
  const { data: connections } = useModelConnections();
  const { data: answeredBy } = useQuery({
    queryKey: ['conversations', 'last-answer', agentId],
    enabled: !isOperator,
    queryFn: async ({ signal }) => {
      const [last] = (await client.listConversations({ agentId, limit: 1 }, { signal })).items;
      if (last === undefined) return null;
      const { items } = await client.listMessages(last.id, { order: 'desc', limit: 2 }, { signal });
      return items.find(({ role }) => role === 'assistant')?.answeredBy ?? null;
    },
  });
  if (isOperator) return connections === undefined ? undefined : connections.defaultModel !== null;
  return answeredBy === undefined || answeredBy === null ? undefined : answeredBy === 'model';
}
