import { replaceUnstorableCharacters } from '@quarry/queue';

/**
 * Formats answers as the server-sent events that docs/interface.md#events documents. The framing follows WHATWG HTML,
 * section 9.2.
 *
 * Server-sent events cannot represent every text. A line ends with a line feed, a carriage return or both, so all line
 * breaks of an answer arrive as line feeds. Half of a surrogate pair cannot be encoded in UTF-8 and arrives as U+FFFD.
 *
 * Deployed clients (`@microsoft/fetch-event-source` 2.0.1) also drop empty lines at the beginning of data, and U+FEFF
 * at the beginning of a line. Therefore no frame and no answer begins with a line break, and U+FEFF, which has no
 * meaning in a text, is removed.
 */

/** The frame of a heartbeat: a comment that keeps the connection open and that clients ignore. */
export const HEARTBEAT_FRAME = ': still here\n\n';
/** The last frame of a stream whose answer is complete. */
export const DONE_FRAME = 'data: [DONE]\n\n';

/**
 * Maximum number of characters of JSON text per frame. The JSON text of a longer response is sent in several frames.
 */
const MAX_PIECE_CHARACTERS = 4_096;

/** Formats the last frame of a stream whose answer failed. Whitespace in the message becomes single spaces. */
export function formatErrorFrame(code: string, message: string): string {
  return `data: [ERROR] ${code}: ${message.toWellFormed().replaceAll(/\s+/g, ' ').trim()}\n\n`;
}

/** Formats the text of an answer as server-sent events, piece by piece. */
export interface AnswerFramer {
  /**
   * Appends a piece of text. Returns frames with the text that can be sent now, or an empty string. The last characters
   * remain for the next call, see `PENDING_END`.
   */
  frame(piece: string): string;
  /** Returns a frame with the remaining text after the last piece, or an empty string. */
  end(): string;
}

/**
 * Matches the last character of a text and the line breaks after it. They are sent with the next piece of text, because
 * no frame may begin with a line break. The next piece may also complete a line break (CR LF) or a surrogate pair.
 */
const PENDING_END = /[^\r\n][\r\n]*$/u;
const LEADING_LINE_BREAKS = /^[\r\n]+/;

/** Creates a framer for the text of one answer. */
export function createAnswerFramer(): AnswerFramer {
  const text = createAnswerText();
  return {
    frame: (piece) => formatEventFrames('answer', text.add(piece)),
    end: () => formatEventFrames('answer', text.end()),
  };
}

/** Divides the text of an answer into pieces that can begin a frame. */
export interface AnswerText {
  /** Appends a piece of text. Returns the text that can be sent now. The last characters remain for the next call. */
  add(piece: string): string;
  /** Returns the remaining text after the last piece, or an empty string. */
  end(): string;
}

/** Creates an empty answer text, to which the pieces of one answer are added. */
export function createAnswerText(): AnswerText {
  let pendingText = '';
  return {
    add: (piece) => {
      const added = piece.replaceAll('\uFEFF', '');
      const text = pendingText === '' ? added.replace(LEADING_LINE_BREAKS, '') : pendingText + added;
      pendingText = PENDING_END.exec(text)?.[0] ?? '';
      return text.slice(0, text.length - pendingText.length);
    },
    end: () => {
      const remaining = pendingText;
      pendingText = '';
      return remaining;
    },
  };
}

/**
 * Replaces characters of an answer that the database cannot store or that clients cannot receive: NUL, halves of
 * surrogate pairs, and carriage returns.
 */
export function cleanAnswerText(text: string): string {
  return replaceUnstorableCharacters(text).replaceAll(/\r\n?/g, '\n');
}

/**
 * Formats a complete response as JSON text in frames of limited size. Escapes `%`, because some clients decode
 * percent-encoding before they parse the JSON, and U+FEFF, which some clients drop.
 */
export function* formatResponseFrames(response: object): Generator<string> {
  const text = JSON.stringify(response).replaceAll('%', '\\u0025').replaceAll('\uFEFF', '\\ufeff');
  for (const piece of splitResponseText(text)) yield formatEventFrames('endpoint_response', piece);
}

/** Splits a JSON text into pieces that fit into one frame each. Never splits a surrogate pair. */
function* splitResponseText(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = start + MAX_PIECE_CHARACTERS;
    const cut = isInsideSurrogatePair(text, end) ? end - 1 : end;
    yield text.slice(start, cut);
    start = cut;
  }
}

function isInsideSurrogatePair(text: string, position: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(position - 1, position + 1));
}

/**
 * Matches data that clients would mistake for the end of the stream, because clients check the data and ignore the
 * event name.
 */
const LOOKS_LIKE_END = /^\[(DONE|ERROR)\]/;

/** Formats data as one frame, or as two frames if clients would mistake the data for the end of the stream. */
function formatEventFrames(event: string, data: string): string {
  if (data === '') return '';
  if (LOOKS_LIKE_END.test(data)) return formatFrame(event, data.slice(0, 1)) + formatFrame(event, data.slice(1));
  return formatFrame(event, data);
}

/**
 * Formats a piece of the text of a resumable answer. The id of each frame is the number of UTF-16 code units of the
 * answer up to the end of the frame.
 *
 * @param position the position of the piece in the text of the answer, in UTF-16 code units
 */
export function formatNumberedFrames(text: string, position: number): string {
  if (text === '') return '';
  const first = LOOKS_LIKE_END.test(text) ? text.slice(0, 1) : '';
  const start = position + first.length;
  const frame = `id: ${position + text.length}\n${formatFrame('answer', text.slice(first.length))}`;
  return first === '' ? frame : `id: ${start}\n${formatFrame('answer', first)}${frame}`;
}

function formatFrame(event: string, data: string): string {
  const lines = data.toWellFormed().split(/\r\n|\r|\n/);
  return `event: ${event}\n${lines.map((line) => `data: ${line}\n`).join('')}\n`;
}

/** Sends server-sent events to a client. */
export interface EventStream {
  /** Sends frames. Resolves when the client can receive more. If the client has disconnected, discards the frames. */
  write(frames: string): Promise<void>;
  end(): void;
  /** Aborts when the connection to the client is closed. */
  readonly closed: AbortSignal;
}
