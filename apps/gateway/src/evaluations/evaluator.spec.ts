import type {
  AnswerRequest,
  EvaluationComparison,
  EvaluationQuestionResponse,
  EvaluationResponse,
  FoundFragment,
} from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { datastores } from '../database/tables/datastores.js';
import { evaluationDatasets, evaluationResults, evaluations } from '../database/tables/evaluations.js';
import { organizations } from '../database/tables/organizations.js';
import { continueOrganizationRemovals, removeOrganization } from '../organizations/remove-organization.js';
import { eraseSourceTexts } from '../removals/erase-source-texts.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { getStringField, uploadText } from '../testing/create-resources.js';
import type { Api } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { claimEvaluation, LEASE_MS, renewEvaluationClaim } from './claim-evaluation.js';
import type { EvaluationParts } from './evaluate-question.js';
import { runNextEvaluation, startEvaluator } from './evaluator.js';
import { recordQuestionResult } from './result-repository.js';

let now = new Date('2026-11-23T12:00:00Z');
const used = setUpTenant({ clock: () => now });
let file: string;
const waits: number[] = [];

beforeEach(async () => {
  await used.test.gateway.db.delete(evaluations);
  file = await uploadText(used.tenant.api, used.datastore, 'x', 'hours.txt');
  waits.length = 0;
  used.test.query.searches.length = 0;
});

const buildFragment = (text: string, more: Partial<FoundFragment> = {}): FoundFragment => ({
  ...{
    fragmentId: 'f',
    datasourceId: file,
    documentKey: 'd',
    customId: null,
    source: null,
    page: null,
    rectangles: [],
    text,
    score: 0.5,
  },
  ...more,
});
const getEvaluationParts = (): EvaluationParts => ({
  ...used.test.gateway,
  wait: async (ms) => Promise.resolve(waits.push(ms)),
});
const runNextEvaluationOnce = async (signal = new AbortController().signal) =>
  runNextEvaluation(getEvaluationParts(), signal);
async function runAllEvaluations(): Promise<void> {
  while (await runNextEvaluationOnce());
}
const HOURS = { question: 'When?', expected: ['at 9:30'], relevant: [{ document: 'hours.txt' }] };
const postEvaluation = async (body: object, api: Api = used.tenant.api): Promise<string> =>
  getStringField(await api.post('/api/evaluations').send(body), 'id');
const startEvaluation = async (questions: readonly object[], more: object = {}): Promise<string> =>
  postEvaluation({ datastoreId: used.datastore, dataset: { questions }, ...more });
const getEvaluation = async (id: string): Promise<EvaluationResponse> =>
  (await used.tenant.api.get(`/api/evaluations/${id}`)).body as EvaluationResponse; // as documented
const listEvaluationQuestions = async (id: string): Promise<readonly EvaluationQuestionResponse[]> => {
  const listed = await used.tenant.api.get(`/api/evaluations/${id}/questions?limit=200`);
  return (listed.body as { readonly items: readonly EvaluationQuestionResponse[] }).items; // as documented
};
const buildQuestions = (count: number): object[] =>
  Array.from({ length: count }, (_, number) => ({ ...HOURS, question: `When ${number}?` }));

