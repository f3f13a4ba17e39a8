/** The body of a response, as `fetch` and undici return it. Leaving it early closes its connection. */
type Body = AsyncIterable<Uint8Array> | null;

/** Maximum size of the body of an error. The rest is not read. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Reads the body of an error as UTF-8: at most `maxBytes`. Cancels the rest, after as much as one chunk more from the network.
 */
export async function readErrorText(body: Body, maxBytes = MAX_ERROR_BYTES): Promise<string> {
  return (await readStart(body, maxBytes)).text;
}

/** Reads a whole body as UTF-8. @throws RangeError if it has more than `maxBytes`, of which the rest is cancelled */
export async function readLimitedText(body: Body, maxBytes: number): Promise<string> {
  const { text, isComplete } = await readStart(body, maxBytes);
  if (!isComplete) throw createTooLongError('a response', maxBytes);
  return text;
}

/**
 * Returns a response whose body fails with a RangeError after `maxBytes`, for clients that read the body themselves. The rest is
 * cancelled.
 */
export function limitBody(response: Response, maxBytes: number): Response {
  let left = maxBytes;
  return checkBody(response, (chunk) => {
    left -= chunk.length;
    if (left < 0) throw createTooLongError('a response', maxBytes);
  });
}

/** Returns a response whose body fails with the error that `check` throws for one of its chunks. The rest is cancelled. */
export function checkBody(response: Response, check: (chunk: Uint8Array) => void): Response {
  if (response.body === null) return response;
  const checked = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      check(chunk);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(checked), response);
}

/** Returns a response whose body is the beginning of an error's body, for clients that read the body themselves. */
export async function shortenError(response: Response): Promise<Response> {
  // A status without a body, such as 304, must not get one.
  if (response.body === null) return response;
  return new Response(await readErrorText(response.body), response);
}

/** Creates the error of a body that is too long. @param found such as `a response` */
export function createTooLongError(found: string, maxBytes: number): RangeError {
  return new RangeError(`expected ${found} of at most ${maxBytes} bytes, found a longer one`);
}

interface Start {
  readonly text: string;
  readonly isComplete: boolean;
}

async function readStart(body: Body, maxBytes: number): Promise<Start> {
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
