import type { ServerResponse } from 'node:http';

/** Answers with an error as S3 writes it. */
export function refuse(response: ServerResponse, status: number, code: string): void {
  answerXml(response, status, `<Error><Code>${code}</Code><Message>${code} of the fake</Message></Error>`);
}

export function answerXml(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
}
