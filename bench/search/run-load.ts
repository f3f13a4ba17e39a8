import { measureDuration } from '../quarry/measure-duration.js';

export interface Load {
  readonly perSecond: number;
  /** Duration of each request, in milliseconds. */
  readonly times: readonly number[];
}

/** Sends all questions, `concurrency` at a time. When a request ends, the next one starts. */
export async function runLoad(
  questions: readonly string[],
  concurrency: number,
  ask: (question: string) => Promise<unknown>,
): Promise<Load> {
  const waiting = [...questions];
  const times: number[] = [];
  const runUser = async (): Promise<void> => {
    for (let question = waiting.pop(); question !== undefined; question = waiting.pop()) {
      const query = question;
      times.push((await measureDuration(() => ask(query))).ms);
    }
  };
  const { ms } = await measureDuration(() => Promise.all(Array.from({ length: concurrency }, runUser)));
  return { perSecond: (1_000 * times.length) / ms, times };
}
