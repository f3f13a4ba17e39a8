import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, UsageMetadata } from '@langchain/core/messages';
import { ModelFailed, type ChatCall, type ChatModel, type ChatPiece, type ChatSettings } from './chat-model.js';
import { blockReasonOf, endingOf, finishReasonOf } from './finish-reason.js';
import { toModelFailed } from './langchain-failure.js';

/** Makes a client of one model. Settings are the client's own in LangChain, so there is one for each call. */
export type OpenClient = (settings: ChatSettings) => BaseChatModel;

/** What has been received of an answer. */
interface Received {
  hasText: boolean;
  finishReason: string | undefined;
  /** Why the provider refused the prompt. */
  blockReason: string | undefined;
  promptTokens: number;
  completionTokens: number;
}

/** Returns a model of any provider that LangChain has a client for. */
export function langchainModel(name: string, openClient: OpenClient): ChatModel {
  return {
    name,
    generate: async function* (call) {
      const readerLeft = new AbortController();
      const signal = AbortSignal.any([call.signal, readerLeft.signal]);
      const received: Received = {
        ...{ hasText: false, finishReason: undefined, blockReason: undefined },
        ...{ promptTokens: 0, completionTokens: 0 },
      };
      const handleCustomEvent = (_: string, event: unknown): void => {
        received.blockReason ??= blockReasonOf(event);
      };
      try {
        call.signal.throwIfAborted();
        const options = { signal, callbacks: [{ handleCustomEvent, awaitHandlers: true }] };
        const chunks = await openClient(call.settings).stream(toMessages(call), options);
        yield* textsOf(chunks, received, () => {
          readerLeft.abort();
        });
        yield* endOf(name, received);
      } catch (error) {
        call.signal.throwIfAborted();
        const failure = toModelFailed(name, error);
        throw received.hasText ? toInterrupted(failure) : failure;
      }
    },
  };
}

async function* textsOf(
  chunks: Pick<AsyncIterator<AIMessageChunk, undefined>, 'next'>,
  received: Received,
  leave: () => void,
): AsyncGenerator<ChatPiece> {
  try {
    // Not for…of: a reader that leaves would have it wait for the provider's next word before the request can be ended.
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      const { value: chunk } = next;
      const usage = usageOf(chunk);
      received.promptTokens += usage.input_tokens;
      received.completionTokens += usage.output_tokens;
      received.finishReason = finishReasonOf(chunk) ?? received.finishReason;
      if (chunk.text === '') continue;
      received.hasText = true;
      yield { text: chunk.text };
    }
  } finally {
    leave();
  }
}

/** @throws ModelFailed unless the model ended the answer itself or at its token limit */
function* endOf(name: string, received: Received): Generator<ChatPiece> {
  const { hasText, finishReason, blockReason, promptTokens, completionTokens } = received;
  const ending = blockReason === undefined ? endingOf(finishReason) : 'refused';
  const reason = finishReason ?? blockReason ?? 'no finish reason';
  if (ending === 'refused') throw new ModelFailed('model_refused', `${name} stopped: ${reason}`);
  if (!hasText) {
    const again = ending === 'interrupted';
    throw new ModelFailed('model_invalid_response', `${name} ended without any text: ${reason}`, { again });
  }
  if (ending === 'interrupted') throw new ModelFailed('model_interrupted', `${name} stopped in the middle: ${reason}`);
  if (ending === 'truncated') yield { note: 'answer_truncated' };
  if (promptTokens + completionTokens > 0) yield { usage: { promptTokens, completionTokens } };
}

/** Whatever ends an answer that has begun, a refusal excepted, leaves half an answer. */
function toInterrupted(failure: ModelFailed): ModelFailed {
  if (failure.code === 'model_refused' || failure.code === 'model_interrupted') return failure;
  return new ModelFailed('model_interrupted', failure.message, { cause: failure });
}

function toMessages(call: ChatCall): ['system' | 'user' | 'assistant', string][] {
  const system: ['system', string][] = call.system === undefined ? [] : [['system', call.system]];
  return [...system, ...call.messages.map(({ role, text }): ['user' | 'assistant', string] => [role, text])];
}

const NO_USAGE: UsageMetadata = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };

/** The clients give it in one piece or in parts that add up. LangChain's own type of a plain chunk has lost the field. */
function usageOf({ usage_metadata: usage }: { readonly usage_metadata?: UsageMetadata | undefined }): UsageMetadata {
  return usage ?? NO_USAGE;
}
