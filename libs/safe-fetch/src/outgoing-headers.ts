import { validateHeaderName, validateHeaderValue } from 'node:http';
import { FetchRefused } from './fetch-error.js';

export type HeaderFields = Readonly<Record<string, string>>;

/** The headers of one request. The secret ones are for the origin that the caller named, and for no other. */
export interface OutgoingHeaders {
  readonly open: HeaderFields;
  readonly secret: HeaderFields;
}

/** Headers that this client writes itself, or that would change how the connection is used. */
const OURS: ReadonlySet<string> = new Set(
  'accept-encoding connection content-length expect host http2-settings keep-alive proxy-connection te trailer transfer-encoding upgrade user-agent'.split(
    ' ',
  ),
);

/** Secret whether or not the caller says so. */
const ALWAYS_SECRET: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * Sorts a caller's headers into open and secret ones, names in lower case.
 *
 * @throws FetchRefused `header_not_allowed`
 */
export function outgoingHeaders(open: HeaderFields = {}, secret: HeaderFields = {}): OutgoingHeaders {
  const fields = checked(open);
  const isSecret = ([name]: readonly [string, string]): boolean => ALWAYS_SECRET.has(name);
  return {
    open: Object.fromEntries(fields.filter((field) => !isSecret(field))),
    secret: Object.fromEntries([...fields.filter(isSecret), ...checked(secret)]),
  };
}

export const withoutSecrets = ({ open }: OutgoingHeaders): OutgoingHeaders => ({ open, secret: {} });

export const hasSecrets = ({ secret }: OutgoingHeaders): boolean => Object.keys(secret).length > 0;

/** Drops what describes a body, for a redirect that drops the body. */
export const withoutBodyHeaders = ({ open, secret }: OutgoingHeaders): OutgoingHeaders => ({
  open: Object.fromEntries(Object.entries(open).filter(([name]) => !name.startsWith('content-'))),
  secret,
});

function checked(fields: HeaderFields): [string, string][] {
  return Object.entries(fields).map(([given, value]) => {
    const name = given.toLowerCase();
    if (OURS.has(name)) {
      throw new FetchRefused('header_not_allowed', `expected no header '${name}': this client writes it itself`);
    }
    checkSyntax(name, value);
    return [name, value];
  });
}

// The value is not repeated in the message: it may be a secret.
function checkSyntax(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (cause) {
    throw new FetchRefused('header_not_allowed', `expected a name and a value that HTTP allows in header '${name}'`, {
      cause,
    });
  }
}
