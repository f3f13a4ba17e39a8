/**
 * Server-sent events as the interface specification, "Events", has them. Framing: WHATWG HTML, section 9.2.
 *
 * In a stream a line ends with a line feed, a carriage return or both, so the three cannot be told apart by whoever reads it: an
 * answer's line breaks all arrive as line feeds. Half a surrogate pair cannot be written as UTF-8 and arrives as U+FFFD.
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

/** What only the next piece can tell: whether a carriage return is half of a line break, and a surrogate half of a pair. */
const UNDECIDED = /[\r\uD800-\uDBFF]$/;

export function createAnswerFramer(): AnswerFramer {
  let held = '';
  return {
    frame: (fragment) => {
      const text = held + fragment;
      held = UNDECIDED.exec(text)?.[0] ?? '';
      return frames('answer', text.slice(0, text.length - held.length));
    },
    end: () => {
      const rest = held;
      held = '';
      return frames('answer', rest);
    },
  };
}

/** The whole response as JSON text, `%` written as an escape: some clients undo percent-encoding before they parse. */
export function* endpointResponseFrames(response: object): Generator<string> {
  const text = JSON.stringify(response).replaceAll('%', '\\u0025');
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
