import { type Call, type Connection, sendRequest } from './connection.js';
import { requireEventStream } from './quarry-error.js';

/**
 * Sends a request for a stream of events, and returns the response, whose body is not read yet.
 *
 * @throws QuarryError `unexpected_answer` for other content, such as a web page of a proxy; the errors of `sendRequest`
 */
export async function openEventStream(connection: Connection, call: Call): Promise<Response> {
  const response = await sendRequest(connection, call);
  await requireEventStream(response, connection.baseUrl);
  return response;
}