describe('an evaluation of a datastore', () => {
  it('a new evaluation is waiting until the evaluator runs it, and then has the measures of its questions', async () => {
    used.test.query.fragments = [buildFragment('It opens at 9:30.', { score: 0.9 })];
    const id = await startEvaluation([HOURS, { question: 'Who?', relevant: [{ text: 'nobody' }] }], {
      settings: { topK: 3 },
    });
    expect(await getEvaluation(id)).toMatchObject({
      status: 'waiting',
      questions: 2,
      ended: 0,
      metrics: null,
      name: 'Evaluation',
    });
    await runAllEvaluations();
    const ended = await getEvaluation(id);
    expect(ended).toMatchObject({ status: 'done', ended: 2, failed: 0, error: null, settings: { topK: 3 } });
    expect(ended.metrics).toMatchObject({
      recall: { value: 0.5, low: 0, high: 1, questions: 2 },
      ...{ ndcg10: { value: 0.5 }, mrr: { value: 0.5 }, answerContains: { value: 1, questions: 1 } },
      ...{ citationPrecision: null, abstention: null, answered: null },
      latencyP50Ms: { questions: 2 },
    });
    expect(used.test.query.searches).toMatchObject([{ topK: 3 }, { topK: 3 }]);
    expect((await listEvaluationQuestions(id))[0]).toMatchObject({
      ...{ id: '1', status: 'done', scores: { recall: 1, ndcg10: 1, answerContains: 1 }, answer: null },
      results: [{ datasourceId: file, datasourceName: 'hours.txt', score: 0.9, relevant: true }],
    });
  });

  it('an evaluation counts each question as a query of the organization, and stops at the usage limit', async () => {
    const id = await startEvaluation(buildQuestions(3));
    await runAllEvaluations();
    const usage = await used.tenant.api.get('/api/usage');
    expect(usage.body).toMatchObject({ queries: { datastoreQueries: 3 } });
    const limits = { agentQueriesPerMonth: 4 };
    await used.tenant.api.patch(`/api/organizations/${used.tenant.organizationId}`).send({ limits });
    const stopped = await postEvaluation({
      datasetId: (await getEvaluation(id)).datasetId,
      datastoreId: used.datastore,
    });
    await runAllEvaluations();
    expect(await getEvaluation(stopped)).toMatchObject({
      status: 'error',
      ended: 1,
      error: { code: 'usage_limit_reached' },
    });
  });

  it('the API response for a question of an evaluation contains, for each passage found, its document and the first 2,000 characters of its text', async () => {
    used.test.query.fragments = [buildFragment(`It opens at 9:30. ${'x'.repeat(3_000)}`)];
    const id = await startEvaluation([HOURS]);
    await runAllEvaluations();
    const [passage] = (await listEvaluationQuestions(id))[0]?.results ?? [];
    expect(passage).toMatchObject({
      documentKey: 'hours.txt',
      text: expect.stringMatching(/^It opens at 9:30/) as string,
    });
    expect(passage?.text).toHaveLength(2_000);
  });

  it('the stored text of a passage does not end with a part of a character', async () => {
    const start = 'x'.repeat(1_999);
    used.test.query.fragments = [buildFragment(`${start}😀`)];
    const id = await startEvaluation([HOURS]);
    await runAllEvaluations();
    expect((await listEvaluationQuestions(id))[0]?.results).toMatchObject([{ text: start }]);
  });

  it('the address that an evaluation shows for a passage of a file selects this passage as a reference', async () => {
    used.test.query.fragments = [buildFragment('It opens at 9:30.')];
    const id = await startEvaluation([HOURS]);
    await runAllEvaluations();
    const source = (await listEvaluationQuestions(id))[0]?.results[0]?.source;
    const repeated = await startEvaluation([{ question: 'When?', relevant: [{ source }] }]);
    await runAllEvaluations();
    expect((await listEvaluationQuestions(repeated))[0]).toMatchObject({
      scores: { recall: 1 },
      results: [{ source, relevant: true }],
    });
  });

  it('an evaluation hides the name, address and text of a deleted datasource, and eraseSourceTexts erases the stored text', async () => {
    const other = await uploadText(used.tenant.api, used.datastore, 'x', 'b.txt');
    const source = 'https://example.org/secret';
    used.test.query.fragments = [
      buildFragment('A secret text.', { source }),
      buildFragment('Another text.', { datasourceId: other }),
    ];
    const id = await startEvaluation([HOURS]);
    await runAllEvaluations();
    await used.tenant.api.delete(`/api/datasources/${file}`);
    const listed = await used.tenant.api.get(`/api/evaluations/${id}/questions`);
    expect(listed.text).not.toContain('secret');
    const hidden = { datasourceName: null, documentKey: null, source: null, text: null };
    expect(listed.body).toMatchObject({
      items: [{ results: [{ ...hidden, relevant: true }, { text: 'Another text.' }] }],
    });
    const { db } = used.test.gateway;
    const loadStoredResults = async () =>
      db.select().from(evaluationResults).where(eq(evaluationResults.evaluationId, id));
    expect(await loadStoredResults()).toMatchObject([
      { results: [{ text: 'A secret text.' }, { text: 'Another text.' }] },
    ]);
    await eraseSourceTexts(db, now);
    expect(await loadStoredResults()).toMatchObject([{ results: [{ text: '', source }, { text: 'Another text.' }] }]);
  });

  it('the latencies of an evaluation are rounded to tenths of a millisecond', async () => {
    const id = await startEvaluation(buildQuestions(3));
    await runAllEvaluations();
    const { metrics, datasetId } = await getEvaluation(id);
    const other = await postEvaluation({ datasetId, datastoreId: used.datastore });
    await runAllEvaluations();
    const compared = await used.tenant.api.get(`/api/evaluations/${other}/compare?with=${id}`);
    const { measures } = compared.body as EvaluationComparison;
    const latency = measures.find(({ measure }) => measure === 'latencyMs');
    const latencies = [
      ...(await listEvaluationQuestions(id)).map(({ latencyMs }) => latencyMs),
      ...[metrics?.latencyP50Ms, metrics?.latencyP95Ms, latency].flatMap((each) => [each?.low, each?.high]),
      ...[metrics?.latencyP50Ms?.value, metrics?.latencyP95Ms?.value, latency?.difference],
    ];
    expect(latencies).toHaveLength(12);
    for (const ms of latencies) expect(String(ms)).toMatch(/^-?\d+(\.\d)?$/);
  });

  it('two evaluations of the same dataset and datastore have the same measures', async () => {
    used.test.query.fragments = [buildFragment('It opens at 9:30.')];
    const questions = [...buildQuestions(5), { question: 'Who?', relevant: [{ text: 'nobody' }] }];
    const first = await startEvaluation(questions);
    await runAllEvaluations();
    const second = await postEvaluation({
      datasetId: (await getEvaluation(first)).datasetId,
      datastoreId: used.datastore,
    });
    await runAllEvaluations();
    const [one, other] = [(await getEvaluation(first)).metrics, (await getEvaluation(second)).metrics];
    expect(one?.recall).toEqual(other?.recall);
    expect(one?.recall).toMatchObject({ questions: 6 });
    const compared = await used.tenant.api.get(`/api/evaluations/${second}/compare?with=${first}`);
    expect(compared.body).toMatchObject({
      ...{ verdict: 'no_significant_difference', decidedBy: 'ndcg10', changed: [] },
      measures: expect.arrayContaining([
        expect.objectContaining({ measure: 'ndcg10', better: 0, worse: 0, equal: 6, pValue: 1 }),
      ]) as unknown,
    });
  });
});

