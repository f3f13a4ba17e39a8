import { describe, expect, it } from 'vitest';
import { isTemporaryError, QuarryError } from './quarry-error.js';

const createError = (status: number): QuarryError => new QuarryError(status, 'code', 'detail');

describe('isTemporaryError', () => {
  it.each([
    [createError(503), true],
    [createError(429), true],
    [createError(404), false],
    [new TypeError('fetch failed'), true],
    [new DOMException('The operation was aborted due to timeout', 'TimeoutError'), true],
    [new DOMException('This operation was aborted', 'AbortError'), false],
    [new Error('unexpected'), false],
  ])('for the error %s, isTemporaryError returns %s', (error, isTemporary) => {
    expect(isTemporaryError(error)).toBe(isTemporary);
  });
});
