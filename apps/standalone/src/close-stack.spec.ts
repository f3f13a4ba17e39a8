import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { closeConcurrently, createCloseStack } from './close-stack.js';

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

describe('closeConcurrently', () => {
  it('closeConcurrently closes all services at the same time, each with the whole time until the deadline', async () => {
    const allClosing = Promise.withResolvers<undefined>();
    const deadlines: number[] = [];
    const close = async (deadlineMs: number): Promise<void> => {
      if (deadlines.push(deadlineMs) === 2) allClosing.resolve(undefined);
      await allClosing.promise;
    };
    await closeConcurrently([{ close }, { close }], 500);
    expect(deadlines).toEqual([500, 500]);
  });

  it('if a service cannot be closed, closeConcurrently waits for the other services, and then rejects', async () => {
    const closed: string[] = [];
    const services = [
      { close: async () => Promise.reject(new Error('stuck')) },
      {
        close: async () => {
          await turn();
          closed.push('second');
        },
      },
    ];
    await expect(closeConcurrently(services, 0)).rejects.toThrow('some services could not be closed');
    expect(closed).toEqual(['second']);
  });
});