describe('an evaluation of an agent', () => {
  const createAnswerWithCitation =
    (cited: boolean) =>
    (request: AnswerRequest): ReturnType<typeof streamEvents> => {
      const sources = [{ ...buildFragment('It opens at 9:30.'), cited }];
      return streamEvents([buildCompletedEvent(request.query === 'Who?' ? '?' : 'At 9:30.', { sources })]);
    };
  const startAgentEvaluation = async (questions: readonly object[], settings: object = {}): Promise<string> =>
    postEvaluation({ agentId: used.agent, dataset: { questions }, settings });

  it('an evaluation asks the agent with the settings of the evaluation, measures the answers and citations, and stores no conversation', async () => {
    used.test.query.answer = createAnswerWithCitation(true);
    const id = await startAgentEvaluation([HOURS, { question: 'Who?', unanswerable: true }], { temperature: 0.5 });
    await runAllEvaluations();
    expect((await getEvaluation(id)).metrics).toMatchObject({
      ...{ recall: { value: 1 }, answerContains: { value: 1 }, citationPrecision: { value: 1, questions: 1 } },
      ...{ answered: { value: 1, questions: 1 }, abstention: { value: 0, questions: 1 } },
    });
    expect(used.test.query.questions.at(-1)).toMatchObject({ generation: { temperature: 0.5 }, history: [] });
    expect((await listEvaluationQuestions(id))[0]).toMatchObject({ answer: 'At 9:30.', results: [{ cited: true }] });
    expect((await used.tenant.api.get('/api/conversations')).body).toMatchObject({ items: [] });
    expect((await used.tenant.api.get('/api/usage')).body).toMatchObject({ queries: { agentQueries: 2 } });
  });

  it('a comparison of two evaluations has the verdict `better` for the evaluation with the better answers', async () => {
    used.test.query.answer = createAnswerWithCitation(true);
    const better = await startAgentEvaluation(buildQuestions(12));
    await runAllEvaluations();
    used.test.query.answer = () => streamEvents([buildCompletedEvent('I don’t know.')]);
    const worse = await postEvaluation({ agentId: used.agent, datasetId: (await getEvaluation(better)).datasetId });
    await runAllEvaluations();
    const compared = await used.tenant.api.get(`/api/evaluations/${better}/compare?with=${worse}`);
    expect(compared.body).toMatchObject({ verdict: 'better', decidedBy: 'answerContains' });
    const opposite = await used.tenant.api.get(`/api/evaluations/${worse}/compare?with=${better}`);
    expect(opposite.body).toMatchObject({
      verdict: 'worse',
      changed: expect.objectContaining({ length: 12 }) as unknown,
    });
    expect(opposite.body).toMatchObject({
      measures: expect.arrayContaining([
        expect.objectContaining({ measure: 'answerContains', better: 0, worse: 12, equal: 0, difference: -1 }),
      ]) as unknown,
    });
  });

  it('an evaluation whose agent is deleted ends with the status `error`', async () => {
    const id = await startAgentEvaluation([HOURS]);
    await used.tenant.api.delete(`/api/agents/${used.agent}`);
    await runAllEvaluations();
    expect(await getEvaluation(id)).toMatchObject({ status: 'error', error: { code: 'not_found' }, ended: 0 });
  });

  it('an evaluation of an expired datastore ends with the error `datastore_expired`', async () => {
    const id = await startEvaluation([HOURS]);
    const isThis = eq(datastores.id, used.datastore);
    await used.test.gateway.db.update(datastores).set({ expiredAt: new Date() }).where(isThis);
    await runAllEvaluations();
    expect(await getEvaluation(id)).toMatchObject({ status: 'error', error: { code: 'datastore_expired' }, ended: 0 });
  });

  it('the log contains the error of a failed question of an evaluation', async () => {
    used.test.query.answer = () => {
      throw new Error('crashed');
    };
    const id = await startAgentEvaluation([HOURS]);
    await runAllEvaluations();
    expect((await listEvaluationQuestions(id))[0]).toMatchObject({ error: { code: 'dependency_unavailable' } });
    const logged = used.test.logged.filter((line) => line.includes(id)).join('');
    expect(logged).toMatch(/"message":"[^"]*other side closed".*"msg":"a question of an evaluation failed"/);
  });

  it('an evaluation continues after a failed question', async () => {
    used.test.query.answer = (request) =>
      request.query === 'Who?'
        ? streamEvents([{ type: 'failed', code: 'model_parameter_refused', message: 'too hot' }])
        : createAnswerWithCitation(true)(request);
    const id = await startAgentEvaluation([{ question: 'Who?' }, HOURS]);
    await runAllEvaluations();
    expect(await getEvaluation(id)).toMatchObject({
      status: 'done',
      ended: 2,
      failed: 1,
      metrics: { recall: { questions: 1 } },
    });
    const failed = { status: 'failed', error: { code: 'model_parameter_refused', message: 'too hot' }, scores: null };
    expect((await listEvaluationQuestions(id))[0]).toMatchObject(failed);
    expect(waits).toEqual([]);
    expect((await used.tenant.api.get('/api/usage')).body).toMatchObject({ queries: { agentQueries: 1 } });
  });
});

