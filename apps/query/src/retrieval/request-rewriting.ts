import type { Log } from '@quarry/service-kit';
import { type ChatModel, ModelFailed, type TokenUsage } from '../models/chat-model.js';

/** Holds the dependencies and the time limit for rewriting a question with a model. */
export interface Rewriting {
  readonly model: ChatModel;
  /** Maximum time until the model's reply is complete, in milliseconds; 0 disables rewriting. */
  readonly timeoutMs: number;
  readonly log: Log;
}

interface RewritingPrompt {
  readonly system: string;
  readonly prompt: string;
  /** Maximum number of tokens of the reply. */
  readonly maxTokens: number;
}

interface RewritingReply {
  readonly text: string;
  /** True if the reply reached its token limit, so that its end is missing. */
  readonly isTruncated: boolean;
  /** Token usage of the rewriting; undefined if the provider does not report it. */
  readonly usage: TokenUsage | undefined;
}

/**
 * Sends a model the prompt for rewriting a question, and returns the model's whole reply.
 *
 * @returns undefined if rewriting is disabled, and after a failure or timeout of the model, which is logged
 * @throws the signal's reason when it aborts
 */
export async function requestRewriting(
  { model, timeoutMs, log }: Rewriting,
  prompt: RewritingPrompt,
  signal: AbortSignal,
): Promise<RewritingReply | undefined> {
  if (timeoutMs === 0) return undefined;
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    return await readReply(model, prompt, AbortSignal.any([signal, limit]));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelFailed) && !limit.aborted) throw error;
    log.info(
      { err: error, model: model.name },
      'the question was not rewritten; the search uses the original question',
    );
    return undefined;
  }
}

async function readReply(
  model: ChatModel,
  { system, prompt, maxTokens }: RewritingPrompt,
  signal: AbortSignal,
): Promise<RewritingReply> {
  const messages = [{ role: 'user', text: prompt }] as const;
  let text = '';
  let isTruncated = false;
  let usage;
  for await (const piece of model.generate({ system, messages, settings: { temperature: 0, maxTokens }, signal })) {
    if ('usage' in piece) usage = piece.usage;
    else if ('text' in piece) text += piece.text;
    else isTruncated ||= piece.note === 'answer_truncated';
  }
  return { text: text.toWellFormed(), isTruncated, usage };
}
