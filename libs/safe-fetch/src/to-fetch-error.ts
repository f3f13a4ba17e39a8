import { errors } from 'undici';
import { FetchFailed, FetchRefused, isFetchError, type FetchError } from './fetch-error.js';
import type { Limits } from './fetch-limits.js';

type Explanation = (limits: Limits) => FetchError;

const createLostConnectionError: Explanation = () =>
  new FetchFailed(
    'connection_lost',
    'expected a complete response, found that the connection was closed before the end of the response',
  );

const createNotHttpError: Explanation = () =>
  new FetchFailed('bad_response', 'expected an HTTP/1.1 response, found something else');

const BY_CODE: Readonly<Record<string, Explanation>> = {
  UND_ERR_HEADERS_TIMEOUT: ({ headersMs }) =>
    new FetchFailed('timeout', `expected all response headers within ${headersMs} ms, found incomplete headers`),
  UND_ERR_BODY_TIMEOUT: ({ idleMs }) =>
    new FetchFailed('timeout', `expected the body to continue within ${idleMs} ms, found that it stopped`),
  UND_ERR_HEADERS_OVERFLOW: ({ headerBytes }) =>
    new FetchRefused('too_large', `expected response headers of at most ${headerBytes} bytes, found more`),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: () =>
    new FetchFailed('bad_response', 'expected a body of the length in Content-Length, found another length'),
};

/** Converts an error of the HTTP driver, a socket or a stream to a FetchError. Returns a FetchError unchanged. */
export function toFetchError(error: unknown, limits: Limits): FetchError {
  if (isFetchError(error)) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const explain =
    BY_CODE[code] ?? (error instanceof errors.HTTPParserError ? createNotHttpError : createLostConnectionError);
  const explained = explain(limits);
  explained.cause = error;
  return explained;
}
