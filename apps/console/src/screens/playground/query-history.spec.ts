import { expect, it } from 'vitest';
import { moveQueryToFront, parseQueryHistory, selectQueriesOfDatastores } from './query-history.js';

const ONE = { query: 'one', a: 'datastore=d', b: undefined };
const TWO = { query: 'two', a: 'datastore=d', b: 'topK=9' };

it('moveQueryToFront lists a repeated query once, as the newest query', () => {
  expect(moveQueryToFront([TWO, ONE], ONE)).toEqual([ONE, TWO]);
});

it('moveQueryToFront returns at most twenty queries', () => {
  const many = Array.from({ length: 20 }, (_, at) => ({ ...ONE, query: String(at) }));
  expect(moveQueryToFront(many, TWO)).toHaveLength(20);
});

it('selectQueriesOfDatastores omits a query if one of its sides searches a datastore that is not in the given set', () => {
  const other = { query: 'other', a: 'datastore=d', b: 'datastore=e' };
  expect(selectQueriesOfDatastores([ONE, other, TWO], new Set(['d']))).toEqual([ONE, TWO]);
  expect(selectQueriesOfDatastores([ONE, other], new Set(['e']))).toEqual([]);
});

it('parseQueryHistory omits invalid entries of a stored history, and returns an empty history for other invalid texts', () => {
  expect(parseQueryHistory(JSON.stringify([TWO, { query: 1 }, null, ONE]))).toEqual([TWO, ONE]);
  expect(parseQueryHistory('{')).toEqual([]);
  expect(parseQueryHistory('{}')).toEqual([]);
});