describe('retries of the questions of an evaluation', () => {
  it('a question that fails temporarily is retried three times, and an evaluation has the status `error` if all questions fail', async () => {
    used.test.query.refusal = { status: 503, body: { code: 'overloaded', detail: 'full' } };
    const id = await startEvaluation([HOURS]);
    await runAllEvaluations();
    expect(waits).toEqual([1_000, 4_000, 10_000]);
    expect(await getEvaluation(id)).toMatchObject({
      ...{ status: 'error', failed: 1 },
      error: {
        code: 'all_questions_failed',
        message: 'All questions failed. Error of the first one: overloaded: full',
      },
    });
  });

  it('a question does not fail if a retry succeeds', async () => {
    used.test.query.refusal = { status: 503, body: {} };
    const id = await startEvaluation([HOURS]);
    const parts = getEvaluationParts();
    const wait: EvaluationParts['wait'] = async () => {
      used.test.query.refusal = undefined;
      return Promise.resolve();
    };
    await runNextEvaluation({ ...parts, wait }, new AbortController().signal);
    expect(await getEvaluation(id)).toMatchObject({ status: 'done', failed: 0 });
  });
});

describe('the order of evaluations', () => {
  it('the evaluator runs the evaluations of an organization from oldest to newest, and alternates between organizations', async () => {
    const first = await startEvaluation(buildQuestions(120));
    const second = await startEvaluation([HOURS]);
    const other = await used.test.createTenant();
    const datastoreId = getStringField(await other.api.post('/api/datastores').send({ name: 'a' }), 'id');
    await postEvaluation({ datastoreId, dataset: { questions: [HOURS] } }, other.api);
    // The clock advances by a second whenever it is read, so that a turn ends after a few questions.
    const parts = { ...getEvaluationParts(), clock: () => (now = new Date(now.getTime() + 1_000)) };
    const signal = new AbortController().signal;
    await runNextEvaluation(parts, signal);
    expect(await getEvaluation(first)).toMatchObject({ status: 'running' });
    expect((await getEvaluation(first)).ended).toBeLessThan(20);
    await runNextEvaluation(parts, signal);
    expect((await other.api.get('/api/evaluations')).body).toMatchObject({ items: [{ status: 'done' }] });
    expect(await getEvaluation(second)).toMatchObject({ status: 'waiting' });
    await runAllEvaluations();
    expect(await getEvaluation(first)).toMatchObject({ status: 'done', ended: 120 });
    expect(await getEvaluation(second)).toMatchObject({ status: 'done' });
  });

  it('while a gateway has the lease of an evaluation, no other gateway runs it, and another gateway can run it after the lease has expired', async () => {
    const id = await startEvaluation([HOURS]);
    const { db } = used.test.gateway;
    await db
      .update(evaluations)
      .set({ claimedUntil: new Date(now.getTime() + LEASE_MS) })
      .where(eq(evaluations.id, id));
    expect(await runNextEvaluationOnce()).toBe(false);
    now = new Date(now.getTime() + LEASE_MS);
    expect(await runNextEvaluationOnce()).toBe(true);
    expect(await getEvaluation(id)).toMatchObject({ status: 'done' });
  });
});

