import {
  AgentQueryRequest,
  AgentQueryResponse,
  DatastoreQueryRequest,
  DatastoreQueryResult,
  ExplainedQueryResponse,
  PromptPreviewRequest,
  PromptPreviewResponse,
} from '@quarry/contracts';
import { requireAgentAccess } from '../agents/agent-repository.js';
import { findAgentAndRecordUse } from '../agents/agent-with-datastores.js';
import { askAgent } from '../answering/ask-agent.js';
import { requestPromptPreview } from '../answering/request-prompt-preview.js';
import { collectAndStoreAnswer, sendAnswer, sendStoredAnswer } from '../answering/send-answer.js';
import { requireDatastoreAccess } from '../datastores/datastore-repository.js';
import { requireSearchTarget } from '../searching/search-target.js';
import {
  sendResumableAnswer,
  sendStoredResumableAnswer,
  startResumableAnswer,
} from '../answering/send-resumable-answer.js';
import type { Client } from '../http/call.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildStreamReply, buildOkReply } from '../http/reply.js';
import { describeJsonBody } from '../http/request-body.js';
import {
  describeJsonOrEventStream,
  describeJsonResponse,
  createListSchema,
  createObjectSchema,
  createUnionSchema,
} from '../http/responses.js';
import { addSourceAddress } from '../source-addresses/source-address.js';
import { withQueryReservationAndResources } from '../usage/with-query-reservation.js';
import { requireValidQuestion, requireValidSearch } from './require-valid-query.js';
import { requireValidQuestionText } from '../checks/require-valid-question-text.js';

const STREAM = `With \`streaming: true\`, the response is \`text/event-stream\` (server-sent events):

- \`event: answer\`: a fragment of the answer text. Join the \`data\` lines of one event with line feeds, then concatenate the fragments in order.
- \`event: endpoint_response\`: a fragment of the JSON text of an \`AgentQueryResponse\`. Concatenate the fragments, and parse the text when the stream ends.
- \`data: [DONE]\`: the end of a complete stream.
- \`data: [ERROR] code: message\`: the end of a failed stream. \`code\` is one of the problem codes.
- Lines that start with \`:\` keep the connection open. Ignore them.

Every stream ends with \`[DONE]\` or \`[ERROR]\`; without either, the connection was interrupted. An invalid request is refused with a problem before the stream opens. If the client disconnects, the model stops and the conversation keeps the partial answer.

With \`resumable: true\`, the answer continues for 30 seconds after the client disconnects, and \`streamAnswer\` continues the stream. Each \`answer\` event then has an \`id\`: the number of characters so far, in UTF-16 code units.

With an \`Idempotency-Key\`, the answer is completed even if the client disconnects. For 24 hours, the same request with the same key returns the stored answer: the model is not called and the usage is not counted again. A stored answer is streamed as one fragment. While the first request is in progress, a second one is refused with \`idempotency_key_in_use\`. A failed answer is not stored.`;

/**
 * The value of the header `Deprecation` (RFC 9745): the time at which `systemPrompt` and `userPrompt` replaced the deprecated
 * fields.
 */
const DEPRECATED_SINCE = '@1735689600';

/**
 * Lists the operations that query agents and datastores. Source: docs/interface.md#1-query-an-agent and the sections
 * after it.
 */
