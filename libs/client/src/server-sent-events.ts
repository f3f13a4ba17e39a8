/** WHATWG HTML, section 9.2. `name` is `message` where the stream gives none. */
export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
}

/** The events of a stream of UTF-8 bytes, however they were cut on the way. An event that is not complete at the end is none. */
export async function* eventsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let name = '';
  let data: string[] = [];
  for await (const line of linesOf(bytes)) {
    if (line === '') {
      if (data.length > 0) yield { name: name === '' ? 'message' : name, data: data.join('\n') };
      name = '';
      data = [];
      continue;
    }
    const { field, value } = fieldOf(line);
    if (field === 'event') name = value;
    else if (field === 'data') data.push(value);
  }
}

/** A line that starts with a colon is a comment: a field without a name. */
function fieldOf(line: string): { readonly field: string; readonly value: string } {
  const colon = line.indexOf(':');
  if (colon === -1) return { field: line, value: '' };
  return { field: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') };
}

/** A line ends with a line feed, a carriage return or both; what no line break ends is left out. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true });
    // What may be half of a line break waits for the other half.
    const end = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    const lines = rest.slice(0, end).split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? '') + rest.slice(end);
    yield* lines;
  }
  if (rest.endsWith('\r')) yield rest.slice(0, -1);
}
