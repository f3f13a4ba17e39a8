import type { AgentQueryResponse } from '@quarry/contracts';
import { Problem, convertErrorToProblem, type Log } from '@quarry/service-kit';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Turn } from '../conversations/turn.js';
import { isForeignKeyViolation, redactQueryParameters } from '../database/query-error.js';
import { translateDatabaseError } from '../database/translate-database-error.js';
import type { Gateway } from '../gateway.js';
import { releaseFailedQuery } from '../usage/with-query-reservation.js';
import { insertStream, type StreamReference, updateStream } from './answer-stream-repository.js';
import { askAgent, type Question } from './ask-agent.js';
import { followStoredAnswer } from './follow-stored-answer.js';
import { type AnswerProgress, LiveAnswer, type StreamEnd } from './live-answer.js';
import {
  finishAnswer,
  type OpenAnswer,
  type Outcome,
  readAnswerEvents,
  writeProblemFrame,
  writeResponseFrames,
  logAnswerFailure,
} from './send-answer.js';
import { cleanAnswerText, createAnswerText, type EventStream, formatNumberedFrames } from './sse.js';
import { startStoringProgress } from './store-progress.js';

type ResumeContext = Pick<
  Gateway,
  'db' | 'clock' | 'queryService' | 'storedConnections' | 'liveAnswers' | 'resumeGraceMs'
>;

/** Contains a resumable answer that has started, with its text in memory. */
export type ResumableAnswer = Omit<OpenAnswer, 'storeForReplay' | 'apiUrl'> & { readonly live: LiveAnswer };

/**
 * Starts an answer that continues without its client. Until the returned promise resolves, a disconnect aborts the
 * answer, because the client cannot resume an answer whose ids it has not received.
 *
 * @param stopSignal aborts when the service stops; if `question.signal` is the same signal, the answer always continues
 *   to its end, even without a client
 * @throws the same problems as `askAgent`
 */
export async function startResumableAnswer(
  gateway: ResumeContext,
  question: Question,
  stopSignal: AbortSignal,
): Promise<ResumableAnswer> {
  const { db, liveAnswers, resumeGraceMs } = gateway;
  const { log } = question;
  const abandonment = new AbortController();
  const signal = AbortSignal.any([stopSignal, abandonment.signal]);
  const asked = await askAgentUntilDisconnect(gateway, { ...question, signal }, question.signal, abandonment);
  const { events } = asked;
  const turn = await insertStream(db, asked.turn).catch(async (error: unknown) => {
    abandonment.abort(error);
    void readAnswerEvents(events, signal, async () => Promise.resolve());
    await releaseFailedQuery(db, { reservation: { ...asked.turn, kind: 'agentQueries' }, log });
    throw isForeignKeyViolation(error) ? createDeletedProblem(asked.turn) : error;
  });
  const live = new LiveAnswer(turn, {
    graceMs: question.signal === stopSignal ? Infinity : resumeGraceMs,
    getRemoteIdleMs: async () => findRemoteIdleMs(gateway, turn, log),
    abort: (reason) => {
      abandonment.abort(reason);
    },
  });
  liveAnswers.set(turn.messageId, live);
  return { turn, events, signal, live, log };
}

/** Creates the problem for a question whose conversation, or whose agent, was deleted after it was asked. */
function createDeletedProblem({ isConversationStored, conversationId, agentId }: Turn): Problem {
  return isConversationStored
    ? createNotFoundProblem('conversation', conversationId)
    : createNotFoundProblem('agent', agentId);
}

/** Asks an agent. Aborts the answer if the client disconnects before the answer has started. */
async function askAgentUntilDisconnect(
  gateway: ResumeContext,
  question: Question,
  disconnected: AbortSignal,
  abandonment: AbortController,
): ReturnType<typeof askAgent> {
  const abandon = (): void => {
    abandonment.abort(disconnected.reason);
  };
  disconnected.addEventListener('abort', abandon);
  if (disconnected.aborted) abandon();
  try {
    return await askAgent(gateway, question);
  } finally {
    disconnected.removeEventListener('abort', abandon);
  }
}

/**
 * Returns the time in milliseconds since another gateway last recorded a client that follows the answer. Returns
 * undefined if no other gateway has recorded one, or if the query fails. Also stores a heartbeat of this gateway.
 */
async function findRemoteIdleMs({ db }: ResumeContext, turn: StreamReference, log: Log): Promise<number | undefined> {
  try {
    return (await updateStream(db, turn, {}))?.remoteIdleMs ?? undefined;
  } catch (error) {
    log.warn(
      { err: redactQueryParameters(error) },
      'failed to load when another gateway last served a client of a resumable answer: the answer may stop too early',
    );
    return undefined;
  }
}

