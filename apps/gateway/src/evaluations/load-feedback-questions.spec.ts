import type { EvaluationQuestionResponse, FoundFragment, Page } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectDocumented } from '../testing/expect-documented.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { getStringField, createAgent, createSite, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const PAGE = 'https://example.com/a';
let now = new Date('2026-11-23T12:00:00Z');
const used = setUpTenant({ clock: () => now });
let file: string;
let site: string;

beforeEach(async () => {
  now = new Date('2026-11-23T12:00:00Z');
  file = await uploadText(used.tenant.api, used.datastore, 'x', 'hours.txt');
  site = await createSite(used.tenant.api, used.datastore);
});

interface Cited {
  readonly datasourceId: string;
  readonly cited?: boolean;
  readonly source?: string | null;
  readonly customId?: string | null;
}

/**
 * Asks a question whose answer cites the given sources, and rates the answer.
 *
 * @returns the ids of the conversation and of the message with the answer
 */
async function askAndRate(
  query: string,
  cited: readonly Cited[],
  {
    rating = 'up',
    agentId = used.agent,
    conversationId,
  }: Partial<Record<'rating' | 'agentId' | 'conversationId', string>> = {},
): Promise<{ readonly conversationId: string; readonly messageId: string }> {
  const fragment: Omit<FoundFragment, 'datasourceId'> = {
    ...{ fragmentId: 'f', documentKey: 'd', customId: null, source: null, page: null },
    ...{ rectangles: [], text: 'Yes.', score: 0.5 },
  };
  const sources = cited.map((each) => ({ ...fragment, cited: true, ...each }));
  used.test.query.answer = () => streamEvents([buildCompletedEvent('Yes.', { sources })]);
  const body = { query, ...(conversationId === undefined ? {} : { conversationId }) };
  const response = await used.tenant.api.post(`/api/agents/${agentId}/query`).send(body);
  const ids = {
    conversationId: getStringField(response, 'conversationId'),
    messageId: getStringField(response, 'messageId'),
  };
  if (rating !== 'none') {
    const path = `/api/conversations/${ids.conversationId}/messages/${ids.messageId}/feedback`;
    expect((await used.tenant.api.put(path).send({ rating })).status).toBe(200);
  }
  return ids;
}

const startEvaluationFrom = async (feedback: object, more: object = {}) =>
  used.tenant.api.post('/api/evaluations').send({ datastoreId: used.datastore, dataset: { feedback, ...more } });

/** Starts an evaluation of questions with rated answers. @param feedback selects the answers @returns the questions */
async function startAndListQuestions(feedback: object = {}): Promise<readonly EvaluationQuestionResponse[]> {
  const started = await startEvaluationFrom(feedback);
  expectDocumented(started, 'post', '/evaluations');
  const id = getStringField(started, 'id');
  const listed = await used.tenant.api.get(`/api/evaluations/${id}/questions`);
  await used.tenant.api.post(`/api/evaluations/${id}/cancel`);
  return (listed.body as Page<EvaluationQuestionResponse>).items;
}
const listQuestionTexts = async (feedback: object = {}): Promise<readonly string[]> =>
  (await startAndListQuestions(feedback)).map(({ question }) => question);

describe('a dataset from feedback', () => {
  it('a dataset from feedback contains the questions with positive feedback, newest first, and the documents that the answers cite', async () => {
    const { messageId } = await askAndRate('When?', [
      { datasourceId: file },
      { datasourceId: file },
      { datasourceId: site, source: PAGE },
    ]);
    await askAndRate('Which?', [{ datasourceId: site, customId: 'c7' }]);
    await askAndRate('Bad?', [{ datasourceId: file }], { rating: 'down' });
    await askAndRate('Unrated?', [{ datasourceId: file }], { rating: 'none' });
    const shared = { expected: [], unanswerable: false };
    expect(await startAndListQuestions()).toMatchObject([
      { ...shared, question: 'Which?', relevant: [{ customId: 'c7' }] },
      { ...shared, id: messageId, question: 'When?', relevant: [{ datasourceId: file }, { source: PAGE }] },
    ]);
  });

  it('a dataset from feedback contains each question once, and only cited documents that still exist', async () => {
    const removed = await uploadText(used.tenant.api, used.datastore, 'x', 'old.txt');
    await askAndRate('When  do you open?', [{ datasourceId: file }]);
    await askAndRate('when do you open?', [{ datasourceId: file }, { datasourceId: removed }]);
    await askAndRate('Uncited?', [{ datasourceId: file, cited: false }]);
    await askAndRate('Removed?', [{ datasourceId: removed }]);
    await used.tenant.api.delete(`/api/datasources/${removed}`);
    expect(await startAndListQuestions()).toMatchObject([
      { question: 'when do you open?', relevant: [{ datasourceId: file }] },
    ]);
  });

  it('a dataset from feedback contains follow-up questions only if the request sets `followUps` to true', async () => {
    const { conversationId } = await askAndRate('When?', [{ datasourceId: file }]);
    await askAndRate('And on Sundays?', [{ datasourceId: file }], { conversationId });
    expect(await listQuestionTexts()).toEqual(['When?']);
    expect(await listQuestionTexts({ followUps: true })).toEqual(['And on Sundays?', 'When?']);
  });

  it('a dataset from feedback contains only answers of the requested agent and period', async () => {
    const other = await createAgent(used.tenant.api, { datastoreIds: [used.datastore] });
    await askAndRate('Early?', [{ datasourceId: file }]);
    now = new Date('2026-11-24T12:00:00Z');
    await askAndRate('Late?', [{ datasourceId: file }], { agentId: other });
    expect(await listQuestionTexts({ agentId: other })).toEqual(['Late?']);
    expect(await listQuestionTexts({ createdAfter: '2026-11-24T00:00:00Z' })).toEqual(['Late?']);
    expect(await listQuestionTexts({ createdBefore: '2026-11-24T00:00:00Z' })).toEqual(['Early?']);
  });

  it('a dataset from feedback is refused if no answer has positive feedback, if the request also contains CSV, or if the agent is unknown', async () => {
    await askAndRate('Bad?', [{ datasourceId: file }], { rating: 'down' });
    const empty = await startEvaluationFrom({});
    expect([empty.status, empty.text]).toEqual([
      400,
      expect.stringContaining('dataset.feedback must select') as string,
    ]);
    await askAndRate('When?', [{ datasourceId: file }]);
    expect((await startEvaluationFrom({}, { csv: 'question\nq' })).status).toBe(400);
    expect((await startEvaluationFrom({ agentId: '00000000-0000-7000-8000-00000000dead' })).status).toBe(404);
    expect((await startEvaluationFrom({})).status).toBe(201);
  });

  it('a dataset from feedback does not contain answers of other organizations', async () => {
    await askAndRate('When?', [{ datasourceId: file }]);
    const other = await used.test.createTenant();
    const datastoreId = getStringField(await other.api.post('/api/datastores').send({ name: 'a' }), 'id');
    const started = await other.api.post('/api/evaluations').send({ datastoreId, dataset: { feedback: {} } });
    expect(started.status).toBe(400);
  });
});
