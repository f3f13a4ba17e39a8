import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, UsageMetadata } from '@langchain/core/messages';
import type { ChatCall, ChatSettings } from './chat-model.js';
import { getProperty } from './get-property.js';
import type { OpenResponse, ResponsePart } from './provider-model.js';

/** Opens a LangChain client for one call of a model. Settings are fixed per client, so each call opens a new client. */
type OpenClient = (settings: ChatSettings) => BaseChatModel;

/**
 * Returns a function that sends each call to the provider with a new LangChain client.
 *
 * @param options.isUsageCumulative true if the number of answer tokens in a chunk includes those of earlier chunks
 */
export function sendWithLangchain(
  openClient: OpenClient,
  { isUsageCumulative = false }: { readonly isUsageCumulative?: boolean } = {},
): OpenResponse {
  return async function* (call) {
    let countedTokens = 0;
    let blockReason: string | undefined;
    const handleCustomEvent = (_: string, event: unknown): void => {
      blockReason ??= findBlockReason(event);
    };
    const options = { signal: call.signal, callbacks: [{ handleCustomEvent, awaitHandlers: true }] };
    for await (const chunk of await openClient(call.settings).stream(toMessages(call), options)) {
      const part = toResponsePart(chunk, isUsageCumulative ? countedTokens : 0);
      countedTokens += part.completionTokens ?? 0;
      yield part;
    }
    yield { blockReason };
    return undefined;
  };
}

function toMessages(call: ChatCall): ['system' | 'user' | 'assistant', string][] {
  const system: ['system', string][] = call.system === undefined ? [] : [['system', call.system]];
  return [...system, ...call.messages.map(({ role, text }): ['user' | 'assistant', string] => [role, text])];
}

/** Converts a chunk. @param countedTokens answer tokens that the chunk repeats, because earlier chunks contained them */
function toResponsePart(chunk: AIMessageChunk, countedTokens: number): ResponsePart {
  const { input_tokens: promptTokens, output_tokens: outputTokens } = readUsage(chunk);
  const completionTokens = Math.max(0, outputTokens - countedTokens);
  return { text: chunk.text, promptTokens, completionTokens, finishReason: findFinishReason(chunk) };
}

const NO_USAGE: UsageMetadata = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };

/**
 * Returns the token usage of a chunk, or zeros. The parameter has its own type, because LangChain's type of a plain
 * chunk lacks `usage_metadata`.
 */
function readUsage({ usage_metadata: usage }: { readonly usage_metadata?: UsageMetadata | undefined }): UsageMetadata {
  return usage ?? NO_USAGE;
}

/** Finds the finish reason of a chunk. Its field depends on the provider. */
function findFinishReason(chunk: AIMessageChunk): string | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...chunk.additional_kwargs, ...chunk.response_metadata };
  const { stop_reason: anthropic, finishReason: google } = fields;
  // Google's own reasons are in capitals; LangChain adds `stop` to a chunk that it could not parse.
  return [anthropic, google === 'stop' ? undefined : google].find((reason) => typeof reason === 'string');
}

/**
 * Finds the reason for which Google blocked a prompt, in an event of LangChain's callbacks. LangChain's stream omits
 * this reason.
 */
function findBlockReason(event: unknown): string | undefined {
  const reason = getProperty(getProperty(getProperty(event, 'chunk'), 'promptFeedback'), 'blockReason');
  return typeof reason === 'string' ? reason : undefined;
}
