import { ConversationListQuery, ConversationResponse, MessageResponse, PageQuery } from '@quarry/contracts';
import { json, one, pageOf, REMOVED } from '../answers.js';
import type { Operation } from '../operation.js';

export const CONVERSATION_OPERATIONS: readonly Operation[] = [
  {
    id: 'listConversations',
    method: 'get',
    path: '/conversations',
    tag: 'Conversations',
    summary: 'List conversations',
    description: 'Newest first.',
    scopes: ['manage'],
    query: ConversationListQuery,
    answers: { 200: json('A part of the list.', pageOf(ConversationResponse)) },
    problems: ['not_found'],
  },
  {
    id: 'getConversation',
    method: 'get',
    path: '/conversations/{id}',
    tag: 'Conversations',
    summary: 'Show a conversation',
    scopes: ['manage', 'query'],
    answers: { 200: json('The conversation.', one(ConversationResponse)) },
  },
  {
    id: 'deleteConversation',
    method: 'delete',
    path: '/conversations/{id}',
    tag: 'Conversations',
    summary: 'Remove a conversation',
    description: 'With everything that was said in it.',
    scopes: ['manage'],
    answers: { 204: REMOVED },
  },
  {
    id: 'listMessages',
    method: 'get',
    path: '/conversations/{id}/messages',
    tag: 'Conversations',
    summary: 'List what was said in a conversation',
    description:
      'Oldest first: each question with its answer after it, in the order of the questions. A question that is being answered is not there yet.',
    scopes: ['manage', 'query'],
    query: PageQuery,
    answers: { 200: json('A part of the list.', pageOf(MessageResponse)) },
  },
];
