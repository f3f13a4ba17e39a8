import {
  ConversationListQuery,
  ConversationResponse,
  MessageFeedback,
  MessageListQuery,
  MessageResponse,
  SetFeedbackRequest,
} from '@quarry/contracts';
import { requireAgent } from '../agents/agent-repository.js';
import { deleteStreams } from '../answering/answer-stream-repository.js';
import { parseTime } from '../checks/parse-time.js';
import {
  listConversations,
  listMessages,
  removeConversation,
  requireConversation,
} from '../conversations/conversation-repository.js';
import {
  buildConversationResponse,
  buildMessageResponse,
  refreshMessageSources,
} from '../conversations/conversation-view.js';
import { removeFeedback, setFeedback } from '../conversations/feedback.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildEmptyReply, buildOkReply } from '../http/reply.js';
import { describeJsonBody } from '../http/request-body.js';
import { describeJsonResponse, createObjectSchema, createPageSchema, DELETED } from '../http/responses.js';
import { parsePageRequest, buildPage } from '../paging/pages.js';
import { parsePositionPageRequest } from '../paging/position-pages.js';
import { buildKeyPage } from '../paging/sort-key-pages.js';

/**
 * Lists the operations on conversations. A key with only the scope `query`, which web pages use, can read a conversation by id but
 * cannot list conversations.
 */
export const CONVERSATION_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'listConversations',
    method: 'get',
    path: '/conversations',
    tag: 'Conversations',
    summary: 'List conversations',
    description: 'Sorted by creation time, newest first. A conversation is included when an answer has ended.',
    scopes: ['manage'],
    query: ConversationListQuery,
    responses: { 200: describeJsonResponse('One page of conversations.', createPageSchema(ConversationResponse)) },
    problems: ['not_found'],
    handle: async ({ gateway: { db }, caller, query }) => {
      const { visitorId, feedback, unanswered } = query;
      const createdAfter = parseTime('createdAfter', query.createdAfter);
      const createdBefore = parseTime('createdBefore', query.createdBefore);
      const agentId = query.agentId === undefined ? undefined : (await requireAgent(db, caller, query.agentId)).id;
      const page = parsePageRequest(query);
      const accessibleAgentIds = caller.limits?.agentIds;
      const filter = { agentId, visitorId, accessibleAgentIds, feedback, unanswered, createdAfter, createdBefore };
      const rows = await listConversations(db, caller.organizationId, filter, page);
      return buildOkReply(buildPage(rows, page, buildConversationResponse));
    },
  }),

  defineOperation({
    id: 'getConversation',
    method: 'get',
    path: '/conversations/{id}',
    tag: 'Conversations',
    summary: 'Get a conversation',
    description: 'Returns a conversation without its messages, which `listMessages` returns.',
    scopes: ['manage', 'query'],
    params: { id: 'conversation' },
    responses: { 200: describeJsonResponse('The conversation.', createObjectSchema(ConversationResponse)) },
    handle: async ({ gateway, caller, params }) =>
      buildOkReply(buildConversationResponse(await requireConversation(gateway.db, caller, params.id))),
  }),

  defineOperation({
    id: 'deleteConversation',
    method: 'delete',
    path: '/conversations/{id}',
    tag: 'Conversations',
    summary: 'Delete a conversation',
    description: 'Also deletes its messages.',
    scopes: ['manage'],
    params: { id: 'conversation' },
    responses: { 204: DELETED },
    handle: async ({ gateway: { db }, caller, params }) => {
      const conversation = await requireConversation(db, caller, params.id);
      await deleteStreams(db, conversation.organizationId, conversation.id);
      await removeConversation(db, conversation.organizationId, conversation.id);
      return buildEmptyReply();
    },
  }),

  defineOperation({
    id: 'listMessages',
    method: 'get',
    path: '/conversations/{id}/messages',
    tag: 'Conversations',
    summary: 'List the messages of a conversation',
    description:
      'Sorted by question, oldest first; each question is followed by its answer. With `order=desc`, the newest answer is first. A question is included when its answer is finished.',
    scopes: ['manage', 'query'],
    params: { id: 'conversation' },
    query: MessageListQuery,
    responses: { 200: describeJsonResponse('One page of messages.', createPageSchema(MessageResponse)) },
    handle: async ({ gateway: { db }, caller, params, query, apiUrl }) => {
      const page = parsePositionPageRequest(query, Number.MAX_SAFE_INTEGER);
      const conversation = await requireConversation(db, caller, params.id);
      const rows = await listMessages(db, conversation, page, query.order);
      const { items, ...rest } = buildKeyPage(rows, page, ({ place }) => String(place));
      const shown = await refreshMessageSources(db, conversation.organizationId, items);
      return buildOkReply({ items: shown.map((row) => buildMessageResponse(apiUrl, row)), ...rest });
    },
  }),

  defineOperation({
    id: 'setFeedback',
    method: 'put',
    path: '/conversations/{id}/messages/{messageId}/feedback',
    tag: 'Conversations',
    summary: 'Rate an answer',
    description: 'Sets the feedback on an answer. It replaces earlier feedback on the same answer.',
    scopes: ['manage', 'query'],
    allowsOtherOrigins: true,
    params: { id: 'conversation', messageId: 'message' },
    body: describeJsonBody(SetFeedbackRequest, { unknownFields: 'refuse' }),
    responses: { 200: describeJsonResponse('The feedback.', createObjectSchema(MessageFeedback)) },
    handle: async ({ gateway: { db, clock }, caller, params, body }) => {
      const conversation = await requireConversation(db, caller, params.id);
      return buildOkReply(await setFeedback(db, { conversation, messageId: params.messageId }, body, clock()));
    },
  }),

  defineOperation({
    id: 'deleteFeedback',
    method: 'delete',
    path: '/conversations/{id}/messages/{messageId}/feedback',
    tag: 'Conversations',
    summary: 'Withdraw the feedback on an answer',
    description: 'Succeeds also if the answer has no feedback.',
    scopes: ['manage', 'query'],
    allowsOtherOrigins: true,
    params: { id: 'conversation', messageId: 'message' },
    responses: { 204: DELETED },
    handle: async ({ gateway: { db }, caller, params }) => {
      const conversation = await requireConversation(db, caller, params.id);
      await removeFeedback(db, { conversation, messageId: params.messageId });
      return buildEmptyReply();
    },
  }),
];
