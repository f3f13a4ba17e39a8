import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, UsageMetadata } from '@langchain/core/messages';
import { ModelFailed, type ChatCall, type ChatModel, type ChatPiece, type ChatSettings } from './chat-model.js';
import { toModelFailed } from './langchain-failure.js';

/** Makes a client of one model. Settings are the client's own in LangChain, so there is one for each call. */
export type OpenClient = (settings: ChatSettings) => BaseChatModel;

/** By each provider's own word, a model that ended because of what it was asked or was about to say. */
const FILTERED = new Set([
  'content_filter',
  'refusal',
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
]);

/** A model of any provider that LangChain has a client for. */
export function langchainModel(name: string, openClient: OpenClient): ChatModel {
  return {
    name,
    generate: async function* (call) {
      const left = new AbortController();
      const signal = AbortSignal.any([call.signal, left.signal]);
      try {
        const stream = await openClient(call.settings).stream(toMessages(call), { signal });
        const leave = (): void => {
          left.abort();
        };
        yield* piecesOf(name, stream, { signal: call.signal, leave });
      } catch (error) {
        call.signal.throwIfAborted();
        throw toModelFailed(name, error);
      }
    },
  };
}

async function* piecesOf(
  name: string,
  chunks: Pick<AsyncIterator<AIMessageChunk, undefined>, 'next'>,
  request: { readonly signal: AbortSignal; readonly leave: () => void },
): AsyncGenerator<ChatPiece> {
  let spoke = false;
  let ended = 'without a reason';
  let promptTokens = 0;
  let completionTokens = 0;
  try {
    // Not for…of: a reader that leaves would have it wait for the provider's next word before the request can be ended.
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      const { value: chunk } = next;
      const usage = usageOf(chunk);
      promptTokens += usage.input_tokens;
      completionTokens += usage.output_tokens;
      ended = reasonOfEnd(chunk) ?? ended;
      if (chunk.text === '') continue;
      spoke = true;
      yield { text: chunk.text };
    }
  } finally {
    request.leave();
  }
  // A client that sees the signal between two pieces ends as if the answer were complete.
  request.signal.throwIfAborted();
  if (FILTERED.has(ended)) throw new ModelFailed('model_refused', `${name} stopped: ${ended}`);
  if (!spoke) throw new ModelFailed('model_refused', `${name} ended without any text: ${ended}`);
  if (promptTokens + completionTokens > 0) yield { usage: { promptTokens, completionTokens } };
}

function toMessages(call: ChatCall): ['system' | 'user' | 'assistant', string][] {
  const system: ['system', string][] = call.system === undefined ? [] : [['system', call.system]];
  return [...system, ...call.messages.map(({ role, text }): ['user' | 'assistant', string] => [role, text])];
}

/** Where the clients put it: OpenAI and Google with the response, Anthropic with the message. */
function reasonOfEnd(chunk: AIMessageChunk): string | undefined {
  const said: Readonly<Record<string, unknown>> = { ...chunk.additional_kwargs, ...chunk.response_metadata };
  const reason = said['finish_reason'] ?? said['finishReason'] ?? said['stop_reason'];
  return typeof reason === 'string' ? reason : undefined;
}

const NO_USAGE: UsageMetadata = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };

/** The clients give it in one piece or in parts that add up. LangChain's own type of a plain chunk has lost the field. */
function usageOf({ usage_metadata: usage }: { readonly usage_metadata?: UsageMetadata | undefined }): UsageMetadata {
  return usage ?? NO_USAGE;
}
