import { AgentQueryRequest, AgentQueryResponse, DatastoreQueryRequest, DatastoreQueryResult } from '@quarry/contracts';
import { requireAgent } from '../agents/require-agent.js';
import { askAgent } from '../answering/ask-agent.js';
import { completeAnswer } from '../answering/complete-answer.js';
import { sendAnswer, sendStoredAnswer } from '../answering/send-answer.js';
import { requireQuestion } from '../checks/require-question.js';
import { requireKnownFilters } from '../datastores/require-known-filters.js';
import { searchDatastore } from '../searching/search-datastore.js';
import { findSearchTargets, requireSearchTarget } from '../searching/search-target.js';
import type { Gateway } from '../gateway.js';
import type { Operation } from '../http/declaration.js';
import { operation } from '../http/operation.js';
import { eventStream, ok } from '../http/reply.js';
import { json } from '../http/request-body.js';
import { jsonOrEventStream, jsonResponse, listOf, one } from '../http/responses.js';
import { withReservation } from '../usage/with-reservation.js';

const STREAM = `With \`streaming: true\` the answer is \`text/event-stream\` (server-sent events):

- \`event: answer\`: a fragment of the answer's text. Concatenated in order, with line feeds between the \`data\` lines of one event, they are the answer.
- \`event: endpoint_response\`: a fragment of the JSON text of an \`AgentQueryResponse\`. Concatenate them, and parse when the stream has ended.
- \`data: [DONE]\`: the end.
- \`data: [ERROR] code: message\`: the end of a stream that failed; \`code\` is one of the problem codes.
- Lines that start with \`:\` keep the connection open and mean nothing.

Every stream ends with one of the two ends. One that does not was cut off on the way. What can be refused is refused before the stream opens, with a problem. Leaving early ends the model's work; what was said so far stays in the conversation.

With an \`Idempotency-Key\` the answer is finished even when the client leaves, and the same request with the same key gets it again for 24 hours, neither asked nor counted twice: a stream as one piece of text. While the first request is being answered, another one is refused with \`idempotency_key_in_use\`. An answer that failed is not kept.`;

/** When `systemPrompt` and `userPrompt` replaced the deprecated fields, as RFC 9745 writes a time. */
const DEPRECATED_SINCE = '@1735689600';

/** Queries. Source: docs/interface.md#1-query-an-agent and the sections after it. */
export const QUERY_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'queryAgent',
    method: 'post',
    path: '/agents/{id}/query',
    tag: 'Queries',
    summary: 'Ask an agent',
    description: `Answers from the agent's datastores, and keeps question and answer in a conversation.\n\n${STREAM}`,
    scopes: ['query'],
    allowsOtherOrigins: true,
    params: { id: 'agent' },
    body: json(AgentQueryRequest, { unknownFields: 'ignore', check: requireQueryAndFilters }),
    idempotency: 'lease',
    responses: {
      200: jsonOrEventStream('The answer, or the stream of it.', one(AgentQueryResponse), {
        Deprecation: 'RFC 9745: when a field that was used came to be deprecated.',
      }),
    },
    problems: [
      'usage_limit_reached',
      'context_too_long',
      'model_parameter_refused',
      'model_not_configured',
      'model_refused',
      'model_unavailable',
      'model_rate_limited',
      'model_invalid_response',
      'model_interrupted',
      'model_timeout',
      'overloaded',
      'answer_failed',
      'service_stopping',
    ],
    handle: async ({ gateway, caller, params, body, once, client, signal, log }) => {
      const agent = await requireAgent(gateway.db, caller, params.id);
      const datastores = await findSearchTargets(gateway.db, caller.organizationId, agent.datastoreIds);
      if (usesDeprecatedFields(body)) client.setHeader('Deprecation', DEPRECATED_SINCE);
      signal.throwIfAborted();
      const isStreamed = body.streaming === true;
      return once({
        run: async (keep) => {
          const asked = await askAgent(gateway, { agent, datastores, request: body, client, signal, log });
          const answer = { ...asked, signal, keep, log };
          return isStreamed
            ? eventStream(async (stream) => sendAnswer(gateway, stream, answer))
            : ok(await completeAnswer(gateway, answer));
        },
        replay: (kept: AgentQueryResponse) =>
          isStreamed ? eventStream(async (stream) => sendStoredAnswer(stream, kept)) : ok(kept),
      });
    },
  }),

  operation({
    id: 'queryDatastore',
    method: 'post',
    path: '/datastores/{id}/query',
    tag: 'Queries',
    summary: 'Search a datastore',
    description: 'The fragments that are most like the query.',
    scopes: ['query'],
    allowsOtherOrigins: true,
    isReadOnly: true,
    params: { id: 'datastore' },
    body: json(DatastoreQueryRequest, { unknownFields: 'ignore', check: requireQueryAndFilters }),
    responses: {
      200: jsonResponse('Best first.', listOf(DatastoreQueryResult), {
        'Quarry-Notes':
          'What went without a part of the search: `not_embedded`, `not_reranked`; absent where nothing did.',
      }),
    },
    problems: ['usage_limit_reached', 'overloaded'],
    handle: async ({ gateway, caller, params, body, client, signal, log }) => {
      const { organizationId } = caller;
      const reservation = { organizationId, kind: 'datastoreQueries', askedAt: gateway.clock() } as const;
      // In parallel: the one is a look-up, and the other is given back when the datastore does not exist.
      const finding = requireSearchTarget(gateway.db, caller, params.id);
      finding.catch(() => undefined);
      signal.throwIfAborted();
      const { results, notes } = await withReservation(gateway, { reservation, client, log }, async () =>
        searchDatastore(gateway, await finding, body, signal),
      );
      return ok(results, notes.length === 0 ? {} : { 'Quarry-Notes': notes.join(', ') });
    },
  }),
];

function requireQueryAndFilters({ query }: { readonly query: string }, { limits }: Gateway, raw: unknown): void {
  requireQuestion(query, limits.queryCharacters);
  requireKnownFilters(raw);
}

function usesDeprecatedFields({ promptType, promptTemplate }: AgentQueryRequest): boolean {
  const deprecated: readonly unknown[] = [promptType, promptTemplate];
  return deprecated.some((field) => field !== undefined && field !== null);
}
