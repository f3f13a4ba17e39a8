import type { Response } from 'supertest';
import { expect } from 'vitest';

/** Sends a valid body in which one field has the given value. */
export type Sender = (field: string, value: unknown) => PromiseLike<Response>;

/** Fails unless each of the values is accepted. */
export async function expectAccepted(send: Sender, field: string, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    const response = await send(field, value);
    expect([value, response.status, response.status < 300 ? '' : response.text]).toEqual([value, response.status, '']);
  }
}

/** Fails unless each of the values is refused with a 400 that contains the field and the value. */
export async function expectRefused(send: Sender, field: string, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    const response = await send(field, value);
    const { errors = [] } = response.body as { errors?: { path: string; message: string }[] }; // otherwise the next expectation fails
    const named = errors.filter(({ path }) => path === field || path.startsWith(`${field}.`));
    expect([value, response.status, response.text]).toEqual([
      value,
      400,
      expect.stringContaining('"validation_failed"'),
    ]);
    expect(named.map(({ message }) => message)).toEqual([expect.stringContaining('found ')]);
  }
}
