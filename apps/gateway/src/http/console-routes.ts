import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { ConsoleFiles } from './console-files.js';

/**
 * Serves the console at the root: the files of the console, and its page for all addresses that browsers open. Mount it
 * after the APIs.
 *
 * @param files undefined if the console is not built; then a short page states this
 */
export function createConsoleRoutes(files: ConsoleFiles | undefined): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      next();
      return;
    }
    const file = request.path.slice(1);
    if (files?.paths.has(file) === true) sendConsoleFile(files, file, { request, response, next });
    else if (isBrowserPageRequest(request)) sendConsolePage(files, request, response);
    else next();
  };
}

/** Matches the paths of the service at which no page of the console can be opened. */
const SERVICE_PATHS = /^\/(api|v1|internal|health|metrics|docs|openapi\.json|assets)(\/|$)/;

/**
 * Returns true if a browser opens a page of the console. Returns false for a client that does not name `text/html` in
 * `Accept`, so that programs receive problems as JSON.
 */
function isBrowserPageRequest(request: Request): boolean {
  return !SERVICE_PATHS.test(request.path) && (request.get('accept') ?? '').includes('text/html');
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly next: NextFunction;
}

/** The encodings of the compressed copies of the console's files. The encoding with the smallest copies is first. */
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

/** The names of the response headers that are set for a file of the console. */
const FILE_HEADERS = ['Cache-Control', 'Content-Encoding', 'Content-Type', 'Vary'] as const;

function sendConsoleFile({ folder, paths }: ConsoleFiles, file: string, { request, response, next }: Exchange): void {
  // The names of these files contain a hash of their content.
  const isHashed = file.startsWith('assets/');
  setSecurityHeaders(response);
  response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.setHeader('Vary', 'Accept-Encoding');
  response.type(file.slice(file.lastIndexOf('.')));
  const accepted = ENCODINGS.filter(({ name, ending }) => paths.has(file + ending) && request.acceptsEncodings(name));
  const [encoding] = accepted;
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding.name);
  response.sendFile(file + (encoding?.ending ?? ''), { root: folder, cacheControl: false }, (error?: Error) => {
    if (error === undefined || response.headersSent) return;
    // A new build has removed the file. No cache may store the 404 response.
    for (const name of FILE_HEADERS) response.removeHeader(name);
    next();
  });
}

function sendConsolePage(files: ConsoleFiles | undefined, request: Request, response: Response): void {
  setSecurityHeaders(response);
  response.setHeader('Cache-Control', 'no-cache');
  if (files === undefined) {
    response.status(503).type('text/html').send(NOT_BUILT_PAGE);
    return;
  }
  response
    .type('text/html')
    .send(files.page.replace('<base href="./" />', `<base href="${getRelativeBasePath(request.path)}" />`));
}

/**
 * Returns the address of the console relative to a path, such as `../` for `/datastores/d1`. A relative address is also
 * correct behind a proxy that removes a path prefix.
 */
function getRelativeBasePath(path: string): string {
  const depth = path.split('/').length - 2;
  return depth <= 0 ? './' : '../'.repeat(depth);
}

function setSecurityHeaders(response: Response): void {
  response.setHeader('Content-Security-Policy', CONSOLE_POLICY);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()');
}

/**
 * The Content-Security-Policy of the console. It allows no inline scripts or styles, and no request to another origin.
 */
const CONSOLE_POLICY = [
  "default-src 'self'",
  "img-src 'self' blob: data:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_BUILT_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Quarry</title>
  </head>
  <body>
    <h1>The console is not built</h1>
    <p>Quarry is running, and its API is available below <code>/api</code>. Build the console with <code>npm start</code>.</p>
    <p><a href="/docs">API reference</a></p>
  </body>
</html>
`;
