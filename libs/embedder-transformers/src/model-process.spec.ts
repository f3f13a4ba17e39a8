import { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelSpec } from './model-messages.js';
import { createModelRunner, startModelProcess } from './model-process.js';
import { TINY_DIMENSIONS, writeTinyEmbeddingModel } from './testing/index.js';

let path: string;
beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'quarry-models-'));
  await writeTinyEmbeddingModel(path);
});
afterAll(async () => rm(path, { recursive: true }));

function findTinyModel(): ModelSpec {
  return { path, options: { local_files_only: true, cache_dir: path }, output: 'vectors', pooling: 'mean' };
}

/** Opens a tiny model, and records the processes that are started for it. */
function openTinyModel() {
  const started: ChildProcess[] = [];
  const run = createModelRunner(findTinyModel, (model) => {
    const child = startModelProcess(model);
    started.push(child);
    return child;
  });
  return { run, started };
}

describe('the child process of a model', () => {
  it('the model process responds to each of many concurrent requests with the result of that request', async () => {
    const { run, started } = openTinyModel();
    const results = await Promise.all(['a', 'b', 'c'].map((text) => run({ texts: [text] })));
    const again = await Promise.all(['a', 'b', 'c'].map((text) => run({ texts: [text] })));
    expect(results.map(({ rows: [row] }) => row?.length)).toEqual([TINY_DIMENSIONS, TINY_DIMENSIONS, TINY_DIMENSIONS]);
    expect(results).toEqual(again);
    expect(results[0]).not.toEqual(results[1]);
    expect(started).toHaveLength(1);
  });

  it('if a model process is killed, pending requests fail with the reason, and the next request starts a new process', async () => {
    const { run, started } = openTinyModel();
    const before = await run({ texts: ['x'] });
    const [stopped] = started;
    stopped?.kill('SIGSTOP');
    const pending = run({ texts: ['x'] });
    stopped?.kill('SIGKILL');
    await expect(pending).rejects.toMatchObject({ message: 'ended by SIGKILL', isTemporary: true });
    expect(await run({ texts: ['x'] })).toEqual(before);
    expect(started).toHaveLength(2);
  });

  it('if no model process can be started for lack of file descriptors, the request fails with the reason, and the next request starts a process', async () => {
    const failed = new ChildProcess();
    // For a process that cannot be started, Node returns an object without a channel, and emits the error afterwards.
    const run = createModelRunner(findTinyModel, (model) => {
      if (failed.listenerCount('error') > 0) return startModelProcess(model);
      process.nextTick(() => failed.emit('error', new Error('spawn EMFILE')));
      return failed;
    });
    const reason = { message: 'could not be started: spawn EMFILE', isTemporary: true };
    await expect(run({ texts: ['x'] })).rejects.toMatchObject(reason);
    await expect(run({ texts: ['x'] })).resolves.toMatchObject({ rows: [expect.any(Float32Array)] });
  });

  it('if starting a model process throws an error, the request to the model fails with the message of the error', async () => {
    const run = createModelRunner(findTinyModel, () => {
      throw new Error('spawn ENOMEM');
    });
    const reason = { name: 'ModelFailed', message: 'could not be started: spawn ENOMEM', isTemporary: true };
    await expect(run({ texts: ['x'] })).rejects.toMatchObject(reason);
  });

  it('a model process ignores SIGINT and SIGTERM, which a terminal sends to the whole process group', async () => {
    const { run, started } = openTinyModel();
    await run({ texts: ['x'] });
    const [child] = started;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) child?.kill(signal);
    await expect(run({ texts: ['x'] })).resolves.toMatchObject({ rows: [expect.any(Float32Array)] });
    expect(started).toHaveLength(1);
  });

  it('a model process ends when the connection to its service closes', async () => {
    const { run, started } = openTinyModel();
    await run({ texts: ['x'] });
    const [child] = started;
    if (child === undefined) throw new Error('expected a model process, found none');
    const ended = once(child, 'exit');
    child.disconnect();
    await expect(ended).resolves.toEqual([0, null]);
  });
});
