import { parse } from '@quarry/validation';
import type { Caller } from '../../../access/caller.js';
import { removeResponse, requireResponse, type ResponseRow } from '../../../conversations/response-repository.js';
import { refreshMessageSources, buildMessageResponse } from '../../../conversations/conversation-view.js';
import type { Gateway } from '../../../gateway.js';
import type { Operation } from '../../../http/declaration.js';
import { defineOperation } from '../../../http/define-operation.js';
import { buildOkReply } from '../../../http/reply.js';
import { createObjectSchema, describeJsonOrEventStream, describeJsonResponse } from '../../../http/responses.js';
import { openAiProblem } from '../protocol/error-body.js';
import { PageQuery } from '../protocol/list-window.js';
import { describeOpenAiBody } from '../protocol/parameters.js';
import { resolveResponseRequest } from './resolve-response-request.js';
import { createResponseFrames } from './response-frames.js';
import {
  INCLUDES,
  INERT_RESPONSE_PARAMETERS,
  requireConsistentParameters,
  ResponseParameters,
  ResponseRequest,
} from './response-request.js';
import { DeletedResponse, InputItemList, ResponseObject, ResponseQuery } from './response-shapes.js';
import { buildEndedResponse } from './response-view.js';
import { buildInputItemsPage } from './input-items.js';
import { formatResourceId, createIdParser } from '../protocol/resource-ids.js';
import { type AnswerForm, replyToQuestion } from '../answers/reply-to-question.js';
import { addSourceFiles } from '../answers/source-files.js';

/** Lists the operations on responses. A response is an answer in a conversation of an agent. */
export const RESPONSE_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createResponse',
    method: 'post',
    path: '/responses',
    tag: 'OpenAI-compatible',
    summary: 'Ask an agent or a configured model with its conversation',
    description:
      'The question and the answer of an agent are stored in a conversation, unless `store` is false. `previous_response_id` or `conversation` continues one.',
    scopes: ['query'],
    allowsOtherOrigins: true,
    body: describeOpenAiBody(ResponseRequest, { inert: INERT_RESPONSE_PARAMETERS, check: requireConsistentParameters }),
    idempotency: 'lease',
    responses: {
      200: describeJsonOrEventStream('The response.', createObjectSchema(ResponseObject), {
        'Quarry-Conversation-Id': 'The conversation that stores the answer.',
      }),
    },
    problems: ['datastore_expired'],
    handle: async ({ gateway, caller, body, runOnce, client, apiUrl, signal, log }) => {
      const { question, view } = await resolveResponseRequest(gateway, body, { caller, apiUrl, signal });
      const call = { caller, client, apiUrl, isStreamed: body.stream === true, signal, log };
      const form: AnswerForm<ResponseObject> = {
        buildBody: (answer) => buildEndedResponse(view, answer),
        createFrames: (ids) => createResponseFrames(view, ids),
      };
      return runOnce(replyToQuestion(gateway, question, call, form));
    },
  }),

  defineOperation({
    id: 'retrieveResponse',
    method: 'get',
    path: '/responses/{response_id}',
    tag: 'OpenAI-compatible',
    summary: 'Get a response',
    description: 'A response can be read when its answer has ended.',
    scopes: ['manage', 'query'],
    allowsOtherOrigins: true,
    params: { response_id: createIdParser('response') },
    query: ResponseQuery,
    responses: { 200: describeJsonResponse('The response.', createObjectSchema(ResponseObject)) },
    handle: async ({ gateway, caller, params, query, apiUrl }) => {
      const include = readIncludes(query);
      const row = await requireResponse(gateway.db, caller, params.response_id);
      return buildOkReply(await buildStoredResponseObject(gateway, caller, row, { apiUrl, include }));
    },
  }),

  defineOperation({
    id: 'deleteResponse',
    method: 'delete',
    path: '/responses/{response_id}',
    tag: 'OpenAI-compatible',
    summary: 'Delete a response',
    description: 'Deletes the question and the answer, and the conversation if it has no other answers.',
    scopes: ['manage'],
    allowsOtherOrigins: true,
    params: { response_id: createIdParser('response') },
    responses: { 200: describeJsonResponse('The deleted response.', createObjectSchema(DeletedResponse)) },
    handle: async ({ gateway, caller, params }) => {
      const row = await requireResponse(gateway.db, caller, params.response_id);
      await removeResponse(gateway.db, row, gateway.clock());
      const id = formatResourceId('response', params.response_id);
      return buildOkReply({ id, object: 'response' as const, deleted: true });
    },
  }),

  defineOperation({
    id: 'cancelResponse',
    method: 'post',
    path: '/responses/{response_id}/cancel',
    tag: 'OpenAI-compatible',
    summary: 'Cancel a response',
    description:
      'Always refused, as for every response of OpenAI without `background: true`. Close the connection to end an answer.',
    scopes: ['query'],
    allowsOtherOrigins: true,
    params: { response_id: createIdParser('response') },
    responses: { 200: describeJsonResponse('Never.', createObjectSchema(ResponseObject)) },
    handle: async ({ gateway, caller, params }) => {
      await requireResponse(gateway.db, caller, params.response_id);
      const detail = 'Cannot cancel a synchronous response. Close its connection to end its answer.';
      throw openAiProblem('response_not_cancellable', detail);
    },
  }),

  defineOperation({
    id: 'listInputItems',
    method: 'get',
    path: '/responses/{response_id}/input_items',
    tag: 'OpenAI-compatible',
    summary: 'List the input of a response',
    scopes: ['manage', 'query'],
    allowsOtherOrigins: true,
    params: { response_id: createIdParser('response') },
    query: PageQuery,
    responses: { 200: describeJsonResponse('One page of messages.', createObjectSchema(InputItemList)) },
    handle: async ({ gateway, caller, params, query }) =>
      buildOkReply(buildInputItemsPage(await requireResponse(gateway.db, caller, params.response_id), query)),
  }),
];

/** Reads the values of `include` in a query string. @throws Problem 400 for another value */
function readIncludes(query: ResponseQuery): readonly (typeof INCLUDES)[number][] {
  const values: readonly unknown[] = [query.include ?? [], query['include[]'] ?? []].flat();
  return values.map((value) => {
    const known = INCLUDES.find((include) => include === value);
    if (known !== undefined) return known;
    const message = `must be one of ${INCLUDES.join(', ')}, found ${JSON.stringify(value)}`;
    throw openAiProblem('unsupported_value', `include ${message}.`, { errors: [{ path: 'include', message }] });
  });
}

async function buildStoredResponseObject(
  { db }: Pick<Gateway, 'db'>,
  { organizationId }: Caller,
  { question, answer, response }: ResponseRow,
  { apiUrl, include }: { readonly apiUrl: string; readonly include: readonly (typeof INCLUDES)[number][] },
): Promise<ResponseObject> {
  const [current] = await refreshMessageSources(db, organizationId, [answer]);
  if (current === undefined) throw new Error('expected the message with the answer of the response, found none');
  const { id: messageId, text, sources, usage, state } = buildMessageResponse(apiUrl, current);
  const request = parse(ResponseParameters, { ...response.request, include }, 'ignore');
  const { conversationId, createdAt } = answer;
  const times = { endedAt: createdAt.toISOString() };
  const ended = { messageId, conversationId, answer: text, sources, usage, notes: response.notes, ...times };
  const shown = await addSourceFiles(db, organizationId, ended);
  return buildEndedResponse({ request, query: question, apiUrl, isStored: true }, shown, state);
}
