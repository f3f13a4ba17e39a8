import { AgentQueryRequest, AgentQueryResponse, DatastoreQueryRequest, DatastoreQueryResult } from '@quarry/contracts';
import { json, listOf, one } from '../answers.js';
import type { Operation } from '../operation.js';

const STREAM = `With \`streaming: true\` the answer is \`text/event-stream\` (server-sent events):

- \`event: answer\`: a fragment of the answer's text. Concatenated in order, with line feeds between the \`data\` lines of one event, they are the answer.
- \`event: endpoint_response\`: a fragment of the JSON text of an \`AgentQueryResponse\`. Concatenate them, and parse when the stream has ended.
- \`data: [DONE]\`: the end.
- \`data: [ERROR] code: message\`: the end of a stream that failed; \`code\` is one of the problem codes.
- Lines that start with \`:\` keep the connection open and mean nothing.

Every stream ends with one of the two ends. One that does not was cut off on the way. What can be refused is refused before the stream opens, with a problem. Leaving early ends the model's work; what was said so far stays in the conversation.

With an \`Idempotency-Key\` the answer is finished even when the client leaves, and the same request with the same key gets it again for 24 hours, neither asked nor counted twice: a stream as one piece of text. While the first request is being answered, another one is refused with \`idempotency_key_in_use\`. An answer that failed is not kept.`;

/** Asking. Source: interface specification, endpoints 1 and 2, and "Events". */
export const QUERY_OPERATIONS: readonly Operation[] = [
  {
    id: 'queryAgent',
    method: 'post',
    path: '/agents/{id}/query',
    tag: 'Queries',
    summary: 'Ask an agent',
    description: `Answers from the agent's datastores, and keeps question and answer in a conversation.\n\n${STREAM}`,
    scopes: ['query'],
    body: { json: { shapes: [AgentQueryRequest], unknownFields: 'ignore' } },
    once: true,
    answers: {
      200: {
        description: 'The answer, or the stream of it.',
        content: {
          'application/json': one(AgentQueryResponse),
          'text/event-stream': () => ({ type: 'string', description: 'Server-sent events, as described above.' }),
        },
        headers: { Deprecation: 'RFC 9745: when a field that was used came to be deprecated.' },
      },
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
  },
  {
    id: 'queryDatastore',
    method: 'post',
    path: '/datastores/{id}/query',
    tag: 'Queries',
    summary: 'Search a datastore',
    description: 'The fragments that are most like the query.',
    scopes: ['query'],
    body: { json: { shapes: [DatastoreQueryRequest], unknownFields: 'ignore' } },
    answers: {
      200: json('Best first.', listOf(DatastoreQueryResult), {
        'Quarry-Notes':
          'What went without a part of the search: `not_embedded`, `not_reranked`; absent where nothing did.',
      }),
    },
    problems: ['usage_limit_reached', 'overloaded'],
  },
];
