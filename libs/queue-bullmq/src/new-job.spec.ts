import type { QueueContract } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { newJob } from './new-job.js';
import { sampleQueue, type NoteJobs } from './testing/conformance/sample-queue.js';

const contract = sampleQueue('notes');

function withId(id: string): QueueContract<NoteJobs> {
  return { ...contract, jobs: { ...contract.jobs, note: { ...contract.jobs.note, id: () => id } } };
}

describe('newJob', () => {
  it('takes the id from the payload as it is carried', () => {
    expect(newJob(contract, 'note', { key: 'a\0b' })).toMatchObject({
      id: 'note.a\uFFFDb',
      payload: { key: 'a\uFFFDb' },
    });
  });

  it.each(['', 'run:1', '42'])('refuses the id "%s"', (id) => {
    expect(() => newJob(withId(id), 'note', { key: 'a' })).toThrow(`found "${id}" for note`);
  });

  it.each(['letter', 'constructor', '__proto__'])('refuses a job %s, which the queue does not carry', (name) => {
    expect(() => newJob(contract, name as 'note', { key: 'a' })).toThrow(`carries note, memo, found a job ${name}`);
  });
});
