import type { QuarryClient } from '@quarry/client';

const LONG_NAME =
  'Manuals of all tools and machines that were sold, repaired or lent by the workshops since the year 2001';

/**
 * Creates one resource of each kind. Returns the relative addresses of the screens that show one of these resources,
 * and of the other screens, such as lists.
 */
export async function addOneResourceOfEachKind(client: QuarryClient): Promise<readonly string[]> {
  const { id: datastoreId } = await client.createDatastore({ name: LONG_NAME });
  const { ids } = await client.upsertDocuments(datastoreId, [{ name: 'Drill', text: 'The warranty lasts two years.' }]);
  const [datasourceId = ''] = ids;
  await client.untilSettled(datasourceId);
  const { items } = await client.listDocuments(datasourceId);
  const agent = await client.createAgent({ name: 'Support', datastoreIds: [datastoreId] });
  const webhook = await client.createWebhook({ url: `https://example.org/${'hooks/'.repeat(30)}` });
  const question = {
    question: 'How long does the warranty last?',
    expected: ['two years'],
  };
  const { id: evaluationId } = await client.createEvaluation({ datastoreId, dataset: { questions: [question] } });
  await client.untilEvaluated(evaluationId);
  const { conversationId } = await client.queryAgent(agent.id, { query: 'How long does the warranty last?' });
  return [
    'start',
    'datastores',
    `datastores/${datastoreId}`,
    `datastores/${datastoreId}/upload`,
    `datasources/${datasourceId}`,
    `datasources/${datasourceId}/documents/${encodeURIComponent(items[0]?.documentKey ?? '')}`,
    'playground',
    'agents',
    `agents/${agent.id}`,
    'conversations',
    `conversations/${conversationId}`,
    'evaluations',
    `evaluations/${evaluationId}`,
    'keys',
    'webhooks',
    `webhooks/${webhook.id}`,
    'usage',
  ];
}
