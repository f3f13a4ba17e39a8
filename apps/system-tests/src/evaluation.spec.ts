import type { QuarryClient } from '@quarry/client';
import { beforeAll, expect, it } from 'vitest';
import { describeOnEachStack } from './quarry/stacks.js';

const COLOURS = ['red', 'green', 'blue', 'black', 'white', 'brown', 'yellow', 'grey', 'purple', 'orange'];
const TOOLS = ['hammer', 'chisel', 'spanner', 'plane'];
/** Names of the test documents. There is one document per combination of a colour and a tool. */
const PRODUCTS = COLOURS.flatMap((colour) => TOOLS.map((tool) => `${colour} ${tool}`));
/** Number of questions of the long evaluation. */
const LONG = 1_000;
const TIMEOUT_MS = 180_000;

const describeProduct = (product: string, at: number): string => `The ${product} weighs ${100 + at} grams.`;
const QUESTIONS = PRODUCTS.map((product, at) => ({
  id: product,
  question: `How heavy is the ${product}?`,
  expected: [`${100 + at} grams`],
  relevant: [{ document: `${product}.txt` }],
}));
/** A question whose relevant document does not exist. */
const MISSING = { id: 'missing', question: 'How heavy is the red anvil?', relevant: [{ document: 'anvil.txt' }] };
const UNANSWERABLE = { id: 'none', question: 'Xylophone?', unanswerable: true };

