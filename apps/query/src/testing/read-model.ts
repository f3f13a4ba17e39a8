import type { ChatCall, ChatModel, TokenUsage } from '../models/chat-model.js';

/** A call with what a test does not care about filled in. */
export function chatCall(question: string, more: Partial<ChatCall> = {}): ChatCall {
  const messages = [{ role: 'user', text: question }] as const;
  return { system: 'Be brief.', messages, settings: {}, signal: new AbortController().signal, ...more };
}

/** Everything that a model says. */
export async function readModel(
  model: ChatModel,
  call: ChatCall,
): Promise<{ readonly texts: readonly string[]; readonly usage: TokenUsage | undefined }> {
  const texts: string[] = [];
  let usage: TokenUsage | undefined;
  for await (const piece of model.generate(call)) {
    if ('text' in piece) texts.push(piece.text);
    else usage = piece.usage;
  }
  return { texts, usage };
}
