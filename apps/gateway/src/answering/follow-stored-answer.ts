import { setTimeout as delay } from 'node:timers/promises';
import type { AgentQueryResponse } from '@quarry/contracts';
import { and, eq } from 'drizzle-orm';
import { refreshMessageSources } from '../conversations/conversation-view.js';
import type { Queries } from '../database/database.js';
import type { Gateway } from '../gateway.js';
import type { StoredStreamEnd } from '../database/tables/answer-streams.js';
import { messages } from '../database/tables/conversations.js';
import { addSourceAddress } from '../source-addresses/source-address.js';
import { readStream, recordFollower, type StreamReference } from './answer-stream-repository.js';
import type { AnswerProgress, StreamEnd } from './live-answer.js';

/** Shortest time between two reads of a stored stream, in milliseconds. Each read without new text doubles the time. */
const MIN_INTERVAL_MS = 125;
const MAX_INTERVAL_MS = 1_000;
/**
 * Number of times within `resumeGraceMs` that this gateway calls `recordFollower` while its client follows an answer.
 * `resumeGraceMs` is the time for which an answer continues without a client.
 */
const HEARTBEATS_PER_GRACE_PERIOD = 4;
/** Time without a heartbeat of the generating gateway after which an answer counts as lost, in milliseconds. */
const LOST_AFTER_MS = 30_000;

const LOST = {
  code: 'answer_failed',
  message: 'The answer was lost, because the gateway that generated it stopped. Send the question again.',
};
const DELETED = { code: 'not_found', message: 'The conversation of the answer was deleted.' };

/**
 * Yields the progress of an answer that another gateway generates, or that has ended. Reads it from the database.
 *
 * @param signal ends the iteration; aborts when the client disconnects or this gateway stops
 * @param apiUrl the public address of the API, for the addresses of sources
 */
export async function* followStoredAnswer(
  { db, resumeGraceMs }: Pick<Gateway, 'db' | 'resumeGraceMs'>,
  reference: StreamReference,
  signal: AbortSignal,
  apiUrl: string,
): AsyncGenerator<AnswerProgress> {
  const heartbeatIntervalMs = resumeGraceMs / HEARTBEATS_PER_GRACE_PERIOD;
  let text = '';
  let intervalMs = MIN_INTERVAL_MS;
  let followedAt = -Infinity;
  let hasEnded = false;
  try {
    while (!signal.aborted) {
      if (performance.now() - followedAt >= heartbeatIntervalMs) {
        await recordFollower(db, reference);
        followedAt = performance.now();
      }
      const stored = await readStream(db, reference, Buffer.byteLength(text));
      intervalMs = typeof stored?.text === 'string' ? MIN_INTERVAL_MS : Math.min(2 * intervalMs, MAX_INTERVAL_MS);
      text = stored?.text ?? text;
      const isLost = (stored?.silentMs ?? 0) > LOST_AFTER_MS;
      // `stored` is undefined if the stream was deleted, which also ends the iteration.
      hasEnded = stored?.end !== null || isLost;
      if (stored === undefined) yield { text, end: { problem: DELETED } };
      else if (stored.end !== null) yield { text, end: await loadStreamEnd(db, reference, stored.end, apiUrl) };
      else yield { text, end: isLost ? { problem: LOST } : undefined };
      if (hasEnded) return;
      await delay(Math.min(intervalMs, heartbeatIntervalMs), undefined, { signal }).catch(() => undefined);
    }
  } finally {
    // The client has disconnected, or this gateway stops. From now on, the answer continues without a client for
    // `resumeGraceMs`.
    if (!hasEnded) await recordFollower(db, reference);
  }
}

/** Builds the end of a stream. For a complete answer, loads the response from the stored message of the answer. */
async function loadStreamEnd(
  db: Queries,
  reference: StreamReference,
  end: StoredStreamEnd,
  apiUrl: string,
): Promise<StreamEnd> {
  if ('problem' in end) return end;
  const response = await loadStoredResponse(db, reference, end.notes, apiUrl);
  return response === undefined ? { problem: DELETED } : { response };
}

async function loadStoredResponse(
  db: Queries,
  { organizationId, conversationId, messageId }: StreamReference,
  notes: AgentQueryResponse['notes'],
  apiUrl: string,
): Promise<AgentQueryResponse | undefined> {
  const isAnswer = and(
    eq(messages.organizationId, organizationId),
    eq(messages.conversationId, conversationId),
    eq(messages.id, messageId),
  );
  const rows = await refreshMessageSources(db, organizationId, await db.select().from(messages).where(isAnswer));
  const [row] = rows;
  if (row === undefined || row.usage === null || row.answeredBy === null) return undefined;
  const { text: answer, visitorId, usage, answeredBy } = row;
  const sources = row.sources.map((source) => addSourceAddress(apiUrl, source));
  return { answer, conversationId, visitorId, sources, messageId, usage, answeredBy, notes };
}
