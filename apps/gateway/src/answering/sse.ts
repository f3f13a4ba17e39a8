/**
 * Formats server-sent events according to docs/interface.md#events. Framing: WHATWG HTML, section 9.2.
 *
 * Server-sent events cannot represent every text. A line ends with a line feed, a carriage return or both, so all line breaks of
 * an answer arrive as line feeds. Half of a surrogate pair is not valid UTF-8 and arrives as U+FFFD.
 *
 * Deployed clients (`@microsoft/fetch-event-source` 2.0.1) also drop empty lines at the beginning of data, and U+FEFF at the
 * beginning of a line. Therefore no frame and no answer begins with a line break, and U+FEFF, which has no meaning in a text, is
 * removed.
 */

export const HEARTBEAT_FRAME = ': still here\n\n';
export const DONE_FRAME = 'data: [DONE]\n\n';

/** Maximum number of characters of the JSON text in one frame. */
const PIECE_CHARACTERS = 4_096;

/** Formats the end of a failed stream. Its data is one line. */
export function errorFrame(code: string, message: string): string {
  return `data: [ERROR] ${code}: ${message.toWellFormed().replaceAll(/\s+/g, ' ').trim()}\n\n`;
}

/** Formats the text of an answer as frames, fragment by fragment. */
export interface AnswerFramer {
  /** Returns the frames of the text that can be sent so far. May be empty. */
  frame(fragment: string): string;
  /** Returns the frames of the remaining text. */
  end(): string;
}

/**
 * Matches the end of the text, which is held back. The last character is held back because the next frame must not begin with a
 * line break, a carriage return because it may be half of a line break, and a surrogate because it may be half of a pair.
 */
const HELD_BACK = /[^\r\n][\r\n]*$/u;
const LEADING_LINE_BREAKS = /^[\r\n]+/;

export function createAnswerFramer(): AnswerFramer {
  let heldBack = '';
  return {
    frame: (fragment) => {
      const added = fragment.replaceAll('\uFEFF', '');
      const text = heldBack === '' ? added.replace(LEADING_LINE_BREAKS, '') : heldBack + added;
      heldBack = HELD_BACK.exec(text)?.[0] ?? '';
      return formatFrames('answer', text.slice(0, text.length - heldBack.length));
    },
    end: () => {
      const remaining = heldBack;
      heldBack = '';
      return formatFrames('answer', remaining);
    },
  };
}

/**
 * Formats the response as JSON text. Escapes `%`, because some clients decode percent-encoding before they parse, and U+FEFF,
 * which some clients drop.
 */
export function* endpointResponseFrames(response: object): Generator<string> {
  const text = JSON.stringify(response).replaceAll('%', '\\u0025').replaceAll('\uFEFF', '\\ufeff');
  for (const piece of splitIntoPieces(text)) yield formatFrames('endpoint_response', piece);
}

function* splitIntoPieces(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = start + PIECE_CHARACTERS;
    const cut = isInsidePair(text, end) ? end - 1 : end;
    yield text.slice(start, cut);
    start = cut;
  }
}

function isInsidePair(text: string, position: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(position - 1, position + 1));
}

/** Matches data that clients would take for the end of the stream, because they check the data before the name of the event. */
const LOOKS_LIKE_END = /^\[(DONE|ERROR)\]/;

function formatFrames(event: string, data: string): string {
  if (data === '') return '';
  if (LOOKS_LIKE_END.test(data)) return formatFrame(event, data.slice(0, 1)) + formatFrame(event, data.slice(1));
  return formatFrame(event, data);
}

function formatFrame(event: string, data: string): string {
  const lines = data.toWellFormed().split(/\r\n|\r|\n/);
  return `event: ${event}\n${lines.map((line) => `data: ${line}\n`).join('')}\n`;
}

/** A stream of server-sent events to a client. */
export interface EventStream {
  /** Resolves when the client can receive more. After the client has disconnected, frames are dropped. */
  write(frames: string): Promise<void>;
  end(): void;
}
