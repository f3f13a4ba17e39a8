import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/** Asks one address over connections that are kept: what a client costs itself is not to be measured. */
export function postTo(url: string, apiKey: string): (body: object) => Promise<unknown> {
  const agent = new Agent({ keepAlive: true });
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  return async (body) => {
    const request = httpRequest(url, { method: 'POST', agent, headers });
    request.end(JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const answer = await json(response);
    if (response.statusCode !== 200) throw new Error(`200 was expected, found ${JSON.stringify(answer)}`);
    return answer;
  };
}
