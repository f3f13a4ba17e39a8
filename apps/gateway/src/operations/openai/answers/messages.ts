import type { HistoryMessage } from '@quarry/contracts';
import { createFieldProblem } from '../../../checks/field-problem.js';
import { requireMaxCharacters } from '../../../checks/require-max-characters.js';
import type { InputMessage } from '../../../database/tables/conversations.js';

/** Contains the parts of a prompt that a client sends: instructions, earlier messages and a question. */
export interface ClientPrompt {
  /** The system and developer messages. Undefined: the client sends no such message. */
  readonly systemPrompt: string | undefined;
  /** The messages before the question, oldest first. */
  readonly history: readonly HistoryMessage[];
  /** The question: the text of the user messages after the last message of the assistant. */
  readonly query: string;
}

/** The types of text parts of a message, in OpenAI's chat completions and responses. */
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);
const ROLES: readonly InputMessage['role'][] = ['system', 'developer', 'user', 'assistant'];
const ITEM_FIELDS: ReadonlySet<string> = new Set(['role', 'content', 'name', 'type', 'id', 'status', 'phase']);
/** Fields of an earlier answer that the client sends back in an assistant message. The fields have no effect. */
const ANSWER_FIELDS: ReadonlySet<string> = new Set(['annotations', 'refusal', 'audio', 'reasoning_content', 'sources']);

/** Names the fields of a request from which a prompt is built, and the maximum length of the question. */
interface PromptSource {
  /** The field that contains the messages, such as `messages`. */
  readonly path: string;
  /** The field that contains the text of the last message. */
  readonly questionPath: string;
  readonly maxCharacters: number;
}

/**
 * Builds a prompt from messages. The consecutive user messages at the end are joined to one question.
 *
 * @throws Problem 400 that names the invalid field
 */
export function buildPrompt(
  messages: readonly InputMessage[],
  { path, questionPath, maxCharacters }: PromptSource,
): ClientPrompt {
  const system = messages.flatMap((message) => (isHistoryMessage(message) ? [] : [message.text]));
  const talk = messages.filter(isHistoryMessage);
  const start = talk.findLastIndex(({ role }) => role === 'assistant') + 1;
  const asked = talk.slice(start).map(({ text }) => text);
  if (asked.length === 0)
    throw createFieldProblem(
      path,
      `must end with a message of the role user, found ${talk.length === 0 ? 'none' : 'the role assistant'}`,
    );
  return {
    systemPrompt: system.length === 0 ? undefined : system.join('\n\n'),
    history: talk.slice(0, start),
    query: requireQuestionText(questionPath, asked.join('\n\n'), maxCharacters),
  };
}

function isHistoryMessage(message: InputMessage): message is HistoryMessage {
  return message.role === 'user' || message.role === 'assistant';
}

/** Returns the text of a question unchanged. @throws Problem 400 for a text that is blank or too long */
function requireQuestionText(path: string, text: string, maxCharacters: number): string {
  if (text.trim() === '') throw createFieldProblem(path, 'must contain text, found only spaces');
  requireMaxCharacters(path, text, maxCharacters);
  return text;
}

/**
 * Reads a message of a request.
 *
 * @param path the field with the message
 * @throws Problem 400 that names the invalid field
 */
export function readMessage(path: string, value: unknown): InputMessage {
  if (!isRecord(value))
    throw createFieldProblem(path, 'must be a message, which is an object with role and content, found no object');
  const type = value['type'] ?? 'message';
  if (type !== 'message') throw createFieldProblem(`${path}.type`, `must be "message", found ${JSON.stringify(type)}`);
  const role = readRole(`${path}.role`, value['role']);
  for (const [name, field] of Object.entries(value)) {
    const isIgnored = field === null || ITEM_FIELDS.has(name) || (role === 'assistant' && ANSWER_FIELDS.has(name));
    if (!isIgnored) throw createFieldProblem(`${path}.${name}`, 'is not supported; remove it');
  }
  return { role, text: readContent(`${path}.content`, value['content'], role) };
}

/** Reads the role of a message. @param path the field with the role @throws Problem 400 for an unknown role */
function readRole(path: string, found: unknown): InputMessage['role'] {
  const known = ROLES.find((role) => role === found);
  if (known !== undefined) return known;
  throw createFieldProblem(
    path,
    `must be system, developer, user or assistant, found ${JSON.stringify(found ?? null)}`,
  );
}

/** Reads the text of a message. A message of the assistant may have no text. */
function readContent(path: string, content: unknown, role: InputMessage['role']): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((part, at) => readTextPart(`${path}.${at}`, part)).join('');
  if (role === 'assistant' && (content === null || content === undefined)) return '';
  throw createFieldProblem(path, `must be a text or a list of text parts, found ${typeof content}`);
}

/** Returns the text of a content part. @param path the field with the part @throws Problem 400 for other content */
function readTextPart(path: string, part: unknown): string {
  if (!isRecord(part))
    throw createFieldProblem(path, 'must be a text part, which is an object with type and text, found no object');
  if (!TEXT_PARTS.has(part['type']))
    throw createFieldProblem(
      `${path}.type`,
      `must be the type of a text part, such as "text", found ${JSON.stringify(part['type'] ?? null)}`,
    );
  if (typeof part['text'] !== 'string')
    throw createFieldProblem(`${path}.text`, `must be a text, found ${typeof part['text']}`);
  return part['text'];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
