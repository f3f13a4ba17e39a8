import type { QueueContract } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanJson } from './clean-json.js';
import { createJobMaker } from './job-maker.js';
import { Note, createSampleQueue, type NoteJobs } from './testing/conformance/sample-queue.js';

const contract = createSampleQueue('notes');

function createContractWithId(id: string): QueueContract<NoteJobs> {
  return { ...contract, jobs: { ...contract.jobs, note: { ...contract.jobs.note, buildId: () => id } } };
}

describe('creating a job', () => {
  it('a job maker derives the id from the cleaned payload', () => {
    expect(createJobMaker(contract)('note', { key: 'a\0b' })).toMatchObject({
      id: 'note.a\uFFFDb',
      payload: { key: 'a\uFFFDb' },
    });
  });

  it('a job maker returns the payload that results from parsing the given payload, cleaning it, and parsing it again', () => {
    const texts = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });
    const make = createJobMaker(contract);
    fc.assert(
      fc.property(fc.record({ key: texts, text: fc.oneof(texts, fc.constant(undefined)) }), ({ key, text }) => {
        const note = text === undefined ? { key } : { key, text };
        fc.pre(!key.includes(':'));
        expect(make('note', note).payload).toMatchObject(parse(Note, cleanJson(note), 'refuse'));
      }),
    );
  });

  it.each([
    [{ key: 7 }, 'key: must be a string, found 7'],
    [{ key: 'a', colour: 'red' }, 'colour: is not a field of this object'],
    [{}, 'key: is required'],
    ['a', 'must be an object'],
  ])('a job maker rejects the invalid payload %j', (payload, message) => {
    expect(() => createJobMaker(contract)('note', payload as Note)).toThrow(message);
  });

  it('a job maker copies the payload, so that later changes of the original have no effect', () => {
    const note = { key: 'a', text: 'before' };
    const { payload } = createJobMaker(contract)('note', note);
    note.text = 'after';
    expect(payload).toEqual({ key: 'a', text: 'before' });
  });

  it.each(['', 'run:1', '42'])('a job maker throws an error if the contract builds the id "%s" for a payload', (id) => {
    expect(() => createJobMaker(createContractWithId(id))('note', { key: 'a' })).toThrow(
      `expected the id of a note job to contain a character other than a digit, and no ":", found "${id}"`,
    );
  });

  it.each(['letter', 'constructor', '__proto__'])(
    'a job maker rejects a job with the name %s, which the queue does not define',
    (name) => {
      expect(() => createJobMaker(contract)(name as 'note', { key: 'a' })).toThrow(
        `accepts the jobs note, memo, found a job with the name ${name}`,
      );
    },
  );
});
