import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Gateway } from './start-plain-proxy.js';

export type Form = 'whole' | 'streamed';

/** The text that shows that an answer of the simulated provider is complete, keyed by the form of the answer. */
const ENDS: Readonly<Record<Form, string>> = { whole: '"finish_reason":"stop"', streamed: 'data: [DONE]' };

/**
 * Creates a function that sends a question over persistent connections. The function resolves at the end of the answer.
 */
export function createQuestionSender(
  { baseUrl, apiKey, model }: Pick<Gateway, 'baseUrl' | 'apiKey' | 'model'>,
  form: Form,
): (question: string) => Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  return async (content) => {
    const request = httpRequest(`${baseUrl}/chat/completions`, { method: 'POST', agent, headers });
    request.end(JSON.stringify({ model, stream: form === 'streamed', messages: [{ role: 'user', content }] }));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const answer = await text(response);
    if (response.statusCode !== 200 || !answer.includes(ENDS[form]))
      throw new Error(
        `expected a complete answer from ${baseUrl}, found an answer that ends with: ${answer.slice(-300)}`,
      );
  };
}
