import { expect, it } from 'vitest';
import { type Admission, OwnerPlaces } from './owner-places.js';

const OWNER_SHARE = { field: 'owner', max: 0.5 };

/** Returns a function that admits a job of an owner. */
function openPlaces(concurrency: number): (owner: string, ageMs?: number) => Admission {
  const places = new OwnerPlaces({ ownerShare: OWNER_SHARE }, concurrency);
  return (owner, ageMs = 0) => places.admit({ data: { owner } }, ageMs);
}

it('admits jobs up to the share of their owner, and further ones when a job ends', () => {
  const admit = openPlaces(4);
  const [first] = [admit('one'), admit('one')];
  expect(admit('one').kind).toBe('postponed');
  expect(admit('another').kind).toBe('admitted');
  if (first.kind === 'admitted') first.release();
  expect(admit('one').kind).toBe('admitted');
});

it('admits one job of each owner for any concurrency', () => {
  const admit = openPlaces(1);
  expect([admit('one').kind, admit('one').kind, admit('another').kind]).toEqual(['admitted', 'postponed', 'admitted']);
});

it('postpones an older job for longer, and at most 10 seconds', () => {
  const admit = openPlaces(1);
  admit('one');
  const delays = [0, 20_000, 3_600_000].map((ageMs) => admit('one', ageMs));
  expect(delays).toMatchObject([{ delayMs: 500 }, { delayMs: 2_000 }, { delayMs: 10_000 }]);
});

it.each([
  ['a queue without a share', {}, { owner: 'one' }],
  ['a payload without an owner', { ownerShare: OWNER_SHARE }, {}],
  ['an unreadable payload', { ownerShare: OWNER_SHARE }, null],
])('admits all jobs of %s', (_, contract, data) => {
  const places = new OwnerPlaces(contract, 1);
  expect([places.admit({ data }, 0).kind, places.admit({ data }, 0).kind]).toEqual(['admitted', 'admitted']);
});
