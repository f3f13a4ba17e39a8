import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelProcess, startModel } from './model-process.js';
import { TINY_DIMENSIONS, writeTinyEmbeddingModel } from './testing/index.js';

let path: string;
beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'quarry-models-'));
  await writeTinyEmbeddingModel(path);
});
afterAll(async () => rm(path, { recursive: true }));

/** A model, and the processes that were started for it. */
function tinyModel() {
  const started: ChildProcess[] = [];
  const ask = modelProcess(
    () => ({ path, options: { local_files_only: true, cache_dir: path }, gives: 'vectors', pooling: 'mean' }),
    (model) => {
      const child = startModel(model);
      started.push(child);
      return child;
    },
  );
  return { ask, started };
}

describe('the process of a model', () => {
  it('answers many at once, each with its own', async () => {
    const { ask, started } = tinyModel();
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => ask({ texts: [text] })));
    const again = await Promise.all(['a', 'b', 'c'].map((text) => ask({ texts: [text] })));
    expect(answers.map(([row]) => row?.length)).toEqual([TINY_DIMENSIONS, TINY_DIMENSIONS, TINY_DIMENSIONS]);
    expect(answers).toEqual(again);
    expect(answers[0]).not.toEqual(answers[1]);
    expect(started).toHaveLength(1);
  });

  it('is started again after it was killed, and says so to who waited', async () => {
    const { ask, started } = tinyModel();
    const before = await ask({ texts: ['x'] });
    const [killed] = started;
    killed?.kill('SIGSTOP');
    const waiting = ask({ texts: ['x'] });
    killed?.kill('SIGKILL');
    await expect(waiting).rejects.toMatchObject({ message: 'ended by SIGKILL', isPassing: true });
    expect(await ask({ texts: ['x'] })).toEqual(before);
    expect(started).toHaveLength(2);
  });

  it('outlives signals to the group, which its service gets too', async () => {
    const { ask, started } = tinyModel();
    await ask({ texts: ['x'] });
    const [child] = started;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) child?.kill(signal);
    await expect(ask({ texts: ['x'] })).resolves.toHaveLength(1);
    expect(started).toHaveLength(1);
  });

  it('ends when its service is gone', async () => {
    const { ask, started } = tinyModel();
    await ask({ texts: ['x'] });
    const [child] = started;
    if (child === undefined) throw new Error('expected a process, found none');
    const ended = once(child, 'exit');
    child.disconnect();
    await expect(ended).resolves.toEqual([0, null]);
  });
});
