import { expect, it } from 'vitest';
import { toModelFailed } from './to-model-failed.js';

it('toModelFailed shortens a long message without splitting a surrogate pair', () => {
  const { message } = toModelFailed('m', new Error(`${'a'.repeat(299)}😀${'b'.repeat(9)}`));
  expect(message.isWellFormed()).toBe(true);
  expect(message.length).toBeLessThan(310);
});
