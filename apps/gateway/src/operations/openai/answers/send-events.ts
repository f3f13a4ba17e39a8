import type { AgentQueryResponse } from '@quarry/contracts';
import { type Log, Problem, convertErrorToProblem } from '@quarry/service-kit';
import { finishAnswer, readAnswerEvents, logAnswerFailure } from '../../../answering/send-answer.js';
import type { EventStream } from '../../../answering/sse.js';
import { redactQueryParameters } from '../../../database/query-error.js';
import { translateDatabaseError } from '../../../database/translate-database-error.js';
import type { Gateway } from '../../../gateway.js';
import { type WithFiles, addSourceFiles } from './source-files.js';
import type { StartedAnswer } from './start-answer.js';

/** An answer that has ended, as it is stored for repeated requests. */
export interface EndedAnswer extends AgentQueryResponse {
  /** Absent in an answer that an earlier version of Quarry stored. */
  readonly endedAt?: string;
}

/** An answer that is in progress, for a client of OpenAI's API. */
export interface OpenAiAnswer extends StartedAnswer {
  readonly apiUrl: string;
  /**
   * Aborts when the client disconnects or the service stops. The reason of the signal is the error of the interrupted
   * answer.
   */
  readonly signal: AbortSignal;
  /** Stores a complete answer for repeated requests with the same `Idempotency-Key`. Never rejects. */
  readonly storeForReplay: (answer: EndedAnswer) => Promise<void>;
  readonly log: Log;
}

/** Formats the events of an answer as frames of server-sent events. */
export interface AnswerFrames {
  begin(): string;
  text(piece: string): string;
  /** Formats the last events of a response. @param text the text that earlier events contain */
  complete(response: WithFiles<EndedAnswer>, text: string): string;
  fail(problem: Problem): string;
}

/** Waits for the end of an answer and stores it in its conversation. @throws Problem if the answer failed */
export async function collectAndStoreOpenAiAnswer(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  answer: OpenAiAnswer,
): Promise<WithFiles<EndedAnswer>> {
  const outcome = await readAnswerEvents(answer.events, answer.signal, async () => Promise.resolve());
  const finished = await storeAnswer(gateway, answer, outcome, false);
  if (finished instanceof Problem) throw finished;
  return finished;
}

/**
 * Stores an answer in its conversation, and also for repeated requests with the same `Idempotency-Key`.
 *
 * @returns the answer with the files of its sources, or the problem of a failed answer
 */
async function storeAnswer(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  answer: OpenAiAnswer,
  outcome: Parameters<typeof finishAnswer>[2],
  isStreamed: boolean,
): Promise<WithFiles<EndedAnswer> | Problem> {
  const now = clock();
  const finished = await finishAnswer({ db, clock: () => now }, answer, outcome, isStreamed);
  if (finished instanceof Problem) return finished;
  const ended: EndedAnswer = Object.assign(finished, { endedAt: now.toISOString() });
  await answer.storeForReplay(ended);
  return addSourceFiles(db, answer.turn.organizationId, ended);
}

/** Streams an answer to the client and stores it in its conversation. Never rejects: an error is sent in the stream. */
export async function streamAndStoreOpenAiAnswer(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  stream: EventStream,
  answer: OpenAiAnswer,
  frames: AnswerFrames,
): Promise<void> {
  const pieces = createSurrogatePairBuffer();
  let sent = '';
  const send = async (piece: string): Promise<void> => {
    if (piece === '') return;
    sent += piece;
    await stream.write(frames.text(piece));
  };
  await stream.write(frames.begin());
  const outcome = await readAnswerEvents(answer.events, answer.signal, async (text) => send(pieces.add(text)));
  logAnswerFailure(answer.log, outcome);
  await send(pieces.end());
  const finished = await storeAnswer(gateway, answer, outcome, true).catch((error: unknown) => {
    answer.log.error(
      { err: redactQueryParameters(error) },
      'failed to store an answer or to load the files of its sources; the client receives an error',
    );
    return convertErrorToProblem(translateDatabaseError(error));
  });
  await stream.write(finished instanceof Problem ? frames.fail(finished) : frames.complete(finished, sent));
  stream.end();
}

/** Streams the answer that was stored for an earlier request with the same `Idempotency-Key`. */
export async function sendStoredOpenAiAnswer(
  stream: EventStream,
  response: WithFiles<EndedAnswer>,
  frames: AnswerFrames,
): Promise<void> {
  await stream.write(frames.begin() + frames.text(response.answer) + frames.complete(response, response.answer));
  stream.end();
}

/** Formats a server-sent event whose data is one line of JSON. @param event the name, if the event has one */
export function formatEventFrame(data: object | '[DONE]', event?: string): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

interface SurrogatePairBuffer {
  add(text: string): string;
  end(): string;
}

/**
 * Creates a buffer that delays the first half of a surrogate pair until the second half arrives, because some clients
 * decode each event separately.
 */
function createSurrogatePairBuffer(): SurrogatePairBuffer {
  let half = '';
  return {
    add: (text) => {
      const all = half + text;
      half = /[\uD800-\uDBFF]$/.exec(all)?.[0] ?? '';
      return all.slice(0, all.length - half.length);
    },
    end: () => half,
  };
}
