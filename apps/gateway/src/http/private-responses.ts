import type { RequestHandler } from 'express';

/**
 * Default headers of every response below `/api`. An operation replaces them if browsers may store or display its
 * response.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  // A response that a browser renders loads nothing, runs no script, and is not framed.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  // Pages of other origins cannot embed a response. CORS is not affected.
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** Sets the default headers of responses with customer data. Only the client of the request may read such data. */
export const setPrivateHeaders: RequestHandler = (_request, response, next) => {
  response.set(HEADERS);
  next();
};
