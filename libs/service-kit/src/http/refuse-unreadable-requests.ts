import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { basicProblem, buildProblemBody, type Problem } from './problem.js';

/** Describes the error with which Node's HTTP parser rejects a request. */
interface ParserError extends Error {
  readonly code?: string;
}

/**
 * Closes the connection of a request that cannot be read to its end: invalid HTTP, too large headers, or headers or a
 * body that arrive too slowly. Before that, responds with a problem, unless a response has begun or the client has
 * disconnected.
 *
 * @returns a function to call for a request whose body arrives too slowly
 */
export function refuseUnreadableRequests(server: Server): (request: IncomingMessage, response: ServerResponse) => void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answering.set(request.socket, response);
  });
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    const response = answering.get(socket);
    const isAnswered = response !== undefined && response.headersSent && !response.writableFinished;
    if (!socket.writable || isAnswered || error.code === 'ECONNRESET') socket.destroy();
    else socket.end(buildRawHttpResponse(createParserProblem(error), getRequestId(response)), () => socket.destroy());
  });
  return ({ socket }, response) => {
    if (response.headersSent || !socket.writable) socket.destroy();
    else socket.end(buildRawHttpResponse(createSlowBodyProblem(), getRequestId(response)), () => socket.destroy());
  };
}

function createSlowBodyProblem(): Problem {
  return basicProblem('request_timeout', 'The body arrived too slowly. Send it again over a faster connection.');
}

function createParserProblem({ code, message }: ParserError): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return basicProblem('request_timeout', 'The request did not arrive in time. Send it again.');
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return basicProblem('headers_too_large', `The headers must have at most ${maxHeaderSize} bytes, found more.`);
  }
  return basicProblem('malformed_request', `The request is not HTTP: ${message}.`);
}

/** Returns the request id in the headers of a response, or a new id if there is none. */
function getRequestId(response: ServerResponse | undefined): string {
  const id = response?.getHeader('x-request-id');
  return typeof id === 'string' ? id : randomUUID();
}

/**
 * Builds a whole HTTP response as text to write to the socket, because Node's parser may not have created a response
 * object.
 */
function buildRawHttpResponse(problem: Problem, id: string): string {
  const { status } = problem.kind;
  const body = JSON.stringify(buildProblemBody(problem, id));
  const headers = {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': id,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}
