import type { AgentQueryResponse, AnswerEvent, AnswerNote, AnswerUsage, CitedFragment } from '@quarry/contracts';
import { type Log, Problem, convertErrorToProblem } from '@quarry/service-kit';
import { redactQueryParameters } from '../database/query-error.js';
import { translateDatabaseError } from '../database/translate-database-error.js';
import type { Gateway } from '../gateway.js';
import { recordTurn, type Turn, type UnstoredTurn } from '../conversations/turn.js';
import { releaseQuery } from '../usage/query-reservations.js';
import { addSourceAddress } from '../source-addresses/source-address.js';
import { translateFailedEvent } from '../query-service/refusal.js';
import { buildAnswerSources } from './build-answer-sources.js';
import { createAnswerFramer, DONE_FRAME, formatResponseFrames, formatErrorFrame, type EventStream } from './sse.js';

/**
 * Streams an answer to the client and stores it in its conversation. The stream always ends with `[DONE]` or `[ERROR]`,
 * because clients repeat a request whose stream has neither. Never rejects: an error is sent in the stream, after the
 * HTTP status.
 */
export async function sendAnswer(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  stream: EventStream,
  answer: OpenAnswer,
): Promise<void> {
  const { events, signal, storeForReplay, log } = answer;
  const framer = createAnswerFramer();
  const outcome = await readAnswerEvents(events, signal, async (text) => stream.write(framer.frame(text)));
  logAnswerFailure(log, outcome);
  await stream.write(framer.end());
  const finished = await finishAnswer(gateway, answer, outcome, true).catch((error: unknown) => {
    log.error(
      { err: redactQueryParameters(error) },
      'failed to store an answer in its conversation: the stream ends with an error',
    );
    return convertErrorToProblem(translateDatabaseError(error));
  });
  if (!(finished instanceof Problem)) await storeForReplay(finished);
  await (finished instanceof Problem
    ? writeProblemFrame(stream, finished.code, finished.message)
    : writeResponseFrames(stream, finished));
  stream.end();
}

/** Streams the answer that was stored when a previous request with the same `Idempotency-Key` was answered. */
export async function sendStoredAnswer(stream: EventStream, answer: AgentQueryResponse): Promise<void> {
  const framer = createAnswerFramer();
  await stream.write(framer.frame(answer.answer) + framer.end());
  await writeResponseFrames(stream, answer);
  stream.end();
}

/** Writes the frames of a complete response, and then the frame `[DONE]`. */
export async function writeResponseFrames(stream: EventStream, response: AgentQueryResponse): Promise<void> {
  for (const frame of formatResponseFrames(response)) await stream.write(frame);
  await stream.write(DONE_FRAME);
}

/** Writes the frame `[ERROR]`, which ends a stream whose answer failed. */
export async function writeProblemFrame(stream: EventStream, code: string, message: string): Promise<void> {
  await stream.write(formatErrorFrame(code, message));
}

/**
 * Reads a whole answer without streaming it to the client, and stores the answer in its conversation.
 *
 * @throws Problem if the answer failed
 */
export async function collectAndStoreAnswer(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  answer: OpenAnswer,
): Promise<AgentQueryResponse> {
  const { events, signal, storeForReplay } = answer;
  const outcome = await readAnswerEvents(events, signal, async () => Promise.resolve());
  const finished = await finishAnswer(gateway, answer, outcome, false);
  if (finished instanceof Problem) throw finished;
  await storeForReplay(finished);
  return finished;
}

/**
 * Stores a question with its answer. Call this function before the client receives the end of the answer, because the
 * client may then continue the conversation at once.
 *
 * @param isStreamed true if the text of the outcome was streamed to the client; false if the client has received no
 *   text
 * @returns the response, or the problem of a failed or interrupted answer
 */
