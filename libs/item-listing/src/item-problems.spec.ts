import { listFieldNames } from '@quarry/validation';
import { describe, expect, it } from 'vitest';
import { createListedItem } from './listed-item.js';
import { Item, validateItem } from './validate-item.js';

const VALID = { id: 'sku-1', title: 'Drill', date_modified: '2026-01-31T23:59:59.999Z' };
const VALID_VARIATION = { id: 'red', title: 'Red' };

/**
 * Lists values that violate the rules of some fields. The integer 2⁶⁰ and the long text violate only the rules of ids.
 */
const WRONG_VALUES: readonly unknown[] = [
  ...[undefined, true, '', 'text', 7, 2 ** 60, 1.5, {}, [], [7], [[]], [{}], 'x'.repeat(501), 'nul\0', '\ud800'],
  [VALID_VARIATION, VALID_VARIATION],
];

/** Lists the problems that `validateItem` finds in items with an invalid field, and in items that are not objects. */
function listProblems(): readonly string[] {
  const variationFields = ['id', 'title', 'price', 'regular_price', 'sale_price', 'stock_status', 'stock'];
  const items = WRONG_VALUES.flatMap((value) => [
    value ?? null,
    ...listFieldNames(Item).map((field) => ({ ...VALID, [field]: value })),
    ...variationFields.map((field) => ({ ...VALID, variations: [{ ...VALID_VARIATION, [field]: value }] })),
  ]);
  const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) as unknown;
  const wrong = { variations: Array<unknown>(20).fill(7) };
  return [...items, { ...VALID, deep }, { ...VALID, ...wrong }].flatMap((raw) => {
    const reading = validateItem(createListedItem(raw));
    return reading.valid ? [] : [reading.problem];
  });
}

/** Replaces long values in a problem by `…`, so that different long values yield one problem per rule and field. */
function summarizeProblem(problem: string): string {
  return problem.replace(/"nul.*|"x+.*/s, '"…"');
}

describe('the check of an item', () => {
  it('the problems that validateItem reports equal the list in item-problems.json, which the console translates into German', async () => {
    const problems = [...new Set(listProblems().map(summarizeProblem))].toSorted();
    await expect(`${JSON.stringify(problems, null, 2)}\n`).toMatchFileSnapshot('testing/item-problems.json');
  });
});
