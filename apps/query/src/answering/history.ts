import type { HistoryMessage } from '@quarry/contracts';
import type { ChatMessage } from '../models/chat-model.js';
import { estimateTokens } from './tokens.js';

/**
 * Returns the newest complete messages that fit a token budget, oldest first. They start with a user message and alternate, as
 * some providers require. Consecutive messages of one role are merged.
 *
 * @param budget in tokens
 */
export function fitHistory(history: readonly HistoryMessage[], budget: number): ChatMessage[] {
  const messages = history.filter(({ text }) => text.trim() !== '');
  const newest = messages.slice(findFirstThatFits(messages, budget));
  const start = newest.findIndex(({ role }) => role === 'user');
  return start === -1 ? [] : mergeConsecutiveRoles(newest.slice(start));
}

function findFirstThatFits(messages: readonly HistoryMessage[], budget: number): number {
  let left = budget;
  let first = messages.length;
  for (const message of messages.toReversed()) {
    left -= estimateTokens(message.text);
    if (left < 0) break;
    first -= 1;
  }
  return first;
}

function mergeConsecutiveRoles(messages: readonly HistoryMessage[]): ChatMessage[] {
  const turns: { role: ChatMessage['role']; text: string }[] = [];
  for (const { role, text } of messages) {
    const last = turns.at(-1);
    if (last?.role === role) last.text += `\n\n${text}`;
    else turns.push({ role, text });
  }
  return turns;
}
