import type { Response } from 'supertest';
import { expect } from 'vitest';

/** Sends a body with this field, and everything else as it should be. */
export type Sender = (field: string, value: unknown) => PromiseLike<Response>;

/** Fails unless each of the values is taken. */
export async function expectTaken(send: Sender, field: string, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    const response = await send(field, value);
    expect([value, response.status, response.status < 300 ? '' : response.text]).toEqual([value, response.status, '']);
  }
}

/** Fails unless each of the values is refused with 400, naming the field and what was found. */
export async function expectRefused(send: Sender, field: string, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    const response = await send(field, value);
    const { errors = [] } = response.body as { errors?: { path: string; message: string }[] }; // shown below when it is not
    const named = errors.filter(({ path }) => path === field || path.startsWith(`${field}.`));
    expect([value, response.status, response.text]).toEqual([
      value,
      400,
      expect.stringContaining('"validation_failed"'),
    ]);
    expect(named.map(({ message }) => message)).toEqual([expect.stringContaining('found ')]);
  }
}
