/**
 * Formats server-sent events according to docs/interface.md#events. Framing: WHATWG HTML, section 9.2.
 *
 * What a stream cannot say: a line ends with a line feed, a carriage return or both, so an answer's line breaks all arrive as line
 * feeds; half a surrogate pair is no UTF-8 and arrives as U+FFFD. What clients that are out there cannot hear
 * (`@microsoft/fetch-event-source`, as of 2.0.1): empty lines at the beginning of data, and U+FEFF at the beginning of a line. So
 * no frame begins with a line break, an answer does not either, and U+FEFF, which says nothing, is left out.
 */

export const HEARTBEAT_FRAME = ': still here\n\n';
export const DONE_FRAME = 'data: [DONE]\n\n';

/** JSON text is cut into pieces of this many characters at most. */
const PIECE = 4_096;

/** Ends a stream that failed. Its data is one line. */
export function errorFrame(code: string, message: string): string {
  return `data: [ERROR] ${code}: ${message.toWellFormed().replaceAll(/\s+/g, ' ').trim()}\n\n`;
}

/** Frames the text of an answer, piece by piece. */
export interface AnswerFramer {
  /** @returns the frames of what can be framed by now; may be empty */
  frame(fragment: string): string;
  /** @returns what was held back */
  end(): string;
}

/**
 * What the next frame begins with: a line break belongs behind a character, so the last one waits for what comes after it. With it
 * wait a carriage return that may be half of a line break, and a surrogate that may be half of a pair.
 */
const HELD = /[^\r\n][\r\n]*$/u;
const LEADING_LINE_BREAKS = /^[\r\n]+/;

export function createAnswerFramer(): AnswerFramer {
  let held = '';
  return {
    frame: (fragment) => {
      const added = fragment.replaceAll('\uFEFF', '');
      const text = held === '' ? added.replace(LEADING_LINE_BREAKS, '') : held + added;
      held = HELD.exec(text)?.[0] ?? '';
      return frames('answer', text.slice(0, text.length - held.length));
    },
    end: () => {
      const rest = held;
      held = '';
      return frames('answer', rest);
    },
  };
}

/**
 * The whole response as JSON text, `%` written as an escape: some clients undo percent-encoding before they parse. So is U+FEFF,
 * which some leave out.
 */
export function* endpointResponseFrames(response: object): Generator<string> {
  const text = JSON.stringify(response).replaceAll('%', '\\u0025').replaceAll('\uFEFF', '\\ufeff');
  for (const piece of pieces(text)) yield frames('endpoint_response', piece);
}

function* pieces(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = start + PIECE;
    const cut = isInsidePair(text, end) ? end - 1 : end;
    yield text.slice(start, cut);
    start = cut;
  }
}

function isInsidePair(text: string, position: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(position - 1, position + 1));
}

/** Data that would read as the end of the stream: clients look at it before they look at the event's name. */
const LIKE_AN_END = /^\[(DONE|ERROR)\]/;

function frames(event: string, data: string): string {
  if (data === '') return '';
  if (LIKE_AN_END.test(data)) return frame(event, data.slice(0, 1)) + frame(event, data.slice(1));
  return frame(event, data);
}

function frame(event: string, data: string): string {
  const lines = data.toWellFormed().split(/\r\n|\r|\n/);
  return `event: ${event}\n${lines.map((line) => `data: ${line}\n`).join('')}\n`;
}
