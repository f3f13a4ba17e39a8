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

it('stackSeries adds the values of the series below to each series, and returns the topmost series first', () => {
  expect(stackSeries([agents, searches]).map(({ name, values }) => [name, values])).toEqual([
    ['searches', [3, 5, 1]],
    ['agents', [1, 0, 0]],
  ]);
  expect([agents, searches].map(sumValues)).toEqual([1, 8]);
});

it('findIsolatedDays returns the days with a value whose neighbors have no value, including the first and the last day', () => {
  expect(findIsolatedDays({ values: [null, 0, null, 2, 3, null, 4] })).toEqual([1, 6]);
  expect(findIsolatedDays({ values: [1] })).toEqual([0]);
  expect(findIsolatedDays({ values: [1, 2] })).toEqual([]);
});

it('getLastValue returns the value of the last recorded day', () => {
  expect([[1, 0, null], [null], []].map((values) => getLastValue({ values }))).toEqual([0, null, null]);
});

it('isWithoutUsage returns true if no day has queries or stored content, and counts content that was not recorded as none', () => {
  const none = { day: '2026-11-24', agentQueries: 0, datastoreQueries: 0, storedTokens: null, storedDocuments: null };
  expect(isWithoutUsage([none, { ...none, storedTokens: 0, storedDocuments: 0 }])).toBe(true);
  expect(isWithoutUsage([none, { ...none, datastoreQueries: 1 }])).toBe(false);
  expect(isWithoutUsage([{ ...none, storedDocuments: 1 }])).toBe(false);
});
