import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** Describes a request for a streamed answer. `mark` is a text that only events with answer text contain. */
export interface Source {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly mark: string;
}

/** Holds the durations of one streamed answer, in milliseconds. */
export interface StreamTimes {
  /** Milliseconds from the request to the first text. */
  readonly firstMs: number;
  /** Milliseconds from the first text to the last. */
  readonly restMs: number;
}

/**
 * Simulates `concurrency` users in parallel, each of which streams `rounds` answers one after the other. The first
 * requests of the users are spread evenly over `streamMs`, the duration of one stream.
 */
export async function runParallelStreams(
  source: Source,
  {
    concurrency,
    rounds,
    streamMs,
  }: { readonly concurrency: number; readonly rounds: number; readonly streamMs: number },
): Promise<readonly StreamTimes[]> {
  const users = Array.from({ length: concurrency }, async (_, number) => {
    await wait((number / concurrency) * streamMs);
    const times: StreamTimes[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await measureStream(source));
    return times;
  });
  return (await Promise.all(users)).flat();
}

async function measureStream({ url, headers, body, mark }: Source): Promise<StreamTimes> {
  const begun = performance.now();
  const request = httpRequest(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    agent: false,
  });
  request.end(JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let first: number | undefined;
  let last = begun;
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk);
    if (!String(chunk).includes(mark)) continue;
    last = performance.now();
    first ??= last;
  }
  if (first === undefined || !text.trimEnd().endsWith('data: [DONE]'))
    throw new Error(`expected a complete stream from ${url}, found a stream that ends with: ${text.slice(-300)}`);
  return { firstMs: first - begun, restMs: last - first };
}
