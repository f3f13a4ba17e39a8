/**
 * The body of a response, as `fetch` and undici return it. Ending the iteration before the end of the body closes the
 * connection.
 */
type Body = AsyncIterable<Uint8Array> | null;

/** Maximum number of bytes that are read from the body of an error response. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Reads at most `maxBytes` of the body of an error response as UTF-8, and cancels the rest of the body. */
export async function readErrorText(body: Body, maxBytes = MAX_ERROR_BYTES): Promise<string> {
  return (await readTextStart(body, maxBytes)).text;
}

/**
 * Reads a whole body as UTF-8. @throws RangeError if the body has more than `maxBytes`; then also cancels the rest of
 * the body
 */
export async function readLimitedText(body: Body, maxBytes: number): Promise<string> {
  const { text, isComplete } = await readTextStart(body, maxBytes);
  if (!isComplete) throw createTooLongError('a response', maxBytes);
  return text;
}

/**
 * Returns a copy of a response with a limited body: if the body has more than `maxBytes` bytes, reading the body fails
 * with a RangeError, and the original body is cancelled. For client libraries that read the body themselves.
 */
export function limitBodySize(response: Response, maxBytes: number): Response {
  let left = maxBytes;
  return checkBodyChunks(response, (chunk) => {
    left -= chunk.length;
    if (left < 0) throw createTooLongError('a response', maxBytes);
  });
}

/**
 * Returns a copy of a response that passes each chunk of the body to `check`. If `check` throws an error, reading the
 * body fails with this error, and the original body is cancelled.
 */
export function checkBodyChunks(response: Response, check: (chunk: Uint8Array) => void): Response {
  if (response.body === null) return response;
  const checked = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      check(chunk);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(checked), response);
}

/**
 * Returns an error response whose body is truncated to `MAX_ERROR_BYTES`. For client libraries that read the body
 * themselves.
 */
export async function shortenErrorBody(response: Response): Promise<Response> {
  // A response without a body, such as one with status 304, must not receive a body.
  if (response.body === null) return response;
  return new Response(await readErrorText(response.body), response);
}

/**
 * Creates the error for data of more than `maxBytes` bytes.
 *
 * @param found names the data, with an article, such as `a response`
 */
export function createTooLongError(found: string, maxBytes: number): RangeError {
  return new RangeError(`expected ${found} of at most ${maxBytes} bytes, found a longer one`);
}

interface TextStart {
  readonly text: string;
  readonly isComplete: boolean;
}

async function readTextStart(body: Body, maxBytes: number): Promise<TextStart> {
  const decoder = new TextDecoder();
  let text = '';
  let left = maxBytes;
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    left -= chunk.length;
    if (left < 0) return { text, isComplete: false };
  }
  return { text: text + decoder.decode(), isComplete: true };
}
