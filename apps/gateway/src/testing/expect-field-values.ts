import type { Response } from 'supertest';
import { expect } from 'vitest';

/** Sends an otherwise valid request in which one field has the given value. */
export type SendField = (field: string, value: unknown) => PromiseLike<Response>;

/** Fails unless the API accepts each of the values of a field. */
export async function expectAcceptedValues(send: SendField, field: string, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    const response = await send(field, value);
    expect([value, response.status, response.status < 300 ? '' : response.text]).toEqual([value, response.status, '']);
  }
}

/**
 * Fails unless the API refuses each value of a field with 400. The problem must contain the name of the field, and
 * either the found value or the statement that the field is required.
 */
export async function expectRefusedValues(send: SendField, field: string, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    const response = await send(field, value);
    const { errors = [] } = response.body as { errors?: { path: string; message: string }[] }; // otherwise the next expectation fails
    const named = errors.filter(({ path }) => path === field || path.startsWith(`${field}.`));
    expect([value, response.status, response.text]).toEqual([
      value,
      400,
      expect.stringContaining('"validation_failed"'),
    ]);
    expect(named.map(({ message }) => message)).toEqual([expect.stringMatching(/found |^is required$/)]);
  }
}
