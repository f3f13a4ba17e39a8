import { once } from 'node:events';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Queues } from '../../queues.js';
import { forkTypescript } from './fork-typescript.js';
import type { QueueServerUnderTest } from './queue-server-under-test.js';
import { createRecorder } from './recorder.js';
import { createSampleQueue } from './sample-queue.js';
import { waitUntilCheckPasses, openTestQueue } from './test-queue.js';

/** Asserts that other processes take over the jobs of a killed process. */
export function describeKilledProcesses(getQueues: () => Queues, getServer: () => QueueServerUnderTest): void {
  describe('a process that is killed', () => {
    const inHandler = createSampleQueue();
    const alsoInHandler = createSampleQueue();
    const inHook = createSampleQueue();

    beforeAll(async () => {
      for (const contract of [inHandler, alsoInHandler, inHook])
        await getQueues().createProducer(contract).add('note', { key: 'a' });
      await killProcessInJobs(getServer(), [inHandler.name, alsoInHandler.name, inHook.name]);
    });

    it('if a process is killed while it runs a job, another process runs the job again in the same attempt', async () => {
      const queue = openTestQueue(getQueues(), inHandler);
      const recorded = createRecorder();
      queue.startConsumer(recorded);
      await waitUntilCheckPasses(async () => {
        expect((await queue.countJobs()).completed).toBe(1);
      });
      expect(recorded.runs.map(({ job }) => [job.attempt, job.starts])).toEqual([[1, 2]]);
      expect(recorded.failures).toEqual([]);
    });

    it('a job fails with `stalled_too_often` if more than `maxStalls` processes were killed while they ran the job', async () => {
      const queues = await getServer().open(0);
      const queue = openTestQueue(queues, alsoInHandler);
      const recorded = createRecorder();
      const consumer = queue.startConsumer(recorded);
      await waitUntilCheckPasses(async () => {
        expect((await queue.countJobs()).failed).toBe(1);
      });
      await consumer.close(0);
      await queues.close(0);
      expect(recorded.runs).toEqual([]);
      expect(recorded.failures).toMatchObject([{ payload: { key: 'a' }, reason: { code: 'stalled_too_often' } }]);
    });

    it('if a process is killed during onFailed, another process calls onFailed again, but does not run the job again', async () => {
      const queue = openTestQueue(getQueues(), inHook);
      const recorded = createRecorder();
      queue.startConsumer(recorded);
      await waitUntilCheckPasses(async () => {
        expect((await queue.countJobs()).failed).toBe(1);
      });
      expect(recorded.runs).toEqual([]);
      expect(recorded.failures).toMatchObject([{ payload: { key: 'a' }, reason: { code: 'permanent_failure' } }]);
    });
  });
}

/** Asserts that a job is aborted if its process was paused until another process has taken over the job. */
export function describeStoppedProcesses(getQueues: () => Queues, getServer: () => QueueServerUnderTest): void {
  it('a job that another process has taken over is aborted, and only the outcome of the other process is recorded', async () => {
    const queue = openTestQueue(getQueues());
    await queue.addNote('a');
    const { file, args } = getServer().consumerProgram;
    const child = forkTypescript(file, [...args, 'until-aborted', queue.contract.name]);
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await waitUntilCheckPasses(() => {
      expect(output).toBe('running\n');
    });
    child.kill('SIGSTOP');
    const recorded = createRecorder();
    queue.startConsumer(recorded);
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).completed).toBe(1);
    });
    expect(recorded.runs.map(({ job }) => [job.attempt, job.starts])).toEqual([[1, 2]]);
    child.kill('SIGCONT');
    await waitUntilCheckPasses(() => {
      expect(output).toBe('running\naborted\n');
    });
    expect(await queue.countJobs()).toMatchObject({ completed: 1, failed: 0, waiting: 0, delayed: 0 });
  });
}

/** Starts a process, waits until one job of each queue hangs in it, and kills the process. */
async function killProcessInJobs(getServer: QueueServerUnderTest, names: readonly string[]): Promise<void> {
  const { file, args } = getServer.consumerProgram;
  const child = forkTypescript(file, [...args, 'hang', ...names]);
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output === 'hanging\n'.repeat(names.length)) break;
  }
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
}
