import type {
  AgentQueryResponse,
  AnswerEvent,
  AnswerNote,
  AnswerSource,
  AnswerUsage,
  CitedFragment,
} from '@quarry/contracts';
import { type Log, Problem, toProblem } from '@quarry/service-kit';
import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { recordTurn, type Turn } from '../conversations/turn.js';
import { releaseQuery } from '../usage/query-reservations.js';
import type { Queries } from '../database/database.js';
import { labelsOf } from '../datasources/datasource-repository.js';
import { translateFailure } from '../query-service/refusal.js';
import { createAnswerFramer, DONE_FRAME, endpointResponseFrames, errorFrame, type EventStream } from './sse.js';

/**
 * Streams an answer. The stream always ends with `[DONE]` or `[ERROR]`, because clients repeat the whole request without one.
 * Never rejects: the status is sent before anything can fail.
 */
export async function sendAnswer(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  stream: EventStream,
  { turn, events, signal, keep, log }: OpenAnswer,
): Promise<void> {
  const framer = createAnswerFramer();
  const outcome = await followAnswer(events, signal, async (text) => stream.write(framer.frame(text)));
  await stream.write(framer.end());
  const finished = await finishAnswer(gateway, turn, outcome, true).catch((error: unknown) => {
    log.error({ err: redactQueryParameters(error) }, 'an answer could not be stored');
    return toProblem(error);
  });
  if (!(finished instanceof Problem)) await keep(finished);
  await (finished instanceof Problem ? writeProblem(stream, finished) : writeResponse(stream, finished));
  stream.end();
}

/** Streams an answer that was kept for repeated requests. Its text is one frame. */
export async function sendStoredAnswer(stream: EventStream, answer: AgentQueryResponse): Promise<void> {
  const framer = createAnswerFramer();
  await stream.write(framer.frame(answer.answer) + framer.end());
  await writeResponse(stream, answer);
  stream.end();
}

async function writeResponse(stream: EventStream, response: AgentQueryResponse): Promise<void> {
  for (const frame of endpointResponseFrames(response)) await stream.write(frame);
  await stream.write(DONE_FRAME);
}

async function writeProblem(stream: EventStream, problem: Problem): Promise<void> {
  await stream.write(errorFrame(problem.code, problem.message));
}

/** Waits for the complete answer. @throws Problem when the answer failed */
export async function completeAnswer(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  { turn, events, signal, keep }: OpenAnswer,
): Promise<AgentQueryResponse> {
  const outcome = await followAnswer(events, signal, async () => Promise.resolve());
  const finished = await finishAnswer(gateway, turn, outcome, false);
  if (finished instanceof Problem) throw finished;
  await keep(finished);
  return finished;
}

/**
 * Stores the turn before the client receives the end of the answer, because the client may continue the conversation at once.
 *
 * @param isStreamed true when the client has received the text so far; false when it receives no text of an answer that fails
 * @returns the response, or the problem of a failed answer
 */
async function finishAnswer(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  turn: Turn,
  outcome: Outcome,
  isStreamed: boolean,
): Promise<AgentQueryResponse | Problem> {
  if (outcome.state !== 'complete') {
    const { state, text, problem } = outcome;
    if (shouldReleaseReservation(outcome, isStreamed)) await releaseQuery(db, { ...turn, kind: 'agentQueries' });
    await recordTurn(db, turn, { state, text, sources: [], usage: null, answeredBy: null }, clock());
    return problem;
  }
  const { state, text, usage, answeredBy, notes } = outcome;
  const sources = await buildAnswerSources(db, turn.organizationId, outcome.fragments);
  await recordTurn(db, turn, { state, text, sources, usage, answeredBy }, clock());
  const { messageId, conversationId, visitorId } = turn;
  return { answer: text, conversationId, visitorId, sources, messageId, usage, answeredBy, notes };
}

/**
 * Returns true when the client received no text through no fault of its own. A client that disconnects early is still charged for
 * the query.
 */
function shouldReleaseReservation(
  { state, text, problem }: Exclude<Outcome, { readonly state: 'complete' }>,
  isStreamed: boolean,
): boolean {
  const hasReceived = isStreamed && text.trim() !== '';
  return !hasReceived && (state === 'failed' || problem.code === 'service_stopping');
}

/** Returns the fragments of an answer with the names of their datasources. Omits fragments of removed datasources. */
async function buildAnswerSources(
  db: Queries,
  organizationId: string,
  fragments: readonly CitedFragment[],
): Promise<readonly AnswerSource[]> {
  const labels = await labelsOf(
    db,
    organizationId,
    fragments.map((fragment) => fragment.datasourceId),
  );
  return fragments.flatMap((fragment) => {
    const label = labels.get(fragment.datasourceId);
    if (label === undefined) return [];
    return {
      chunk_id: fragment.fragmentId,
      datasource_id: fragment.datasourceId,
      datasource_name: label.name,
      datasource_type: label.type,
      custom_id: fragment.customId,
      source: fragment.source,
      score: fragment.score,
      page: fragment.page,
      text: fragment.text,
      cited: fragment.cited,
    };
  });
}

/** An answer in progress. */
interface OpenAnswer {
  readonly turn: Turn;
  readonly events: AsyncIterable<AnswerEvent>;
  /** Aborts the answer. Its reason is the cause. */
  readonly signal: AbortSignal;
  /** Keeps the complete answer for repeated requests. Called before the end is sent. Never throws. */
  readonly keep: (answer: AgentQueryResponse) => Promise<void>;
  /** The log of the request. */
  readonly log: Log;
}

/** The outcome of an answer. `text` is all text that was received. */
type Outcome =
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
 * Reads an answer until it completes, fails or is interrupted. Never throws: an error becomes part of the outcome.
 *
 * @param signal aborts the answer; its reason is the cause
 * @param onText receives each piece and is awaited, so that a slow client slows the model down instead of filling memory
 */
async function followAnswer(
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
          return { state: 'failed', text, problem: translateFailure(event) };
      }
    }
    return {
      state: 'failed',
      text,
      problem: translateFailure({ code: 'answer_failed', message: 'The answer ended without a final event.' }),
    };
  } catch (error) {
    return { state: signal.aborted ? 'interrupted' : 'failed', text, problem: toProblem(error) };
  }
}
