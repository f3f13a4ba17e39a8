import type { Response } from 'express';

/** An answer that can be given again, word for word. */
export interface Answer {
  readonly status: 200 | 201;
  /** Such as `Location`. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly text: string;
}

/** What was made, and where it is, such as `/api/agents/…`. */
export function madeAt(location: string, body: object): Answer {
  return { status: 201, headers: { Location: location }, text: JSON.stringify(body) };
}

export function done(body: object): Answer {
  return { status: 200, headers: {}, text: JSON.stringify(body) };
}

export function sendAnswer(response: Response, { status, headers, text }: Answer): void {
  response.status(status).set(headers).type('json').send(text);
}
