/**
 * Describes a server-sent event. `name` is `message` if the stream names no event type. Source: WHATWG HTML, section
 * 9.2.
 */
export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
  /** The id of this event, or else of the latest event before it that has an id. */
  readonly id: string | undefined;
}

/** Parses server-sent events from UTF-8 bytes in chunks of any size. Ignores an incomplete event at the end. */
export async function* parseServerSentEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let name = '';
  let id: string | undefined;
  let data: string[] = [];
  for await (const line of splitIntoLines(bytes)) {
    if (line === '') {
      if (data.length > 0) yield { name: name === '' ? 'message' : name, data: data.join('\n'), id };
      name = '';
      data = [];
      continue;
    }
    const { field, value } = parseEventField(line);
    if (field === 'event') name = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
  }
}

/**
 * Parses a line of an event stream into a field name and a value. The field name of a comment is empty, because a
 * comment starts with a colon.
 */
function parseEventField(line: string): { readonly field: string; readonly value: string } {
  const colon = line.indexOf(':');
  if (colon === -1) return { field: line, value: '' };
  return { field: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') };
}

/**
 * Splits UTF-8 text into lines. A line ends with a line feed, a carriage return or both. Ignores a last line without a
 * line ending.
 */
async function* splitIntoLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true });
    // A carriage return at the end of a chunk may be the first half of a CR LF pair.
    const end = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    const lines = rest.slice(0, end).split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? '') + rest.slice(end);
    yield* lines;
  }
  if (rest.endsWith('\r')) yield rest.slice(0, -1);
}
