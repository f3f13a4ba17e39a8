import { expect, it } from 'vitest';
import {
  findIsolatedDays,
  getLastValue,
  isWithoutUsage,
  stackSeries,
  sumValues,
  type DaySeries,
} from './day-series.js';

const agents: DaySeries = { name: 'agents', color: '--accent', values: [1, 0, null] };
const searches: DaySeries = { name: 'searches', color: '--info', values: [2, 5, 1] };

it('stackSeries adds to each series the values of all series before it, and returns the last series first', () => {
  expect(stackSeries([agents, searches]).map(({ name, values }) => [name, values])).toEqual([
    ['searches', [3, 5, 1]],
    ['agents', [1, 0, 0]],
  ]);
  expect([agents, searches].map(sumValues)).toEqual([1, 8]);
});

it('findIsolatedDays returns the days with a value that have no neighboring day with a value', () => {
  expect(findIsolatedDays({ values: [null, 0, null, 2, 3, null, 4] })).toEqual([1, 6]);
  expect(findIsolatedDays({ values: [1] })).toEqual([0]);
  expect(findIsolatedDays({ values: [1, 2] })).toEqual([]);
});

it('getLastValue returns the value of the last recorded day, or null if no day was recorded', () => {
  expect([[1, 0, null], [null], []].map((values) => getLastValue({ values }))).toEqual([0, null, null]);
});

it('isWithoutUsage returns true if no day has queries or stored content, and treats unrecorded content as none', () => {
  const none = { day: '2026-11-24', agentQueries: 0, datastoreQueries: 0, storedTokens: null, storedDocuments: null };
  expect(isWithoutUsage([none, { ...none, storedTokens: 0, storedDocuments: 0 }])).toBe(true);
  expect(isWithoutUsage([none, { ...none, datastoreQueries: 1 }])).toBe(false);
  expect(isWithoutUsage([{ ...none, storedDocuments: 1 }])).toBe(false);
});
