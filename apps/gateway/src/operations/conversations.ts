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
import { operation } from '../http/operation.js';
import { noContent, ok } from '../http/reply.js';
import { jsonResponse, objectOf, pageOf, DELETED } from '../http/responses.js';
import { parsePageRequest, buildPage } from '../paging/pages.js';

/**
 * Lists the operations on conversations. A key with only the scope `query`, which web pages use, can read a conversation by id but
 * cannot list conversations.
 */
export const CONVERSATION_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'listConversations',
    method: 'get',
    path: '/conversations',
    tag: 'Conversations',
    summary: 'List conversations',
    description: 'Sorted by creation time, newest first.',
    scopes: ['manage'],
    query: ConversationListQuery,
    responses: { 200: jsonResponse('One page of conversations.', pageOf(ConversationResponse)) },
    problems: ['not_found'],
    handle: async ({ gateway: { db }, caller, query }) => {
      const { visitorId } = query;
      const agentId = query.agentId === undefined ? undefined : (await requireAgent(db, caller, query.agentId)).id;
      const page = parsePageRequest(query);
      const filter = { agentId, visitorId, accessibleAgentIds: caller.limits?.agentIds };
      const rows = await listConversations(db, caller.organizationId, filter, page);
      return ok(buildPage(rows, page, viewConversation));
    },
  }),

  operation({
    id: 'getConversation',
    method: 'get',
    path: '/conversations/{id}',
    tag: 'Conversations',
    summary: 'Get a conversation',
    scopes: ['manage', 'query'],
    params: { id: 'conversation' },
    responses: { 200: jsonResponse('The conversation.', objectOf(ConversationResponse)) },
    handle: async ({ gateway, caller, params }) =>
      ok(viewConversation(await requireConversation(gateway.db, caller, params.id))),
  }),

  operation({
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
      return noContent();
    },
  }),

  operation({
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
    responses: { 200: jsonResponse('One page of messages.', pageOf(MessageResponse)) },
    handle: async ({ gateway: { db }, caller, params, query }) => {
      const page = parsePageRequest(query);
      const conversation = await requireConversation(db, caller, params.id);
      const rows = await listMessages(db, conversation, page);
      return ok(buildPage(await hideRemovedTexts(db, conversation.organizationId, rows), page, viewMessage));
    },
  }),
];