export const QUERY_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'queryAgent',
    method: 'post',
    path: '/agents/{id}/query',
    tag: 'Queries',
    summary: 'Ask an agent',
    description: `Answers a question from the content of the agent's datastores, and stores the question and the answer in a conversation.\n\n${STREAM}`,
    scopes: ['query'],
    allowsOtherOrigins: true,
    params: { id: 'agent' },
    body: describeJsonBody(AgentQueryRequest, { unknownFields: 'ignore', check: requireValidQuestion }),
    idempotency: 'lease',
    responses: {
      200: describeJsonOrEventStream(
        'The answer, as JSON or as an event stream.',
        createObjectSchema(AgentQueryResponse),
        {
          'Quarry-Conversation-Id': 'The conversation of the answer.',
          'Quarry-Message-Id': 'The message that will contain the answer.',
          Deprecation: 'The time since which a field in the request is deprecated (RFC 9745).',
        },
      ),
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
    handle: async ({ gateway, caller, params, body, runOnce, client, apiUrl, signal, stopSignal, log }) => {
      const agentKey = { organizationId: caller.organizationId, id: requireAgentAccess(caller, params.id) };
      const agent = findAgentAndRecordUse(gateway.db, agentKey.organizationId, agentKey.id);
      agent.catch(() => undefined);
      if (usesDeprecatedFields(body)) client.setHeader('Deprecation', DEPRECATED_SINCE);
      const isStreamed = body.streaming === true;
      const isResumable = body.resumable === true;
      const question = { agentKey, agent, request: body, client, signal, log };
      return runOnce({
        run: async (storeForReplay) => {
          if (isResumable) {
            const answer = { ...(await startResumableAnswer(gateway, question, stopSignal)), apiUrl, storeForReplay };
            setAnswerHeaders(client, answer.turn);
            return buildStreamReply(async (stream) => sendResumableAnswer(gateway, stream, answer));
          }
          const asked = await askAgent(gateway, question);
          setAnswerHeaders(client, asked.turn);
          const answer = { ...asked, apiUrl, signal, storeForReplay, log };
          return isStreamed
            ? buildStreamReply(async (stream) => sendAnswer(gateway, stream, answer))
            : buildOkReply(await collectAndStoreAnswer(gateway, answer));
        },
        replay: async (stored: AgentQueryResponse) => {
          // A deleted agent is refused, because its conversations and their answers were deleted with it.
          await agent;
          setAnswerHeaders(client, stored);
          if (!isStreamed) return buildOkReply(stored);
          const send = isResumable ? sendStoredResumableAnswer : sendStoredAnswer;
          return buildStreamReply(async (stream) => send(stream, stored));
        },
      });
    },
  }),

  defineOperation({
    id: 'previewPrompt',
    method: 'post',
    path: '/agents/{id}/prompt',
    tag: 'Queries',
    summary: 'Preview the prompt of a question',
    description:
      'Returns what the agent sends to its model for the first question of a conversation, without calling the model. The request searches the datastores and counts as a datastore query. Prompts in the body replace the prompts of the agent, so that unsaved prompts can be tested.',
    scopes: ['manage'],
    isReadOnly: true,
    params: { id: 'agent' },
    body: describeJsonBody(PromptPreviewRequest, {
      unknownFields: 'refuse',
      check: ({ query }, { limits }) => {
        requireValidQuestionText(query, limits.queryCharacters);
      },
    }),
    responses: { 200: describeJsonResponse('The prompt.', createObjectSchema(PromptPreviewResponse)) },
    problems: ['usage_limit_reached', 'model_not_configured', 'overloaded'],
    handle: async ({ gateway, caller, params, body, client, signal, log }) => {
      const { organizationId } = caller;
      const loading = findAgentAndRecordUse(gateway.db, organizationId, requireAgentAccess(caller, params.id));
      const reservation = { organizationId, kind: 'datastoreQueries', askedAt: gateway.clock() } as const;
      return withQueryReservationAndResources(gateway, { reservation, client, log, signal, loading }, async (agent) =>
        buildOkReply(await requestPromptPreview(gateway, agent, body, signal)),
      );
    },
  }),

  defineOperation({
    id: 'queryDatastore',
    method: 'post',
    path: '/datastores/{id}/query',
    tag: 'Queries',
    summary: 'Search a datastore',
    description:
      'Returns the fragments that are most similar to the query. With `explain: true`, the response is an object with the `results` and an `explanation`: the analysed query, the scores and ranks of each stage, the dropped fragments with reasons, and the durations.',
    scopes: ['query'],
    allowsOtherOrigins: true,
    isReadOnly: true,
    params: { id: 'datastore' },
    body: describeJsonBody(DatastoreQueryRequest, { unknownFields: 'ignore', check: requireValidSearch }),
    responses: {
      200: describeJsonResponse(
        'The fragments found, best first. With `explain`, an object.',
        createUnionSchema(
          'DatastoreQueryResponse',
          createListSchema(DatastoreQueryResult),
          createObjectSchema(ExplainedQueryResponse),
        ),
        {
          'Quarry-Notes':
            'Steps of the search that were skipped: `not_embedded`, `not_reranked`. Absent if none were skipped.',
        },
      ),
    },
    problems: ['usage_limit_reached', 'overloaded', 'datastore_expired'],
    handle: async ({ gateway, caller, params, body, client, apiUrl, signal, log }) => {
      const { organizationId } = caller;
      const datastoreId = requireDatastoreAccess(caller, params.id);
      const expected = { organizationId, datastoreId, request: replaceTopKAlias(body) };
      const reservation = { organizationId, kind: 'datastoreQueries', askedAt: gateway.clock() } as const;
      const { results, notes, explanation } = await gateway.speculativeSearches.run(
        gateway,
        expected,
        signal,
        async (complete) => {
          const loading = requireSearchTarget(gateway.db, caller, datastoreId);
          return withQueryReservationAndResources(gateway, { reservation, client, log, signal, loading }, complete);
        },
      );
      const headers = notes.length === 0 ? {} : { 'Quarry-Notes': notes.join(', ') };
      const shown = results.map((result) => addSourceAddress(apiUrl, result));
      return buildOkReply(explanation === undefined ? shown : { results: shown, explanation }, headers);
    },
  }),
];

/** Replaces the alias `top_k` by `topK`. */
function replaceTopKAlias({ top_k: alias, ...request }: DatastoreQueryRequest): DatastoreQueryRequest {
  const topK = request.topK ?? alias;
  return topK === undefined ? request : { ...request, topK };
}

/** Sets the headers with the ids of the answer, which clients need before the first text to resume the stream. */
function setAnswerHeaders(
  client: Client,
  { conversationId, messageId }: Pick<AgentQueryResponse, 'conversationId' | 'messageId'>,
): void {
  client.setHeader('Quarry-Conversation-Id', conversationId);
  client.setHeader('Quarry-Message-Id', messageId);
}

function usesDeprecatedFields({ promptType, promptTemplate }: AgentQueryRequest): boolean {
  const deprecated: readonly unknown[] = [promptType, promptTemplate];
  return deprecated.some((field) => field !== undefined && field !== null);
}
