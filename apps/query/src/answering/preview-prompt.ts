import type { AnswerRequest, PromptPreviewResponse } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import type { QueryParts } from '../query-parts.js';
import { chooseModelOrThrow } from '../query-problems.js';
import { retrieveOrThrow } from '../retrieval/find-fragments.js';
import { createContextualQuestion } from '../retrieval/search-texts.js';
import { buildPrompt, createRelevanceCheck, limitSources, MODEL_SOURCES } from './generate-answer.js';
import { estimatePromptTokens } from './generate-reply.js';

const NOTHING_SENT: PromptPreviewResponse = {
  answeredBy: 'extractive',
  model: null,
  system: null,
  messages: [],
  sources: 0,
  promptTokens: 0,
  notes: [],
};

/**
 * Returns the prompt that `generateAnswer` sends for the same request, without calling the model. Unlike
 * `generateAnswer`, it does not rewrite the question for the search, because that would call the model.
 *
 * @throws Problem `model_not_configured`, `dependency_unavailable`, `overloaded`
 * @throws the signal's reason when the signal aborts
 */
export async function previewPrompt(
  parts: Omit<QueryParts, 'log'>,
  request: AnswerRequest,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<PromptPreviewResponse> {
  const model = await chooseModelOrThrow(parts.models, request);
  if (model === undefined) return NOTHING_SENT;
  const question = createContextualQuestion(request.query, request.history);
  const retrieval = { question, scope: request, topK: limitSources(request, MODEL_SOURCES) };
  const { fragments, notes } = await retrieveOrThrow({ ...parts, log }, retrieval, signal);
  const prompt = buildPrompt(parts, request, fragments.filter(createRelevanceCheck(request)));
  return {
    answeredBy: 'model',
    model: model.name,
    system: prompt.system ?? null,
    messages: prompt.messages,
    sources: prompt.sources.length,
    promptTokens: estimatePromptTokens(prompt),
    notes,
  };
}
