import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** What is asked for, and by which mark a frame of the answer's text is known. */
export interface Source {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly mark: string;
}

/** When the parts of one stream came, in milliseconds. */
export interface StreamTimes {
  /** From the request to the first text. */
  readonly firstMs: number;
  /** From the first text to the last. */
  readonly restMs: number;
}

/**
 * So many streams at once, each begun anew when it ends, `rounds` times. Their beginnings lie evenly in the time that one takes, as
 * those of people do who do not know of each other.
 */
export async function runStreams(
  source: Source,
  { atOnce, rounds, lastsMs }: { readonly atOnce: number; readonly rounds: number; readonly lastsMs: number },
): Promise<readonly StreamTimes[]> {
  const askers = Array.from({ length: atOnce }, async (_, number) => {
    await wait((number / atOnce) * lastsMs);
    const times: StreamTimes[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await runStream(source));
    return times;
  });
  return (await Promise.all(askers)).flat();
}

async function runStream({ url, headers, body, mark }: Source): Promise<StreamTimes> {
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
    throw new Error(`a whole stream was expected from ${url}, found ${text.slice(-300)}`);
  return { firstMs: first - begun, restMs: last - first };
}