describeOnEachStack('an evaluation', { notAtAddress: 'its processes cannot be restarted' }, (quarry, stack) => {
  let datastoreId: string;
  const datasourceIds: string[] = [];
  beforeAll(async () => {
    ({ id: datastoreId } = await quarry().createDatastore({ name: 'Workshop' }));
    const documents = PRODUCTS.map((product, at) => ({ name: `${product}.txt`, text: describeProduct(product, at) }));
    datasourceIds.push(...(await quarry().upsertDocuments(datastoreId, documents)).ids);
    for (const id of datasourceIds) expect(await quarry().untilSettled(id)).toMatchObject({ status: 'synched' });
  });

  const runEvaluation = async (request: Parameters<QuarryClient['createEvaluation']>[0]) => {
    const { id } = await quarry().createEvaluation(request);
    return quarry().untilEvaluated(id, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  };

  it('an evaluation computes recall, nDCG and MRR, and a comparison reports whether an evaluation is worse than another one', async () => {
    const jsonl = [...QUESTIONS, MISSING].map((question) => JSON.stringify(question)).join('\n');
    const all = await runEvaluation({ datastoreId, dataset: { name: 'Weights', jsonl }, settings: { topK: 10 } });
    expect(all).toMatchObject({ status: 'done', name: 'Weights', questions: 41, ended: 41, failed: 0 });
    const share = expect.closeTo(40 / 41, 6) as unknown;
    expect(all.metrics).toMatchObject({
      ...{ recall: { value: share, questions: 41 }, ndcg10: { value: share }, mrr: { value: share, high: 1 } },
      ...{ answerContains: { value: 1, low: 1, high: 1, questions: 40 }, citationPrecision: null },
    });

    const settings = { topK: 10, filters: { datasource_ids: datasourceIds.slice(0, 20) } };
    const half = await runEvaluation({ datastoreId, datasetId: all.datasetId, settings });
    expect(half.metrics).toMatchObject({ recall: { value: expect.closeTo(20 / 41, 6) as unknown } });
    const again = await runEvaluation({ datastoreId, datasetId: all.datasetId, settings });
    expect(again.metrics?.ndcg10).toEqual(half.metrics?.ndcg10);

    const worse = await quarry().compareEvaluations(half.id, all.id);
    expect(worse).toMatchObject({ verdict: 'worse', decidedBy: 'ndcg10' });
    expect(worse.measures.find(({ measure }) => measure === 'recall')).toMatchObject({
      better: 0,
      worse: 20,
      equal: 21,
    });
    expect(worse.changed).toHaveLength(20);
    expect(await quarry().compareEvaluations(half.id, again.id)).toMatchObject({
      verdict: 'no_significant_difference',
    });
    const { items } = await quarry().listEvaluationQuestions(half.id, { limit: 200 });
    expect(items.map(({ scores }) => scores?.recall)).toEqual(items.map((_, at) => (at < 20 ? 1 : 0)));
  });

  it('an evaluation of an agent measures answers, citations and abstentions', async () => {
    const { id: agentId } = await quarry().createAgent({ name: 'Clerk', datastoreIds: [datastoreId] });
    const evaluation = await runEvaluation({ agentId, dataset: { questions: [...QUESTIONS, UNANSWERABLE] } });
    expect(evaluation).toMatchObject({ status: 'done', failed: 0 });
    expect(evaluation.metrics).toMatchObject({ abstention: { value: 1, questions: 1 }, answered: { questions: 40 } });
    expect(evaluation.metrics?.answerContains?.value).toBeGreaterThan(0.9);
    expect(evaluation.metrics?.citationPrecision?.value).toBeGreaterThan(0.3);
    expect((await quarry().listConversations({ agentId })).items).toEqual([]);
  });

  it('an evaluation of questions with helpful answers counts the cited documents as relevant, and lists the passages that its searches find', async () => {
    const { id: agentId } = await quarry().createAgent({ name: 'Rated', datastoreIds: [datastoreId] });
    const [{ question } = MISSING] = QUESTIONS;
    const { conversationId, messageId } = await quarry().queryAgent(agentId, { query: question });
    await quarry().setFeedback(conversationId, messageId, { rating: 'up' });
    const evaluation = await runEvaluation({ datastoreId, dataset: { feedback: { agentId } } });
    expect(evaluation).toMatchObject({ name: 'Feedback', questions: 1, failed: 0, metrics: { mrr: { value: 1 } } });
    const { items } = await quarry().listEvaluationQuestions(evaluation.id);
    expect(items).toMatchObject([{ id: messageId, question }]);
    expect(items[0]?.results[0]).toMatchObject({
      datasourceName: `${PRODUCTS[0] ?? ''}.txt`,
      text: describeProduct(PRODUCTS[0] ?? '', 0),
      documentKey: expect.any(String) as string,
      relevant: true,
    });
    const { items: datasets } = await quarry().listEvaluationDatasets({ limit: 1 });
    expect(datasets).toMatchObject([{ id: evaluation.datasetId, evaluations: 1, newestEvaluationId: evaluation.id }]);
  });

  it('an evaluation is invisible to another organization', async () => {
    const { id } = await runEvaluation({ datastoreId, dataset: { csv: 'question,text\nHow heavy?,grams\n' } });
    const { apiKey } = await quarry().createOrganization({ name: 'Acme' });
    const other = quarry(apiKey);
    expect((await other.listEvaluations()).items).toEqual([]);
    const requests = [
      () => other.getEvaluation(id),
      () => other.listEvaluationQuestions(id),
      () => other.compareEvaluations(id, id),
      () => other.cancelEvaluation(id),
      () => other.deleteEvaluation(id),
      () => other.createEvaluation({ datastoreId, dataset: { questions: [{ question: 'How heavy?' }] } }),
    ];
    for (const send of requests) await expect(send()).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  it(
    'if all processes are killed during an evaluation, the evaluation continues after the restart',
    async () => {
      const questions = Array.from({ length: LONG }, (_, at) => ({
        ...QUESTIONS[at % QUESTIONS.length],
        ...{ id: String(at), question: `How heavy is the ${PRODUCTS[at % PRODUCTS.length] ?? ''}? (${at})` },
      }));
      const { id } = await quarry().createEvaluation({ datastoreId, dataset: { questions } });
      await expect
        .poll(async () => (await quarry().getEvaluation(id)).ended, { timeout: TIMEOUT_MS, interval: 20 })
        .toBeGreaterThan(0);
      await stack().restart('killed');
      expect((await quarry().getEvaluation(id)).ended).toBeLessThan(LONG);
      const ended = await quarry().untilEvaluated(id, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      expect(ended).toMatchObject({ status: 'done', ended: LONG, failed: 0, metrics: { recall: { value: 1 } } });
    },
    TIMEOUT_MS,
  );
});
