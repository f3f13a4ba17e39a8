import { type ChildProcess, fork } from 'node:child_process';
import { refChild, captureErrorOutput, unrefChild, resolveChildEntry } from '@quarry/child-process';
import type { ModelOutput, ModelResponse, ModelRequest, ModelSpec } from './model-messages.js';

/**
 * Reports that a model returned no result. The message is the end of a sentence that starts with the name of the model,
 * such as `was not loaded: …`.
 */
export class ModelFailed extends Error {
  /** True when a later attempt may succeed. */
  readonly isTemporary: boolean;

  constructor(message: string, isTemporary: boolean) {
    super(message);
    this.name = 'ModelFailed';
    this.isTemporary = isTemporary;
  }
}

/** Runs a model in its child process. @throws ModelFailed */
export type RunInModelProcess = (request: Omit<ModelRequest, 'id'>) => Promise<ModelOutput>;

/**
 * Runs a model in a child process. The process is started with the first request, and again after it has ended or
 * failed to load the model.
 *
 * @param find finds the model before each start of the process; the returned function throws the errors of `find`
 */
export function createModelRunner(find: () => ModelSpec, start = startModelProcess): RunInModelProcess {
  let model: ModelProcess | undefined;
  return async (request) => {
    if (model?.isUsable !== true) model = startOrFail(find(), start);
    return model.runRequest(request);
  };
}

/**
 * Starts the process of a model.
 *
 * @throws ModelFailed if the process cannot be started, for example for lack of memory
 */
function startOrFail(spec: ModelSpec, start: typeof startModelProcess): ModelProcess {
  try {
    return new ModelProcess(start(spec));
  } catch (error) {
    throw new ModelFailed(describeStartFailure(error), true);
  }
}

function describeStartFailure(error: unknown): string {
  return `could not be started: ${error instanceof Error ? error.message : String(error)}`;
}

class ModelProcess {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, PromiseWithResolvers<ModelOutput>>();
  #lastId = 0;
  readonly #errors: () => string;
  #isUsable = true;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#errors = captureErrorOutput(child);
    child.on('message', (message) => {
      this.#settleRequest(message as ModelResponse); // the process runs model-main.ts, which sends only these
    });
    child.on('exit', () => (this.#isUsable = false));
    // `close` is emitted after the output of the process has been read.
    child.on('close', (code, signal) => {
      this.#rejectPendingRequests(`ended ${signal === null ? `with code ${code}` : `by ${signal}`}`);
    });
    child.on('error', (error) => {
      this.#rejectPendingRequests(describeStartFailure(error));
    });
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  async runRequest(request: Omit<ModelRequest, 'id'>): Promise<ModelOutput> {
    const id = (this.#lastId += 1);
    const answer = Promise.withResolvers<ModelOutput>();
    this.#pending.set(id, answer);
    refChild(this.#child);
    try {
      // A process that could not be started has no id and may have no channel. Its `error` event rejects the request.
      if (this.#child.pid !== undefined) this.#sendRequest({ ...request, id }, answer.reject);
      return await answer.promise;
    } finally {
      this.#pending.delete(id);
      if (this.#pending.size === 0) this.#unrefOrKillProcess();
    }
  }

  #sendRequest(request: ModelRequest, reject: (error: ModelFailed) => void): void {
    this.#child.send(request, (error) => {
      if (error !== null) reject(new ModelFailed(`did not receive a request: ${error.message}`, true));
    });
  }

  #settleRequest(answer: ModelResponse): void {
    const request = this.#pending.get(answer.id);
    if ('output' in answer) request?.resolve(answer.output);
    else if ('error' in answer) request?.reject(new ModelFailed(`failed: ${answer.error}`, true));
    else {
      this.#isUsable = false;
      request?.reject(new ModelFailed(`was not loaded: ${answer.loadError}`, answer.isUnavailable));
    }
  }

  #rejectPendingRequests(reason: string): void {
    this.#isUsable = false;
    const output = this.#errors();
    for (const { reject } of this.#pending.values())
      reject(new ModelFailed(output === '' ? reason : `${reason}: ${output}`, true));
  }

  #unrefOrKillProcess(): void {
    if (!this.#isUsable) this.#child.kill('SIGKILL');
    unrefChild(this.#child);
  }
}

/** Starts a child process for a model. The process loads the model with the first request. */
export function startModelProcess(model: ModelSpec): ChildProcess {
  const { entry, execArgv } = resolveChildEntry(import.meta.url, './model-main.js');
  return fork(entry, [JSON.stringify(model)], {
    execArgv: [...execArgv],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}
