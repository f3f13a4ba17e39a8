/** The names of the events whose data clients of Chaindesk's API pass to `decodeURIComponent`. */
const ENCODED_EVENTS: ReadonlySet<string> = new Set(['answer', 'endpoint_response']);

/**
 * Encodes the data of the events `answer` and `endpoint_response` for `decodeURIComponent`. The data lines of an event
 * are joined to one line.
 *
 * @param frames complete server-sent events; each ends with an empty line
 */
export function percentEncodeFrames(frames: string): string {
  return frames
    .split('\n\n')
    .map((frame) => (ENCODED_EVENTS.has(listFieldValues(frame, 'event')[0] ?? '') ? percentEncodeFrame(frame) : frame))
    .join('\n\n');
}

function percentEncodeFrame(frame: string): string {
  const others = frame.split('\n').filter((line) => !line.startsWith('data:'));
  return [...others, `data: ${encodeURIComponent(listFieldValues(frame, 'data').join('\n'))}`].join('\n');
}

/** Returns the values of the lines `<name>: <value>` of a server-sent event, without the space after the colon. */
function listFieldValues(frame: string, name: string): readonly string[] {
  const lines = frame.split('\n').filter((line) => line.startsWith(`${name}:`));
  return lines.map((line) => line.slice(name.length + 1).replace(/^ /, ''));
}