/**
 * Reads an answer to its end, stores it in its conversation, and streams it to the client that asked the question.
 * Resolves when the answer has ended and the client has received it or has disconnected. Never rejects.
 */
export async function sendResumableAnswer(
  gateway: ResumeContext,
  stream: EventStream,
  answer: ResumableAnswer & Pick<OpenAnswer, 'storeForReplay' | 'apiUrl'>,
): Promise<void> {
  const { live, turn, events, signal, storeForReplay, log } = answer;
  const progress = startStoringProgress(gateway.db, live, log);
  const client = sendAnswerProgress(stream, live.follow(stream.closed), 0);
  const text = createAnswerText();
  const read = await readAnswerEvents(events, signal, async (piece) => {
    live.append(cleanAnswerText(text.add(piece)));
    return Promise.resolve();
  });
  const outcome = appendRemainingText(live, cleanAnswerText(text.end()), read);
  logAnswerFailure(log, outcome);
  const finished = await finishAnswer(gateway, answer, outcome, true).catch((error: unknown) => {
    log.error(
      { err: redactQueryParameters(error) },
      'failed to store an answer in its conversation: the stream ends with an error',
    );
    return convertErrorToProblem(translateDatabaseError(error));
  });
  if (!(finished instanceof Problem)) await storeForReplay(finished);
  const end = buildStreamEnd(finished);
  live.complete(end);
  await progress.end('problem' in end ? end : { notes: end.response.notes });
  gateway.liveAnswers.delete(turn.messageId);
  await client;
}

/**
 * Appends the remaining text, which `AnswerText` returns only when the answer has ended.
 *
 * @returns the outcome, which is a failure if the answer is too long
 */
function appendRemainingText(live: LiveAnswer, remaining: string, outcome: Outcome): Outcome {
  try {
    live.append(remaining);
    return outcome;
  } catch (error) {
    if (outcome.state !== 'complete') return outcome;
    return { state: 'failed', text: outcome.text, problem: convertErrorToProblem(error) };
  }
}

function buildStreamEnd(finished: AgentQueryResponse | Problem): StreamEnd {
  if (!(finished instanceof Problem)) return { response: finished };
  return { problem: { code: finished.code, message: finished.message } };
}

/**
 * Streams an answer from a position in the text of the answer. Reads the progress from the database unless this gateway
 * generates the answer.
 *
 * @param after the number of characters that the client has received
 * @param signal aborts when the client disconnects or the service stops
 */
export async function resumeAnswer(
  gateway: ResumeContext,
  stream: EventStream,
  { reference, after, apiUrl, signal, log }: ResumeRequest,
): Promise<void> {
  const live = gateway.liveAnswers.get(reference.messageId);
  const progress =
    live === undefined ? followStoredAnswer(gateway, reference, signal, apiUrl) : live.follow(stream.closed);
  await sendAnswerProgress(stream, progress, after).catch((error: unknown) => {
    log.warn({ err: redactQueryParameters(error) }, 'failed to send a resumed answer; the client can retry');
    stream.end();
  });
}

export interface ResumeRequest {
  readonly reference: StreamReference;
  readonly after: number;
  /** The public address of the API, for the addresses of sources. */
  readonly apiUrl: string;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Streams a stored response in the frames of a resumable stream. */
export async function sendStoredResumableAnswer(stream: EventStream, response: AgentQueryResponse): Promise<void> {
  const text = createAnswerText();
  const whole = cleanAnswerText(text.add(response.answer) + text.end());
  await stream.write(formatNumberedFrames(whole, 0));
  await writeResponseFrames(stream, response);
  stream.end();
}

/**
 * Writes the text of an answer after the position `after`, and the end of the answer. If the progress stops before the
 * answer has ended, ends the stream without `[DONE]` or `[ERROR]`.
 */
async function sendAnswerProgress(
  stream: EventStream,
  progress: AsyncIterable<AnswerProgress>,
  after: number,
): Promise<void> {
  let position = after;
  for await (const { text, end } of progress) {
    await stream.write(formatNumberedFrames(text.slice(position), position));
    position = Math.max(position, text.length);
    if (end === undefined) continue;
    await ('problem' in end
      ? writeProblemFrame(stream, end.problem.code, end.problem.message)
      : writeResponseFrames(stream, end.response));
  }
  stream.end();
}