describe('the outcome of a question', () => {
  const result = { position: 1, scores: null, error: null, latencyMs: 5, answer: null, results: [] };

  it('the outcome of a question is stored and counted once, even if the gateway records it twice', async () => {
    const id = await startEvaluation(buildQuestions(2));
    const { db } = used.test.gateway;
    const claim = await claimEvaluation(db, now);
    if (claim === undefined) throw new Error('expected a waiting evaluation, found none');
    const failed = { ...result, error: { code: 'overloaded', message: 'full' } };
    expect(await recordQuestionResult(db, claim, failed)).toBe(true);
    expect(await recordQuestionResult(db, claim, result)).toBe(true);
    expect(await getEvaluation(id)).toMatchObject({ ended: 1, failed: 1 });
    expect((await listEvaluationQuestions(id))[0]).toMatchObject({ status: 'failed', error: { code: 'overloaded' } });
  });

  it('a gateway whose claim on an evaluation has expired cannot store outcomes after another gateway has claimed the evaluation', async () => {
    const id = await startEvaluation(buildQuestions(2));
    const { db } = used.test.gateway;
    const lost = await claimEvaluation(db, now);
    now = new Date(now.getTime() + LEASE_MS);
    const claim = await claimEvaluation(db, now);
    if (lost === undefined || claim === undefined)
      throw new Error('expected two claims on the evaluation, found no more than one');
    expect(await renewEvaluationClaim(db, lost, now)).toBe(false);
    expect(await recordQuestionResult(db, lost, result)).toBe(false);
    expect(await getEvaluation(id)).toMatchObject({ ended: 0 });
    expect(await renewEvaluationClaim(db, claim, now)).toBe(true);
    expect(await recordQuestionResult(db, claim, result)).toBe(true);
    expect(await getEvaluation(id)).toMatchObject({ ended: 1, failed: 0 });
  });
});

