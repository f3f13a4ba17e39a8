import { GiveUp } from '@quarry/contracts';
import { expect, it } from 'vitest';
import type { Queues } from '../../queues.js';
import type { QueueServerUnderTest } from './queue-server-under-test.js';
import { recorder } from './recorder.js';
import { eventually, tryQueue } from './tried-queues.js';

export function keepingJobs(opened: () => Queues, server: () => QueueServerUnderTest): void {
  it('answers a ping', async () => {
    await expect(opened().ping()).resolves.toBeUndefined();
  });

  it('says since when the job waits that is the next', async () => {
    const queue = tryQueue(opened());
    expect(await opened().waitingSince(queue.contract)).toBeUndefined();
    const before = Date.now();
    await queue.add('first');
    const after = Date.now();
    await queue.add('second');
    const since = (await opened().waitingSince(queue.contract))?.getTime();
    expect(since).toBeGreaterThanOrEqual(before);
    // A server may round its clock to the next millisecond.
    expect(since).toBeLessThanOrEqual(after + 1);
  });

  it('finds a job by its id, in whatever state it is', async () => {
    const queue = tryQueue(opened());
    const id = await queue.add('good');
    expect(await opened().find(queue.contract, id)).toBe('waiting');
    const bad = await queue.add('bad');
    queue.consume(
      recorder((_, job) => {
        if (job.id === bad) throw new GiveUp<'note_torn'>('note_torn', 'the note is torn');
      }),
    );
    await eventually(async () => {
      expect(await opened().find(queue.contract, id)).toBe('completed');
      expect(await opened().find(queue.contract, bad)).toBe('failed');
    });
    const later = await opened().producer(queue.contract).add('note', { key: 'later' }, { delayMs: 3_600_000 });
    expect(await opened().find(queue.contract, later)).toBe('delayed');
    expect(await opened().find(queue.contract, 'note.never')).toBeUndefined();
  });

  it('goes on when its connections were cut', async () => {
    const queue = tryQueue(opened());
    const recorded = recorder();
    queue.consume(recorded);
    await queue.add('before');
    await eventually(() => {
      expect(recorded.runs).toHaveLength(1);
    });
    await server().cutConnections();
    // The first words after a cut may be lost with the connection: a producer has the job still.
    await eventually(async () => {
      await queue.add('after');
    });
    await eventually(() => {
      expect(recorded.runs.map(({ key }) => key)).toContain('after');
    });
  });

  it('removes finished jobs when they were kept long enough', async () => {
    const queue = tryQueue(opened());
    const recorded = recorder((_, { id }) => {
      if (id === 'note.bad') throw new GiveUp<'note_torn'>('note_torn', 'the note is torn');
    });
    const consumer = queue.consume(recorded);
    await queue.add('good');
    await queue.add('bad');
    await eventually(async () => {
      expect(await queue.depth()).toMatchObject({ completed: 1, failed: 1 });
    });
    await consumer.close(0);
    const impatient = tryQueue(opened(), { ...queue.contract, keepCompletedSeconds: 0, keepFailedSeconds: 0 });
    impatient.consume(recorder());
    await eventually(async () => {
      expect(await queue.depth()).toMatchObject({ completed: 0, failed: 0 });
    });
  });
}
