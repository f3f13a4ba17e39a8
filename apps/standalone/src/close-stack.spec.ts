import { describe, expect, it } from 'vitest';
import { createCloseStack } from './close-stack.js';

describe('a stack of close functions', () => {
  it('a close stack closes all resources once, in reverse order', async () => {
    const closed: number[] = [];
    const { onClose, closeAll } = createCloseStack();
    for (const part of [1, 2, 3]) onClose(async () => void closed.push(part));
    await closeAll();
    await closeAll();
    expect(closed).toEqual([3, 2, 1]);
  });

  it('a close stack closes the remaining resources when a close function fails, and then throws', async () => {
    const closed: number[] = [];
    const { onClose, closeAll } = createCloseStack();
    onClose(async () => void closed.push(1));
    onClose(async () => Promise.reject(new Error('stuck')));
    await expect(closeAll()).rejects.toThrow('some resources could not be closed');
    expect(closed).toEqual([1]);
  });
});