describe('stopping, cancelling and deleting an evaluation', () => {
  it('when a gateway stops, the outcomes of ended questions remain stored, and another gateway asks the remaining questions', async () => {
    const id = await startEvaluation(buildQuestions(10));
    const stopping = new AbortController();
    let asked = 0;
    const { queryService } = used.test.gateway;
    const runSearch: typeof queryService.search = async (request, signal) => {
      asked += 1;
      if (asked === 6) stopping.abort(new Error('the gateway stops'));
      return queryService.search(request, signal);
    };
    await runNextEvaluation(
      { ...getEvaluationParts(), queryService: { ...queryService, search: runSearch } },
      stopping.signal,
    );
    const stopped = await getEvaluation(id);
    expect(stopped).toMatchObject({ status: 'running', failed: 0 });
    expect(stopped.ended).toBeGreaterThanOrEqual(4);
    expect(stopped.ended).toBeLessThan(6);
    used.test.query.searches.length = 0;
    await runAllEvaluations();
    expect(await getEvaluation(id)).toMatchObject({ status: 'done', ended: 10, failed: 0 });
    expect(used.test.query.searches).toHaveLength(10 - stopped.ended);
  });

  it('a cancelled evaluation asks no further questions, and has the results and measures of the questions that had ended', async () => {
    const id = await startEvaluation(buildQuestions(100));
    const { queryService } = used.test.gateway;
    let asked = 0;
    const runSearch: typeof queryService.search = async (request, signal) => {
      asked += 1;
      if (asked === 3) await used.tenant.api.post(`/api/evaluations/${id}/cancel`);
      return queryService.search(request, signal);
    };
    await runNextEvaluation(
      { ...getEvaluationParts(), queryService: { ...queryService, search: runSearch } },
      new AbortController().signal,
    );
    const cancelled = await getEvaluation(id);
    expect(cancelled).toMatchObject({ status: 'cancelled', metrics: { recall: { questions: cancelled.ended } } });
    expect(asked).toBeLessThan(50);
    expect(await runNextEvaluationOnce()).toBe(false);
    const again = await used.tenant.api.post(`/api/evaluations/${id}/cancel`);
    expect([again.status, getStringField(again, 'code')]).toEqual([409, 'nothing_to_cancel']);
  });

  it('deleting an evaluation also deletes its dataset if no other evaluation uses the dataset', async () => {
    const id = await startEvaluation(buildQuestions(3));
    const { datasetId } = await getEvaluation(id);
    const second = await postEvaluation({ datasetId, datastoreId: used.datastore });
    expect((await used.tenant.api.delete(`/api/evaluations/${id}`)).status).toBe(204);
    await runAllEvaluations();
    expect(await getEvaluation(second)).toMatchObject({ status: 'done', ended: 3 });
    await used.tenant.api.delete(`/api/evaluations/${second}`);
    const created = await used.tenant.api.post('/api/evaluations').send({ datasetId, datastoreId: used.datastore });
    expect([created.status, getStringField(created, 'code')]).toEqual([404, 'not_found']);
  });
});

