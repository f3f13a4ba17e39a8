import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveChildEntry } from './child-entry.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-child-entry-'));
  const files = {
    'package.json': '{"type":"module"}',
    'answer.ts': 'export const answer: number = 42;',
    'answer.js': 'export const answer = 43;',
    'program.ts': "import { answer } from './answer.js';\nprocess.exitCode = answer as number;",
    'program.js': "import { answer } from './answer.js';\nprocess.exitCode = answer;",
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
});
afterAll(async () => rm(folder, { recursive: true }));

describe('resolveChildEntry', () => {
  it.each([
    ['source', 'starter.ts', 42],
    ['compiled', 'starter.js', 43],
  ])(
    'resolveChildEntry returns the %s file of a module if the calling module is %s, and a process and a thread can run the returned file',
    async (_, starter, answer) => {
      const { entry, execArgv } = resolveChildEntry(pathToFileURL(join(folder, starter)).href, './program.js');
      const started = [fork(entry, { execArgv: [...execArgv] }), new Worker(entry, { execArgv: [...execArgv] })];
      const [process, thread] = await Promise.all(started.map((program) => once(program, 'exit')));
      expect(process).toEqual([answer, null]);
      expect(thread).toEqual([answer]);
    },
  );
});
