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

it('selectQueriesOfDatastores omits queries of which a side searches another datastore', () => {
  const other = { query: 'other', a: 'datastore=d', b: 'datastore=e' };
  expect(selectQueriesOfDatastores([ONE, other, TWO], new Set(['d']))).toEqual([ONE, TWO]);
  expect(selectQueriesOfDatastores([ONE, other], new Set(['e']))).toEqual([]);
});

it('parseQueryHistory parses the stored history, and omits invalid entries', () => {
  expect(parseQueryHistory(JSON.stringify([TWO, { query: 1 }, null, ONE]))).toEqual([TWO, ONE]);
  expect(parseQueryHistory('{')).toEqual([]);
  expect(parseQueryHistory('{}')).toEqual([]);
});
