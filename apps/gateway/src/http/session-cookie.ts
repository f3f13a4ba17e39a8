import type { Request } from 'express';

/** The name of the cookie with the token of a session. */
export const SESSION_COOKIE = 'quarry_session';
/**
 * The name of the cookie over HTTPS. With this prefix, browsers refuse a cookie that a plain-HTTP page sets (RFC
 * 6265bis, section 4.1.3.1).
 */
const SECURE_COOKIE = `__Secure-${SESSION_COOKIE}`;

const TOKEN = /^[\w-]{43}$/;

/**
 * Reads the token of a session from the cookies of a request. Over HTTPS, ignores a cookie that was set over plain
 * HTTP.
 */
export function readSessionToken(request: Request): string | undefined {
  const cookies = parseCookies(request.get('cookie') ?? '');
  const findCookie = (name: string): string | undefined => cookies.find((cookie) => cookie.name === name)?.value;
  const token = findCookie(SECURE_COOKIE) ?? (request.secure ? undefined : findCookie(SESSION_COOKIE));
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Parses the header `Cookie` (RFC 6265, section 5.4). Browsers send the cookie with the longest path first. */
function parseCookies(header: string): readonly { readonly name: string; readonly value: string }[] {
  return header.split(';').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name: name.trim(), value: value.join('=').trim() };
  });
}

/**
 * Returns true if the browser sends the request over HTTPS. A proxy that terminates TLS need not be trusted for this,
 * because browsers send the scheme in `Origin`.
 */
export function isSentOverHttps(request: Request): boolean {
  return request.secure || (request.get('origin') ?? '').startsWith('https://');
}

/**
 * Builds the header `Set-Cookie` of a new session. The header has no `Path`, so the browser limits the cookie to the
 * folder of the request, which is the API (RFC 6265, section 5.1.4). This also works below a path prefix that only a
 * proxy has. The prefix `__Host-` would need the path `/`, which other services on the host share.
 */
export function buildSessionCookie(token: string, maxAgeSeconds: number, isSecure: boolean): string {
  const attributes = `Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
  return isSecure ? `${SECURE_COOKIE}=${token}; ${attributes}; Secure` : `${SESSION_COOKIE}=${token}; ${attributes}`;
}

/** Builds the header `Set-Cookie` that removes the cookie of a session. */
export function buildExpiredSessionCookie(isSecure: boolean): string {
  return buildSessionCookie('', 0, isSecure);
}
