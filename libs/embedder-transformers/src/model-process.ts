import { fork, type ChildProcess } from 'node:child_process';
import { captureErrorOutput, refChild, resolveChildEntry, unrefChild } from '@quarry/child-process';
import type { ModelAnswer, ModelRequest, ModelToRun, Rows } from './model-messages.js';

/** Nothing was computed. The message goes on after the model's name. */
export class ModelFailed extends Error {
  /** Whether asking again later may help. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean) {
    super(message);
    this.name = 'ModelFailed';
    this.isPassing = isPassing;
  }
}

/** @throws ModelFailed */
export type AskModel = (request: Omit<ModelRequest, 'id'>) => Promise<Rows>;

/**
 * A model in a process of its own, which is started with the first request, and anew after it ended or did not load the model.
 *
 * @param find where the model is, before each start; what it throws is thrown to who asked
 */
export function modelProcess(find: () => ModelToRun, start = startModel): AskModel {
  let model: ModelProcess | undefined;
  return async (request) => {
    if (model?.isUsable !== true) model = new ModelProcess(start(find()));
    return model.ask(request);
  };
}

class ModelProcess {
  readonly #child: ChildProcess;
  readonly #asked = new Map<number, PromiseWithResolvers<Rows>>();
  #lastId = 0;
  readonly #errors: () => string;
  #isUsable = true;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#errors = captureErrorOutput(child);
    child.on('message', (message) => {
      this.#settle(message as ModelAnswer); // the process runs model-main.ts, which sends nothing else
    });
    child.on('exit', () => (this.#isUsable = false));
    // Comes after the process's last words have been read.
    child.on('close', (code, signal) => {
      this.#failAll(`ended ${signal === null ? `with code ${code}` : `by ${signal}`}`);
    });
    child.on('error', ({ message }) => {
      this.#failAll(`could not be asked: ${message}`);
    });
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  async ask(request: Omit<ModelRequest, 'id'>): Promise<Rows> {
    const id = (this.#lastId += 1);
    const answer = Promise.withResolvers<Rows>();
    this.#asked.set(id, answer);
    refChild(this.#child);
    this.#child.send({ ...request, id }, (error) => {
      if (error !== null) answer.reject(new ModelFailed(`could not be asked: ${error.message}`, true));
    });
    try {
      return await answer.promise;
    } finally {
      this.#asked.delete(id);
      if (this.#asked.size === 0) this.#rest();
    }
  }

  #settle(answer: ModelAnswer): void {
    const asked = this.#asked.get(answer.id);
    if ('rows' in answer) asked?.resolve(answer.rows);
    else if ('failed' in answer) asked?.reject(new ModelFailed(`failed: ${answer.failed}`, true));
    else {
      this.#isUsable = false;
      asked?.reject(new ModelFailed(`was not loaded: ${answer.notLoaded}`, answer.isAway));
    }
  }

  #failAll(reason: string): void {
    this.#isUsable = false;
    const output = this.#errors();
    for (const { reject } of this.#asked.values())
      reject(new ModelFailed(output === '' ? reason : `${reason}: ${output}`, true));
  }

  #rest(): void {
    if (!this.#isUsable) this.#child.kill('SIGKILL');
    unrefChild(this.#child);
  }
}

/** Starts the process of a model. The first request loads the model. */
export function startModel(model: ModelToRun): ChildProcess {
  const { entry, execArgv } = resolveChildEntry(import.meta.url, './model-main.js');
  return fork(entry, [JSON.stringify(model)], {
    execArgv: [...execArgv],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}
