import { describe, expect, it } from 'vitest';
import { rememberToClose } from './on-close.js';

describe('rememberToClose', () => {
  it('closes in the opposite order, once', async () => {
    const closed: number[] = [];
    const { onClose, closeAll } = rememberToClose();
    for (const part of [1, 2, 3]) onClose(async () => void closed.push(part));
    await closeAll();
    await closeAll();
    expect(closed).toEqual([3, 2, 1]);
  });

  it('closes the rest when a part fails, and then tells of it', async () => {
    const closed: number[] = [];
    const { onClose, closeAll } = rememberToClose();
    onClose(async () => void closed.push(1));
    onClose(async () => Promise.reject(new Error('stuck')));
    await expect(closeAll()).rejects.toThrow('not everything could be closed');
    expect(closed).toEqual([1]);
  });
});
