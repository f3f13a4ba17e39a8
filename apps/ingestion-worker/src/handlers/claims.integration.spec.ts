import { TryLater } from '@quarry/contracts';
import { expect, it } from 'vitest';
import { EMBEDDING, useWorkers, type WorkerOptions, type WorkerUnderTest } from '../testing/worker-under-test.js';

const REFUSAL = { granted: false, code: 'usage_limit_reached', message: 'There is no room.' } as const;

const open = useWorkers();
let worker: WorkerUnderTest;
const start = (claimTokens: NonNullable<WorkerOptions['claimTokens']>): void => {
  worker = open({ claimTokens });
};

it('claims all tokens of a document before it embeds any of it', async () => {
  const claims: object[] = [];
  start(async (claim) => {
    claims.push({ claim, embeddings: worker.embeddings() });
    return Promise.resolve({ granted: true });
  });
  const told = await worker.index(await worker.upload('Boxes are in the cellar.', { embedding: EMBEDDING }));
  const last = told.at(-1)?.payload;
  expect(last).toMatchObject({ status: 'synched' });
  const { organizationId, datasourceId, documentKey } = await worker.upload('');
  const tokens = last !== undefined && 'storedTokens' in last ? last.storedTokens : undefined;
  expect(claims).toEqual([{ claim: { organizationId, datasourceId, documentKey, tokens }, embeddings: 0 }]);
  expect(worker.embeddings()).toBe(1);
});

it('stores and embeds nothing without room: the datasource waits for it, and is indexed by the next run', async () => {
  let answer: typeof REFUSAL | { readonly granted: true } = REFUSAL;
  start(async () => Promise.resolve(answer));
  const job = await worker.upload('Boxes are in the cellar.', { embedding: EMBEDDING });
  await expect(worker.endOf(job)).resolves.toMatchObject({
    status: 'usage_limit_reached',
    code: 'usage_limit_reached',
    message: 'There is no room.',
  });
  expect([worker.embeddings(), await worker.search('cellar', job)]).toEqual([0, []]);
  answer = { granted: true };
  const again = { ...job, runId: 'run-again', generation: job.generation + 1 };
  expect((await worker.index(again)).at(-1)?.payload).toMatchObject({ status: 'synched' });
  expect(await worker.search('cellar', job)).toHaveLength(1);
});

it('leaves what is stored of a document whose new text finds no room', async () => {
  let granted = true;
  start(async () => Promise.resolve(granted ? { granted } : REFUSAL));
  const job = await worker.upload('Boxes are in the cellar.');
  await worker.index(job);
  granted = false;
  await worker.index(await worker.upload('Boxes are in the attic.'));
  expect(await worker.search('cellar', job)).toHaveLength(1);
  expect(await worker.search('attic', job)).toEqual([]);
});

it('asks nothing for what is stored already', async () => {
  let asked = 0;
  start(async () => Promise.resolve({ granted: (asked += 1) > 0 }));
  await worker.index(await worker.upload('Boxes are in the cellar.'));
  const told = await worker.index(await worker.upload('Boxes are in the cellar.'));
  expect(told.at(-1)?.payload).toMatchObject({ status: 'synched', counters: { unchanged: 1 } });
  expect(asked).toBe(1);
});

it('tells of one of several documents that it found no room', async () => {
  start(async () => Promise.resolve(REFUSAL));
  const told = await worker.index(await worker.upload('Boxes.', { partOfRun: true }));
  expect(told.at(-1)).toMatchObject({
    name: 'document-settled',
    payload: { outcome: 'failed', code: 'usage_limit_reached', message: 'There is no room.' },
  });
});

it('waits while nobody answers, and fails nothing', async () => {
  let away = 7;
  start(async () => {
    if (away === 0) return Promise.resolve({ granted: true });
    away -= 1;
    throw new TryLater(0, 'the gateway does not answer');
  });
  const told = await worker.index(await worker.upload('Boxes are in the cellar.'));
  expect(told.at(-1)?.payload).toMatchObject({ status: 'synched' });
});
