import type { ChatCall, ChatModel, ChatPiece } from '../models/chat-model.js';

/** Script step that yields nothing, and throws the signal's reason when the call's signal aborts. */
export const SILENCE = { isSilent: true } as const;

/** Describes one step of a model call's script: a text or piece to yield, an error to throw, or `SILENCE`. */
export type Line = string | ChatPiece | Error | typeof SILENCE;

export interface ScriptedModel extends ChatModel {
  readonly calls: readonly ChatCall[];
}

/** Creates a model whose nth call follows the nth script. Calls after the last script repeat the last script. */
export function createScriptedModel(...scripts: readonly (readonly Line[])[]): ScriptedModel {
  const calls: ChatCall[] = [];
  return {
    name: 'test/scripted',
    calls,
    generate: async function* (call) {
      calls.push(call);
      for (const line of scripts[calls.length - 1] ?? scripts.at(-1) ?? []) {
        call.signal.throwIfAborted();
        if (line instanceof Error) throw line;
        if (line === SILENCE) await rejectOnAbort(call.signal);
        else if (typeof line === 'string') yield { text: line };
        else if (!('isSilent' in line)) yield line;
      }
    },
  };
}

async function rejectOnAbort(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve);
    if (signal.aborted) resolve(undefined);
  });
  throw signal.reason;
}
