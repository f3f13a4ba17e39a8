import { AgentQueryRequest } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router, type Response } from 'express';
import { requireAgent } from '../agents/require-agent.js';
import { answerRequest } from '../answering/answer-request.js';
import { answerByKey } from '../answering/answer-by-key.js';
import { sendAnswer } from '../answering/send-answer.js';
import { streamAnswer } from '../answering/stream-answer.js';
import { openTurn } from '../conversations/open-turn.js';
import { findSearchTargets } from '../datastores/search-target.js';
import { requireKnownFilters } from '../datastores/require-known-filters.js';
import type { Gateway } from '../gateway.js';
import { abortedByLeaving } from '../http/aborted-by-leaving.js';
import { requireQuestion } from '../http/invalid.js';
import { jsonBody } from '../http/json-body.js';
import { pathId } from '../http/path-id.js';
import { readClaim } from '../idempotency/claim.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf } from '../keys/caller.js';
import { withReservation } from '../usage/with-reservation.js';

/** When `systemPrompt` and `userPrompt` took the place of the deprecated fields, as RFC 9745 writes a moment. */
const DEPRECATED_SINCE = '@1735689600';

/** `POST /agents/{id}/query`. Source: interface specification, endpoint 1. */
export function queryAgentRoutes(gateway: Gateway): Router {
  const { db, limits, clock, queryService, answers } = gateway;
  const routes = Router();
  const path = '/agents/:id/query';
  routes.post(path, requireScope('query'), jsonBody(limits.bodyBytes), async (request, response) => {
    await answers.run(async (ending) => {
      const claim = readClaim(request, response, request.body);
      // Who names its request comes again for the answer when the connection breaks, so the answer is finished.
      const signal = claim === undefined ? abortedByLeaving(response, ending) : ending.signal;
      const caller = callerOf(response);
      const body = parse(AgentQueryRequest, request.body, 'ignore');
      requireQuestion(body.query, limits.queryCharacters);
      requireKnownFilters(request.body);
      const agent = await requireAgent(db, caller, pathId(request, 'agent'));
      const datastores = await findSearchTargets(db, caller.organizationId, agent.datastoreIds);
      warnOfDeprecated(body, response);
      signal.throwIfAborted();
      await answerByKey(gateway, { claim, isStreamed: body.streaming === true }, response, async (keep) => {
        const { organizationId } = caller;
        const askedAt = clock();
        const reservation = { organizationId, kind: 'agentQueries', askedAt } as const;
        const { turn, events } = await withReservation(gateway, response, reservation, async () => {
          const opened = await openTurn(db, organizationId, agent.id, body, askedAt);
          const request = answerRequest(agent, datastores, body, opened.history);
          return { turn: opened.turn, events: await queryService.answer(request, signal) };
        });
        const give = body.streaming === true ? streamAnswer : sendAnswer;
        await give(gateway, response, { turn, events, signal, keep });
      });
    });
  });
  return routes;
}

function warnOfDeprecated(body: AgentQueryRequest, response: Response): void {
  const deprecated: readonly unknown[] = [body.promptType, body.promptTemplate];
  if (deprecated.some((field) => field !== undefined && field !== null))
    response.setHeader('Deprecation', DEPRECATED_SINCE);
}
