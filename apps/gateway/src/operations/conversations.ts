import { ConversationListQuery, ConversationResponse, MessageResponse, PageQuery } from '@quarry/contracts';
import { requireAgent } from '../agents/agent-repository.js';
import {
  listConversations,
  listMessages,
  removeConversation,
  requireConversation,
} from '../conversations/conversation-repository.js';
import { viewConversation, viewMessage, hideRemovedTexts } from '../conversations/conversation-view.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildEmptyReply, buildOkReply } from '../http/reply.js';
import { describeJsonResponse, createObjectSchema, createPageSchema, DELETED } from '../http/responses.js';
import { parsePageRequest, buildPage } from '../paging/pages.js';

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
    description: 'Sorted by creation time, newest first.',
    scopes: ['manage'],
    query: ConversationListQuery,
    responses: { 200: describeJsonResponse('One page of conversations.', createPageSchema(ConversationResponse)) },
    problems: ['not_found'],
    handle: async ({ gateway: { db }, caller, query }) => {
      const { visitorId } = query;
      const agentId = query.agentId === undefined ? undefined : (await requireAgent(db, caller, query.agentId)).id;
      const page = parsePageRequest(query);
      const filter = { agentId, visitorId, accessibleAgentIds: caller.limits?.agentIds };
      const rows = await listConversations(db, caller.organizationId, filter, page);
      return buildOkReply(buildPage(rows, page, viewConversation));
    },
  }),

  defineOperation({
    id: 'getConversation',
    method: 'get',
    path: '/conversations/{id}',
    tag: 'Conversations',
    summary: 'Get a conversation',
    scopes: ['manage', 'query'],
    params: { id: 'conversation' },
    responses: { 200: describeJsonResponse('The conversation.', createObjectSchema(ConversationResponse)) },
    handle: async ({ gateway, caller, params }) =>
      buildOkReply(viewConversation(await requireConversation(gateway.db, caller, params.id))),
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
      'Sorted by question, oldest first; each question is followed by its answer. A question is included when its answer is finished.',
    scopes: ['manage', 'query'],
    params: { id: 'conversation' },
    query: PageQuery,
    responses: { 200: describeJsonResponse('One page of messages.', createPageSchema(MessageResponse)) },
    handle: async ({ gateway: { db }, caller, params, query }) => {
      const page = parsePageRequest(query);
      const conversation = await requireConversation(db, caller, params.id);
      const rows = await listMessages(db, conversation, page);
      return buildOkReply(buildPage(await hideRemovedTexts(db, conversation.organizationId, rows), page, viewMessage));
    },
  }),
];
