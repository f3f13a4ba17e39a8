import type { AnswerNote } from '@quarry/contracts';
import type { ChatCall, ChatModel, TokenUsage } from '../models/chat-model.js';

/** Creates a model call with this question and default settings. */
export function createChatCall(question: string, more: Partial<ChatCall> = {}): ChatCall {
  const messages = [{ role: 'user', text: question }] as const;
  return { system: 'Be brief.', messages, settings: {}, signal: new AbortController().signal, ...more };
}

/** Calls a model and collects all texts, notes and the usage that it yields. */
export async function readModel(
  model: ChatModel,
  call: ChatCall,
): Promise<{
  readonly texts: readonly string[];
  readonly usage: TokenUsage | undefined;
  readonly notes: readonly AnswerNote[];
}> {
  const texts: string[] = [];
  const notes: AnswerNote[] = [];
  let usage: TokenUsage | undefined;
  for await (const piece of model.generate(call)) {
    if ('text' in piece) texts.push(piece.text);
    else if ('usage' in piece) usage = piece.usage;
    else notes.push(piece.note);
  }
  return { texts, usage, notes };
}
