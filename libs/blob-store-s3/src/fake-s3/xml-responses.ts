import type { ServerResponse } from 'node:http';

/** Sends an error response in the format of S3. */
export function respondWithError(response: ServerResponse, status: number, code: string): void {
  respondWithXml(response, status, `<Error><Code>${code}</Code><Message>${code} of the fake server</Message></Error>`);
}

export function respondWithXml(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
}
