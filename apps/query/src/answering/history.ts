import type { HistoryMessage } from '@quarry/contracts';
import type { ChatMessage } from '../models/chat-model.js';
import { estimateTokens } from './tokens.js';

/**
 * The newest messages that the budget holds, whole, oldest first. They begin with the user and take turns, as some providers
 * demand: messages of one side in a row become one.
 *
 * @param budget in tokens
 */
export function fitHistory(history: readonly HistoryMessage[], budget: number): ChatMessage[] {
  const said = history.filter(({ text }) => text.trim() !== '');
  const kept = said.slice(firstThatFits(said, budget));
  const start = kept.findIndex(({ role }) => role === 'user');
  return start === -1 ? [] : takingTurns(kept.slice(start));
}

function firstThatFits(messages: readonly HistoryMessage[], budget: number): number {
  let left = budget;
  let first = messages.length;
  for (const message of messages.toReversed()) {
    left -= estimateTokens(message.text);
    if (left < 0) break;
    first -= 1;
  }
  return first;
}

function takingTurns(messages: readonly HistoryMessage[]): ChatMessage[] {
  const turns: { role: ChatMessage['role']; text: string }[] = [];
  for (const { role, text } of messages) {
    const last = turns.at(-1);
    if (last?.role === role) last.text += `\n\n${text}`;
    else turns.push({ role, text });
  }
  return turns;
}
