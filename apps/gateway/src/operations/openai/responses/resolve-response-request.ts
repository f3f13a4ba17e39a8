import type { Caller } from '../../../access/caller.js';
import type { Gateway } from '../../../gateway.js';
import { openAiProblem } from '../protocol/error-body.js';
import { loadClientSearch } from './file-search.js';
import { buildGenerationSettings } from '../answers/generation.js';
import { buildPrompt } from '../answers/messages.js';
import { type ChatTarget, resolveModel } from '../answers/resolve-model.js';
import { loadContinuedConversation, readInputMessages } from './response-input.js';
import type { ResponseRequest } from './response-request.js';
import type { ResponseView } from './response-view.js';
import type { ClientQuestion } from '../answers/start-answer.js';

interface PreparedResponse {
  readonly question: ClientQuestion;
  readonly view: ResponseView;
}

interface ResponseCall {
  readonly caller: Caller;
  readonly apiUrl: string;
  readonly signal: AbortSignal;
}

/**
 * Loads the model, conversation, input and datastores to which a request refers.
 *
 * @throws Problem 404 if one of them does not exist for the caller, 400 for other invalid parameters
 */
export async function resolveResponseRequest(
  gateway: Gateway,
  body: ResponseRequest,
  { caller, apiUrl, signal }: ResponseCall,
): Promise<PreparedResponse> {
  const { db, limits } = gateway;
  const target = await resolveModel(gateway, caller, body.model, signal);
  if (target.kind === 'model') requireNoConversation(body);
  const isStored = target.kind === 'agent' && body.store !== false;
  const continued = await loadPreviousConversation(gateway, caller, target, body);
  const input = await readInputMessages(db, caller, body);
  const { instructions, tools: [tool] = [] } = body;
  const system = instructions === undefined ? [] : [{ role: 'system', text: instructions } as const];
  const { input: sent, ...request } = body;
  const questionPath = typeof sent === 'string' ? 'input' : `input.${sent.length - 1}.content`;
  const source = { path: 'input', questionPath, maxCharacters: limits.queryCharacters };
  const prompt = buildPrompt([...system, ...(continued?.messages ?? []), ...input], source);
  const question: ClientQuestion = {
    target,
    prompt,
    generation: buildGenerationSettings(body),
    search: await loadClientSearch(db, caller, tool),
    conversationId: isStored ? continued?.conversationId : undefined,
    visitorId: body.safety_identifier ?? body.user,
    isStored,
    response: { request, input, previousMessageId: continued?.previousMessageId ?? null },
  };
  return { question, view: { request, query: prompt.query, apiUrl, isStored } };
}

async function loadPreviousConversation({ db }: Gateway, caller: Caller, target: ChatTarget, body: ResponseRequest) {
  return target.kind === 'agent' ? loadContinuedConversation(db, caller, target.agent, body) : undefined;
}

/**
 * Refuses a request that stores or continues a conversation with a configured model, because conversations belong to
 * agents.
 *
 * @throws Problem 400
 */
function requireNoConversation(body: ResponseRequest): void {
  const names = ['previous_response_id', 'conversation', 'store'] as const;
  const name = names.find((one) => body[one] !== undefined && body[one] !== false);
  if (name === undefined) return;
  const message = 'needs an agent as model, because conversations belong to agents';
  throw openAiProblem('unsupported_value', `${name} ${message}.`, { errors: [{ path: name, message }] });
}
