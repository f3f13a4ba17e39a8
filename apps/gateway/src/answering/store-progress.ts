import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '@quarry/service-kit';
import type { Queries } from '../database/database.js';
import { redactQueryParameters } from '../database/query-error.js';
import type { StoredStreamEnd } from '../database/tables/answer-streams.js';
import { problem } from '../problems.js';
import { updateStream } from './answer-stream-repository.js';
import type { LiveAnswer } from './live-answer.js';

/** Minimum time between two updates of the stored stream of an answer, in milliseconds. */
const MIN_INTERVAL_MS = 250;
/**
 * Number of characters of the answer per additional millisecond between two updates, so that long texts are written
 * less often.
 */
const CHARACTERS_PER_MS = 100;
/** Time without new text after which the stored stream receives a heartbeat, in milliseconds. */
const HEARTBEAT_MS = 5_000;
/** Delays before the attempts to store the end of an answer, in milliseconds. */
const END_DELAYS_MS = [0, 200, 1_000, 5_000];

export interface ProgressStore {
  /** Stores how the answer ended, and ends the periodic updates of its stored stream. Never rejects. */
  end(end: StoredStreamEnd): Promise<void>;
}

/**
 * Stores the text of an answer in batches while it is generated. Aborts the answer if its stream was deleted together
 * with its conversation or agent. Failed updates are logged and repeated with the next text.
 */
export function startStoringProgress(db: Queries, live: LiveAnswer, log: Log): ProgressStore {
  let storedLength = 0;
  let storedAt = Date.now();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const store = async (end?: StoredStreamEnd): Promise<void> => {
    const { text } = live.progress;
    const hasNewText = text.length > storedLength;
    if (!hasNewText && end === undefined && Date.now() - storedAt < HEARTBEAT_MS) return;
    const updated = await updateStream(db, live.turn, { ...(hasNewText && { text }), ...(end && { end }) });
    storedLength = text.length;
    storedAt = Date.now();
    if (updated !== undefined || end !== undefined) return;
    live.abort(problem('not_found', 'The conversation of the answer was deleted.'));
  };
  /** Stores the progress, and logs a failure. @returns whether the progress was stored */
  const storeSafely = async (end?: StoredStreamEnd): Promise<boolean> => {
    try {
      await store(end);
      return true;
    } catch (error) {
      log.warn({ err: redactQueryParameters(error) }, 'failed to store the progress of a resumable answer');
      return false;
    }
  };
  const scheduleStore = (): void => {
    timer = setTimeout(
      () => {
        writing = storeSafely().then(scheduleStore);
      },
      MIN_INTERVAL_MS + live.progress.text.length / CHARACTERS_PER_MS,
    );
  };
  scheduleStore();
  return {
    end: async (end) => {
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
      // No later update would store the end, and clients of other gateways would receive an error.
      for (const delayMs of END_DELAYS_MS) {
        await wait(delayMs);
        if (await storeSafely(end)) return;
      }
    },
  };
}
