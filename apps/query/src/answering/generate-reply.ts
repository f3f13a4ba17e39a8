import type { AnswerNote, AnswerUsage, GenerationSettings } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';
import { CitationMarks } from '@quarry/text-analysis/citation-marks';
import type { ChatModel, ChatSettings } from '../models/chat-model.js';
import type { Prompt } from './build-prompt.js';
import { estimateTokens } from './tokens.js';

export interface ReplySettings {
  readonly generation: GenerationSettings;
  /** True if the text keeps the citation marks of the model, such as `[1]`. */
  readonly citationMarks: boolean;
}

/** Yields the model's answer to a prompt. If the provider does not report the token usage, it is estimated. */
export async function* generateReply(
  model: ChatModel,
  prompt: Prompt,
  { generation, citationMarks }: ReplySettings,
  signal: AbortSignal,
): Reply {
  const marks = new CitationMarks(prompt.sources.length, { keep: citationMarks });
  const text = new WellFormedText();
  let answer = '';
  const notes: AnswerNote[] = [];
  let usage;
  for await (const piece of model.generate({ ...prompt, settings: toChatSettings(generation), signal })) {
    if ('usage' in piece) usage = piece.usage;
    else if ('note' in piece) notes.push(piece.note);
    else {
      answer += piece.text;
      yield text.pushText(marks.pushText(piece.text));
    }
  }
  yield text.pushText(marks.endText()) + text.endText();
  yield {
    answeredBy: 'model',
    sources: prompt.sources,
    cited: new Set([...marks.citedNumbers].map((number) => number - 1)),
    usage: usage ?? { promptTokens: estimatePromptTokens(prompt), completionTokens: estimateTokens(answer) },
    notes,
  };
}

function toChatSettings(generation: GenerationSettings): ChatSettings {
  const { temperature, maxTokens, topP, presencePenalty, frequencyPenalty } = generation;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(topP === undefined ? {} : { topP }),
    ...(presencePenalty === undefined ? {} : { presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { frequencyPenalty }),
  };
}

/**
 * Estimates the number of tokens of a prompt. Does not count the source texts again, but uses the token counts that
 * `buildKnowledgeBlock` has computed for them.
 */
export function estimatePromptTokens({ system, messages, knowledge }: Prompt): number {
  const parts = [system ?? '', ...messages.map(({ text }) => text)].join('\n').split(knowledge.text);
  return estimateTokens(parts.join(knowledge.frame)) + (parts.length - 1) * knowledge.omittedTokens;
}

/** Describes a complete answer, without its text. */
export interface ReplyEnd {
  readonly answeredBy: 'model' | 'extractive';
  /** Sources that the answer could use, best first. */
  readonly sources: readonly ScoredFragment[];
  /** Zero-based indexes of the sources that the text cites. */
  readonly cited: ReadonlySet<number>;
  readonly usage: AnswerUsage;
  /** Deviations of the model from the request, such as a truncated answer. */
  readonly notes: readonly AnswerNote[];
}

/** Yields the text of an answer in pieces, and then the description of the complete answer. */
export type Reply = AsyncGenerator<string | ReplyEnd, void>;

export const NO_USAGE: AnswerUsage = { promptTokens: 0, completionTokens: 0 };

const PIECE = /\s+\S{0,20}|\S{1,20}/gu;

/** Splits a complete text into pieces of about one word. */
export function splitIntoPieces(text: string): string[] {
  return text.match(PIECE) ?? [];
}

const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;
const LEADING_LINE_BREAKS = /^[\r\n]+/;

/**
 * Converts streamed text into text that every client can receive. Joins surrogate pairs that were split between pieces
 * and replaces unpaired surrogates with U+FFFD. Removes leading line breaks and U+FEFF, which some stream clients drop.
 */
export class WellFormedText {
  #buffer = '';
  #hasStarted = false;

  pushText(text: string): string {
    const all = this.#trimLeadingBreaks(this.#buffer + text.replaceAll('\uFEFF', ''));
    this.#buffer = HIGH_SURROGATE_AT_END.exec(all)?.[0] ?? '';
    return all.slice(0, all.length - this.#buffer.length).toWellFormed();
  }

  /** Ends the text. @returns the text that was still buffered. `pushText` must not be called afterwards */
  endText(): string {
    return this.#buffer.toWellFormed();
  }

  #trimLeadingBreaks(text: string): string {
    if (this.#hasStarted) return text;
    const trimmed = text.replace(LEADING_LINE_BREAKS, '');
    this.#hasStarted = trimmed !== '';
    return trimmed;
  }
}
