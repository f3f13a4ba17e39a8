import { ConversationListQuery, PageQuery } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import { requireAgent } from '../agents/require-agent.js';
import { listConversations, removeConversation } from '../conversations/conversation-repository.js';
import { viewConversation, viewMessage, withoutRemovedTexts } from '../conversations/conversation-view.js';
import { listMessages } from '../conversations/list-messages.js';
import { requireConversation } from '../conversations/require-conversation.js';
import type { Gateway } from '../gateway.js';
import { pageOf, pageRequest } from '../http/pages.js';
import { pathId } from '../http/path-id.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf } from '../keys/caller.js';

/**
 * `/conversations`: list, show, read, remove. A key that may only ask reads a conversation whose id it was given, and lists none:
 * pages in browsers hold such keys.
 */
export function conversationRoutes({ db }: Gateway): Router {
  const routes = Router();

  routes.get('/conversations', requireScope('manage'), async (request, response) => {
    const caller = callerOf(response);
    const query = parse(ConversationListQuery, request.query, 'refuse');
    const { visitorId } = query;
    const agentId = query.agentId === undefined ? undefined : (await requireAgent(db, caller, query.agentId)).id;
    const page = pageRequest(query);
    const filter = { agentId, visitorId, onlyOf: caller.limits?.agentIds };
    const rows = await listConversations(db, caller.organizationId, filter, page);
    response.json(pageOf(rows, page, viewConversation));
  });

  routes.get('/conversations/:id', requireScope('manage', 'query'), async (request, response) => {
    const conversation = await requireConversation(db, callerOf(response), pathId(request, 'conversation'));
    response.json(viewConversation(conversation));
  });

  routes.get('/conversations/:id/messages', requireScope('manage', 'query'), async (request, response) => {
    const page = pageRequest(parse(PageQuery, request.query, 'refuse'));
    const conversation = await requireConversation(db, callerOf(response), pathId(request, 'conversation'));
    const rows = await listMessages(db, conversation, page);
    response.json(pageOf(await withoutRemovedTexts(db, conversation.organizationId, rows), page, viewMessage));
  });

  routes.delete('/conversations/:id', requireScope('manage'), async (request, response) => {
    const conversation = await requireConversation(db, callerOf(response), pathId(request, 'conversation'));
    await removeConversation(db, conversation.organizationId, conversation.id);
    response.status(204).end();
  });

  return routes;
}
