import type { AnswerNote, GenerationSettings } from '@quarry/contracts';
import type { ChatModel, ChatSettings } from '../models/chat-model.js';
import { CitationMarks } from './citation-marks.js';
import type { Prompt } from './prompt.js';
import type { Reply } from './model-reply.js';
import { estimateTokens } from './tokens.js';
import { WellFormedText } from './well-formed-text.js';

export interface ReplySettings {
  readonly generation: GenerationSettings;
  /** Keeps the citation marks of the model in the text. */
  readonly citationMarks: boolean;
}

/** Yields the model's answer to a prompt. Usage is estimated if the provider does not report it. */
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
      yield text.push(marks.push(piece.text));
    }
  }
  yield text.push(marks.end()) + text.end();
  return {
    answeredBy: 'model',
    sources: prompt.sources,
    cited: new Set([...marks.cited].map((number) => number - 1)),
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

function estimatePromptTokens({ system, messages }: Prompt): number {
  return estimateTokens([system ?? '', ...messages.map(({ text }) => text)].join('\n'));
}
