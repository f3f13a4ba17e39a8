import { AnswerStreamQuery } from '@quarry/contracts';
import { canAccessAgent } from '../access/caller.js';
import { readStream } from '../answering/answer-stream-repository.js';
import { resumeAnswer } from '../answering/send-resumable-answer.js';
import { createFieldProblem } from '../checks/field-problem.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildStreamReply } from '../http/reply.js';
import { describeEventStream } from '../http/responses.js';

/** Lists the operations on the streams of resumable answers. Source: docs/interface.md#resumable-streams. */
export const ANSWER_STREAM_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'streamAnswer',
    method: 'get',
    path: '/conversations/{id}/messages/{messageId}/stream',
    tag: 'Conversations',
    summary: 'Continue the stream of an answer',
    description:
      'Streams an answer that was requested with `resumable: true`, from the position of `Last-Event-ID` or `after`. The stream is available while the answer is generated and for ten minutes afterwards. Its events have the format of `queryAgent`. The stream always contains all events named `endpoint_response`, so discard such events of an interrupted stream.',
    scopes: ['manage', 'query'],
    allowsOtherOrigins: true,
    isLongRunning: true,
    params: { id: 'conversation', messageId: 'message' },
    query: AnswerStreamQuery,
    responses: { 200: describeEventStream('The rest of the answer, as an event stream.') },
    handle: async ({ gateway, caller, params, query, client, apiUrl, signal, log }) => {
      const { organizationId } = caller;
      const reference = { organizationId, conversationId: params.id, messageId: params.messageId };
      const after = parseLastEventId(client.getHeader('last-event-id')) ?? query.after ?? 0;
      const stored = await readStream(gateway.db, reference, 0);
      if (stored === undefined || !canAccessAgent(caller, stored.agentId)) {
        throw createNotFoundProblem('answer stream', params.messageId);
      }
      return buildStreamReply(async (stream) =>
        resumeAnswer(gateway, stream, { reference, after, apiUrl, signal, log }),
      );
    },
  }),
];

/**
 * Parses the header `Last-Event-ID`: the id of the last event that the client received. Returns undefined if the header
 * is absent or empty.
 *
 * @throws Problem 400 for a text that is not an event id
 */
function parseLastEventId(id: string | undefined): number | undefined {
  if (id === undefined || id === '') return undefined;
  if (/^\d{1,9}$/.test(id)) return Number(id);
  throw createFieldProblem('Last-Event-ID', `must be the id of an event, found ${JSON.stringify(id.slice(0, 60))}`);
}
