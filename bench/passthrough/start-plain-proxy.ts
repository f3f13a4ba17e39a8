import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolveBaselineProgram } from '../baselines/run-baseline.js';

/** A process that answers chat completions: the plain proxy, or Quarry. */
export interface Gateway {
  readonly name: string;
  /** Base URL of the OpenAI-compatible API, including `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  readonly pid: number;
  /** Milliseconds from the spawn of the process to its first answer. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/** Starts a plain proxy of Express and undici. @param provider the base URL of the provider */
export async function startPlainProxy(provider: string): Promise<Omit<Gateway, 'startMs'>> {
  const child = fork(resolveBaselineProgram('express-proxy.mjs'), [provider], { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number]; // express-proxy.mjs sends it
  return {
    name: 'Express',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: 'none',
    model: 'fake',
    pid: child.pid ?? 0,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