export async function finishAnswer(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  { turn, apiUrl }: Pick<OpenAnswer, 'apiUrl'> & { readonly turn: Turn | UnstoredTurn },
  outcome: Outcome,
  isStreamed: boolean,
): Promise<AgentQueryResponse | Problem> {
  if (outcome.state !== 'complete') {
    const { state, text, problem } = outcome;
    if (shouldReleaseQuery(outcome, isStreamed)) await releaseQuery(db, { ...turn, kind: 'agentQueries' });
    if (!('isStored' in turn))
      await recordTurn(db, turn, { state, text, sources: [], usage: null, answeredBy: null, notes: [] }, clock());
    return problem;
  }
  const { state, text, usage, answeredBy, notes } = outcome;
  const sources = await buildAnswerSources(db, turn.organizationId, outcome);
  if (!('isStored' in turn)) await recordTurn(db, turn, { state, text, sources, usage, answeredBy, notes }, clock());
  const { messageId, conversationId, visitorId } = turn;
  const shown = sources.map((source) => addSourceAddress(apiUrl, source));
  return { answer: text, conversationId, visitorId, sources: shown, messageId, usage, answeredBy, notes };
}

/**
 * Returns true if a query without a complete answer must not count against the monthly limit. This is the case if the
 * client received no text because the answer failed or the service stopped. A query whose client disconnected counts.
 */
function shouldReleaseQuery(
  { state, text, problem }: Exclude<Outcome, { readonly state: 'complete' }>,
  isStreamed: boolean,
): boolean {
  const hasReceived = isStreamed && text.trim() !== '';
  return !hasReceived && (state === 'failed' || problem.code === 'service_stopping');
}

/** Describes an answer that is in progress. */
export interface OpenAnswer {
  readonly turn: Turn;
  /** The public address of the API, for the addresses of sources. */
  readonly apiUrl: string;
  readonly events: AsyncIterable<AnswerEvent>;
  /**
   * Aborts when the client disconnects or the service stops. The `reason` of the signal becomes the error of the
   * interrupted answer.
   */
  readonly signal: AbortSignal;
  /**
   * Stores a complete answer, so that repeated requests with the same `Idempotency-Key` receive it. Must be called
   * before the client receives the end of the answer. Never rejects.
   */
  readonly storeForReplay: (answer: AgentQueryResponse) => Promise<void>;
  /** The log of the request. */
  readonly log: Log;
}

/** Describes how an answer ended. `text` is the text that the query service sent before the end. */
export type Outcome =
  | {
      readonly state: 'complete';
      readonly text: string;
      readonly fragments: readonly CitedFragment[];
      readonly usage: AnswerUsage;
      readonly answeredBy: 'model' | 'extractive';
      readonly notes: readonly AnswerNote[];
    }
  | { readonly state: 'failed' | 'interrupted'; readonly text: string; readonly problem: Problem };

/**
 * Reads the events of an answer until it completes, fails or is interrupted. Never rejects: an error becomes part of
 * the outcome.
 *
 * @param signal interrupts the answer; the reason of the signal is the error of the outcome
 * @param onText receives each piece of text; its promise is awaited before the next event is read, so that no text
 *   accumulates for a slow client
 */
export async function readAnswerEvents(
  events: AsyncIterable<AnswerEvent>,
  signal: AbortSignal,
  onText: (text: string) => Promise<void>,
): Promise<Outcome> {
  let text = '';
  try {
    for await (const event of events) {
      signal.throwIfAborted();
      switch (event.type) {
        case 'delta':
          text += event.text;
          await onText(event.text);
          break;
        case 'completed':
          return { ...event, state: 'complete', text: event.answer, fragments: event.sources };
        case 'failed':
          return { state: 'failed', text, problem: translateFailedEvent(event) };
      }
    }
    return {
      state: 'failed',
      text,
      problem: translateFailedEvent({ code: 'answer_failed', message: 'The answer ended without a final event.' }),
    };
  } catch (error) {
    return { state: signal.aborted ? 'interrupted' : 'failed', text, problem: convertErrorToProblem(error) };
  }
}

/**
 * Logs why a streamed answer failed, if the problem has a status of 500 or more. The handler of failed requests does
 * not log this failure, because the HTTP status of a stream is sent before the answer fails.
 */
export function logAnswerFailure(log: Log, outcome: Outcome): void {
  if (outcome.state !== 'failed' || outcome.problem.kind.status < 500) return;
  const { problem } = outcome;
  log.error({ err: redactQueryParameters(problem.cause ?? problem), code: problem.code }, 'a streamed answer failed');
}
