import { timed } from '../quarry/timed.js';

export interface Load {
  readonly perSecond: number;
  /** Milliseconds of each. */
  readonly times: readonly number[];
}

/** Asks all questions, so many at once, each as soon as the one before it is answered. */
export async function runLoad(
  questions: readonly string[],
  atOnce: number,
  ask: (question: string) => Promise<unknown>,
): Promise<Load> {
  const waiting = [...questions];
  const times: number[] = [];
  const asker = async (): Promise<void> => {
    for (let question = waiting.pop(); question !== undefined; question = waiting.pop()) {
      const asked = question;
      times.push((await timed(() => ask(asked))).ms);
    }
  };
  const { ms } = await timed(() => Promise.all(Array.from({ length: atOnce }, asker)));
  return { perSecond: (1_000 * times.length) / ms, times };
}