it('an evaluation that has not ended after seven days has the status `error`', async () => {
  const id = await startEvaluation(buildQuestions(2));
  const { db } = used.test.gateway;
  await db
    .update(evaluations)
    .set({ startedAt: new Date(now.getTime() - 8 * 86_400_000) })
    .where(eq(evaluations.id, id));
  await runAllEvaluations();
  expect(await getEvaluation(id)).toMatchObject({ status: 'error', ended: 0, error: { code: 'internal_error' } });
});

it('a repeated request with the same Idempotency-Key gets the evaluation that the first one started, even after its datastore was deleted', async () => {
  const { api } = used.tenant;
  const body = { datastoreId: used.datastore, dataset: { questions: [HOURS] } };
  const send = () => api.post('/api/evaluations').set('Idempotency-Key', 'once').send(body);
  const first = await send();
  expect(first.status).toBe(201);
  await api.delete(`/api/datastores/${used.datastore}`);
  const second = await send();
  expect(second.body).toEqual(first.body);
  expect(second.status).toBe(201);
});

it('the evaluator runs no evaluation of a deleted organization', async () => {
  await startEvaluation([HOURS]);
  const { db } = used.test.gateway;
  await db.update(organizations).set({ removedAt: now }).where(eq(organizations.id, used.tenant.organizationId));
  expect(await runNextEvaluationOnce()).toBe(false);
});

it('the deletion of an organization removes its evaluations and datasets', async () => {
  await startEvaluation(buildQuestions(2));
  await runAllEvaluations();
  const { gateway } = used.test;
  const { organizationId } = used.tenant;
  await removeOrganization(gateway, organizationId);
  await continueOrganizationRemovals(gateway);
  expect(await gateway.db.$count(evaluations)).toBe(0);
  const isOwn = eq(evaluationDatasets.organizationId, organizationId);
  expect(await gateway.db.$count(evaluationDatasets, isOwn)).toBe(0);
});

it('the evaluator runs a new evaluation immediately, and can be closed afterwards', async () => {
  const evaluator = startEvaluator(used.test.gateway);
  const id = await startEvaluation([HOURS]);
  await expectEventually(async () => (await getEvaluation(id)).status).toBe('done');
  await evaluator.close();
});

describe('a new evaluation', () => {
  const dataset = { questions: [HOURS] };
  it.each([
    [{ dataset }, 'datastoreId'],
    [{ dataset, datastoreId: 'a', agentId: 'b' }, 'datastoreId'],
    [{ datastoreId: 'a' }, 'dataset'],
    [{ dataset, datasetId: 'a', agentId: 'b' }, 'dataset'],
    [{ dataset, agentId: 'a', settings: { topK: 3 } }, 'settings.topK'],
    [{ dataset, datastoreId: 'a', settings: { temperature: 0.5 } }, 'settings.temperature'],
    [{ dataset, datastoreId: 'a', settings: { filters: { custom_id: ['x'] } } }, 'settings.filters.custom_id'],
    [{ dataset, datastoreId: 'a', settings: { topK: 101 } }, 'settings.topK'],
  ])('an evaluation with %j is refused, and the error names the field %s', async (body, path) => {
    const response = await used.tenant.api.post('/api/evaluations').send(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it('a new evaluation is refused while ten evaluations of the organization have not ended', async () => {
    for (let number = 0; number < 10; number += 1) await startEvaluation([HOURS]);
    const refused = await used.tenant.api.post('/api/evaluations').send({ dataset, datastoreId: used.datastore });
    expect([refused.status, getStringField(refused, 'code')]).toEqual([409, 'too_many_evaluations']);
  });

  it('two evaluations cannot be compared before both have ended, or if their datasets differ', async () => {
    const [one, other] = [await startEvaluation([HOURS]), await startEvaluation([HOURS])];
    const compareEvaluations = async (): Promise<unknown> =>
      (await used.tenant.api.get(`/api/evaluations/${one}/compare?with=${other}`)).body;
    expect(await compareEvaluations()).toMatchObject({ code: 'evaluations_not_comparable', status: 409 });
    await runAllEvaluations();
    expect(await compareEvaluations()).toMatchObject({
      detail: expect.stringContaining('must have the same dataset') as unknown,
    });
  });
});
