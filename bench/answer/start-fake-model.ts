import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Defines how the simulated model streams each answer: milliseconds to the first token, milliseconds between tokens,
 * and number of tokens.
 */
export interface Pace {
  readonly firstMs: number;
  readonly everyMs: number;
  readonly tokens: number;
}

export interface FakeModel {
  /** Base URL of the model's OpenAI-compatible API, including `/v1`. */
  readonly baseUrl: string;
  stop(): Promise<void>;
}

export async function startFakeModel({ firstMs, everyMs, tokens }: Pace): Promise<FakeModel> {
  const program = fileURLToPath(new URL('fake-model.js', import.meta.url));
  const child = fork(program, [firstMs, everyMs, tokens].map(String), { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number]; // fake-model.ts sends it
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
