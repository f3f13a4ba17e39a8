import { validateHeaderName, validateHeaderValue } from 'node:http';
import { FetchRefused } from './fetch-error.js';

export type HeaderFields = Readonly<Record<string, string>>;

/**
 * Holds the headers of a request. `secret` headers are sent only to the origin of the requested URL, not after a
 * redirect to another origin.
 */
export interface OutgoingHeaders {
  readonly open: HeaderFields;
  readonly secret: HeaderFields;
}

/**
 * Lists the headers that callers must not set: the client sets them itself, or they would change how the client uses
 * the connection.
 */
const CLIENT_HEADERS: ReadonlySet<string> = new Set(
  'accept-encoding connection content-length expect host http2-settings keep-alive proxy-connection te trailer transfer-encoding upgrade user-agent'.split(
    ' ',
  ),
);

/** Lists headers that are secret even if the caller does not declare them as secret. */
const ALWAYS_SECRET: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * Validates headers, and converts their names to lower case. Moves the headers in `ALWAYS_SECRET` from `open` to
 * `secret`.
 *
 * @throws FetchRefused `header_not_allowed`
 */
export function buildOutgoingHeaders(open: HeaderFields = {}, secret: HeaderFields = {}): OutgoingHeaders {
  const fields = validateHeaderFields(open);
  const isSecretHeader = ([name]: readonly [string, string]): boolean => ALWAYS_SECRET.has(name);
  return {
    open: Object.fromEntries(fields.filter((field) => !isSecretHeader(field))),
    secret: Object.fromEntries([...fields.filter(isSecretHeader), ...validateHeaderFields(secret)]),
  };
}

export const removeSecretHeaders = ({ open }: OutgoingHeaders): OutgoingHeaders => ({ open, secret: {} });

export const hasSecretHeaders = ({ secret }: OutgoingHeaders): boolean => Object.keys(secret).length > 0;

/** Removes the headers that describe a body, for a redirect to a request without a body. */
export const removeBodyHeaders = ({ open, secret }: OutgoingHeaders): OutgoingHeaders => ({
  open: Object.fromEntries(Object.entries(open).filter(([name]) => !name.startsWith('content-'))),
  secret,
});

/** Returns the validated headers, with names in lower case. @throws FetchRefused `header_not_allowed` */
function validateHeaderFields(fields: HeaderFields): [string, string][] {
  return Object.entries(fields).map(([given, value]) => {
    const name = given.toLowerCase();
    if (CLIENT_HEADERS.has(name)) {
      throw new FetchRefused(
        'header_not_allowed',
        `expected no header '${name}', because the client sets it or forbids it`,
      );
    }
    validateHeaderSyntax(name, value);
    return [name, value];
  });
}

// The error message must not contain the value, which may be a secret.
function validateHeaderSyntax(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (cause) {
    throw new FetchRefused('header_not_allowed', `expected a name and a value that HTTP allows in header '${name}'`, {
      cause,
    });
  }
}
