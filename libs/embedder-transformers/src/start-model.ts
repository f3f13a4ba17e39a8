import { fork, type ChildProcess } from 'node:child_process';
import { resolveChildEntry } from '@quarry/child-process';
import type { ModelToRun } from './model-messages.js';

/** Starts a process for a model, which is loaded when it is first asked. */
export function startModel(model: ModelToRun): ChildProcess {
  const { entry, execArgv } = resolveChildEntry(import.meta.url, './model-main.js');
  return fork(entry, [JSON.stringify(model)], {
    execArgv: [...execArgv],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}
