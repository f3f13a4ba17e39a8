import { compileShapeCheck, parse } from '@quarry/validation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createListedItem } from './listed-item.js';
import { Item, validateItem } from './validate-item.js';

const item = { id: 7, title: 'Mug', date_modified: '2026-01-31T23:59:59.999Z' };

const catchProblem = (raw: unknown): string => {
  const reading = validateItem(createListedItem(raw));
  return reading.valid ? 'none' : reading.problem;
};

describe('validateItem', () => {
  it('validateItem accepts an item with only the required fields, and one with all fields of the contract', () => {
    expect(catchProblem(item)).toBe('none');
    const all = {
      description: '',
      price: 1,
      regular_price: 0,
      sale_price: -1.5,
      stock_status: 'soon',
      currency: 'Taler',
    };
    const variation = {
      id: 'S',
      title: 'Small',
      price: 1,
      regular_price: 2,
      sale_price: 1,
      stock_status: '',
      stock: 0,
    };
    expect(catchProblem({ ...item, ...all, variations: [variation, {}] })).toBe('none');
  });

  it('validateItem treats null in an optional field as absent', () => {
    const optional = ['description', 'price', 'regular_price', 'sale_price', 'stock_status', 'currency', 'variations'];
    expect(catchProblem({ ...item, ...Object.fromEntries(optional.map((name) => [name, null])) })).toBe('none');
  });

  it.each([
    [{ id: undefined }, 'An item without a usable id is not valid: id is required'],
    [{ id: null }, /id must be a string or a number, found null/],
    [{ id: '' }, /id must not be empty, found ""/],
    [{ id: { a: 1 } }, /id must be a string or a number, found an object/],
    [{ id: 2 ** 53 }, /id must be a string when it is a number above 9007199254740991/],
    [{ id: 'a\0b' }, /id must be text without NUL/],
    [{ id: 'x'.repeat(501) }, /id must have at most 500 characters/],
    [{ title: undefined }, 'Item 7 is not valid: title is required'],
    [{ title: '' }, 'Item 7 is not valid: title must not be empty, found ""'],
    [{ title: 12 }, 'Item 7 is not valid: title must be a string, found 12'],
    [{ description: ['a'] }, 'Item 7 is not valid: description must be a string, found a list of 1'],
    [{ price: '12.50' }, 'Item 7 is not valid: price must be a number, found "12.50"'],
    [{ price: true }, /price must be a number, found true/],
    [{ regular_price: '1' }, /regular_price must be a number/],
    [{ sale_price: {} }, /sale_price must be a number, found an object/],
    [{ stock_status: true }, /stock_status must be a string, found true/],
    [{ currency: 978 }, /currency must be a string, found 978/],
    [{ variations: { id: 1 } }, /variations must be an array/],
    [{ variations: 'none' }, /variations must be an array/],
    [{ variations: [{}, 'small'] }, /variations\.1 must be an object, found a string/],
    [{ variations: [null] }, /variations\.0 must be an object, found null/],
    [{ variations: [[{}]] }, /variations must be an array of objects/],
    [{ variations: [{ id: true }] }, /variations\.0\.id must be a string or a number, found true/],
    [{ variations: [{ id: 1 }, { id: '1' }] }, /variations must have unique ids, but 1 occurs twice/],
    [{ variations: [{}, {}, { title: 3 }] }, /variations\.2\.title must be a string, found 3/],
    [{ variations: [{ price: '3' }] }, /variations\.0\.price must be a number, found "3"/],
    [{ variations: [{ regular_price: '3' }] }, /variations\.0\.regular_price must be a number/],
    [{ variations: [{ sale_price: '3' }] }, /variations\.0\.sale_price must be a number/],
    [{ variations: [{ stock_status: 1 }] }, /variations\.0\.stock_status must be a string/],
    [{ variations: [{ stock: 'many' }] }, /variations\.0\.stock must be a number, found "many"/],
  ])('validateItem reports the item, the field, the value and the rule for an invalid field: %j', (wrong, message) => {
    expect(catchProblem({ ...item, ...wrong })).toMatch(message);
  });

  it.each([
    '2026-01-31T23:59:59Z',
    '2026-01-31T23:59:59.99Z',
    '2026-01-31T23:59:59.9999Z',
    '2026-01-31 23:59:59.999Z',
    '2026-01-31T23:59:59.999+00:00',
    '2026-01-31T23:59:59.999',
    '2026-01-31t23:59:59.999z',
    ' 2026-01-31T23:59:59.999Z',
    '2026-01-31T23:59:59.999Z\n',
    '2026-02-30T23:59:59.999Z',
    '2025-02-29T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2016-12-31T23:59:60.000Z',
    '2026-01-31',
    '2026-04-31T00:00:00.000Z',
    '2026-00-10T00:00:00.000Z',
    '2026-01-00T00:00:00.000Z',
    '+02026-01-01T00:00:00.00Z',
    '1 January 2026 00:00:00 Z',
    1_769_903_999_999,
    null,
  ])(
    'validateItem rejects a date that does not exist or is not in the form of 2026-01-31T23:59:59.999Z: %j',
    (date_modified) => {
      expect(catchProblem({ ...item, date_modified })).toMatch(
        /^Item 7 is not valid: date_modified must be a date in UTC with milliseconds, of the form 2026-01-31T23:59:59\.999Z, found /,
      );
      expect(createListedItem({ ...item, date_modified }).modified).toBeUndefined();
    },
  );

  it.each([null, 7, 'item', [item], []])('validateItem rejects values other than objects: %j', (raw) => {
    expect(catchProblem(raw)).toMatch(/^An item without a usable id is not valid: must be an object/);
  });

  it('validateItem reports the first ten invalid fields, and the number of the other invalid fields', () => {
    expect(catchProblem({ id: 'a', title: '', price: 'x' })).toMatch(/title .*; date_modified .*; price /);
    const variations = Array.from({ length: 500 }, () => ({ price: 'x' }));
    expect(catchProblem({ ...item, variations })).toMatch(/variations\.9\.price .*; and 490 more$/);
  });

  it('validateItem rejects an item with more than 64 nested levels', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(catchProblem({ ...item, specification: deep })).toMatch(/^Item 7 has more than 64 levels/);
  });

  it('if the contract does not define a field of an item or a variation, validateItem adds the field to `custom`', () => {
    const raw = { ...item, colour: 'blue', sizes: [1, 2], variations: [{ id: 1, sku: 'S-1' }, {}] };
    const reading = validateItem(createListedItem(raw));
    expect(reading).toMatchObject({
      item: {
        custom: [
          ['colour', 'blue'],
          ['sizes', [1, 2]],
        ],
        variations: [{ custom: [['sku', 'S-1']] }, { custom: [] }],
      },
    });
  });

  it('validateItem accepts exactly the items that `parse` accepts', () => {
    const odd = fc.oneof(fc.constantFrom(null, '', '7', 7, 1e300, -0.5, true, [], {}), fc.jsonValue());
    const createMostlyValidValues = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
      fc.oneof({ arbitrary: good, weight: 40 }, { arbitrary: odd, weight: 1 });
    const [text, amount] = [
      createMostlyValidValues(fc.string()),
      createMostlyValidValues(fc.double({ noNaN: true, noDefaultInfinity: true })),
    ];
    const id = createMostlyValidValues(fc.oneof(fc.string({ minLength: 1 }), fc.integer()));
    const amounts = { price: amount, regular_price: amount, sale_price: amount };
    const variation = fc.record(
      { id, title: text, ...amounts, stock_status: text, stock: amount },
      { requiredKeys: [] },
    );
    const date = createMostlyValidValues(fc.date({ noInvalidDate: true }).map((time) => time.toISOString()));
    const items = fc.record(
      {
        ...{
          id,
          title: createMostlyValidValues(fc.string({ minLength: 1 })),
          date_modified: date,
          description: text,
          currency: text,
        },
        ...{
          ...amounts,
          stock_status: text,
          variations: createMostlyValidValues(fc.array(createMostlyValidValues(variation), { maxLength: 4 })),
        },
        custom: odd,
      },
      { requiredKeys: ['id', 'title', 'date_modified'] },
    );
    const isValid = compileShapeCheck(Item, 'ignore');
    const found = { valid: 0, invalid: 0 };
    fc.assert(
      fc.property(items, (raw) => {
        const expected = ((): boolean => {
          try {
            return parse(Item, raw, 'ignore') instanceof Item;
          } catch {
            return false;
          }
        })();
        found[expected ? 'valid' : 'invalid'] += 1;
        expect([isValid(raw), validateItem(createListedItem(raw)).valid]).toEqual([expected, expected]);
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(found.valid, found.invalid)).toBeGreaterThan(50);
  });

  it('validateItem accepts or rejects any JSON value without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
        const reading = validateItem(createListedItem({ ...item, variations: value, price: other }));
        expect(typeof reading.valid).toBe('boolean');
      }),
    );
  });
});

describe('the date of an item', () => {
  it('validateItem accepts every existing date in the form of 2026-01-31T23:59:59.999Z', () => {
    const dates = fc.date({ min: new Date('0000-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z') });
    fc.assert(
      fc.property(
        dates.filter((date) => !Number.isNaN(date.getTime())),
        (date) => {
          expect(catchProblem({ ...item, date_modified: date.toISOString() })).toBe('none');
        },
      ),
    );
    expect(catchProblem({ ...item, date_modified: '2024-02-29T00:00:00.000Z' })).toBe('none');
  });
});

describe('an element of a listing', () => {
  it('an item with the id 7 and an item with the id "7" have the same document key', () => {
    expect(createListedItem({ id: 7 }).documentKey).toBe('item:7');
    expect(createListedItem({ id: '7' }).documentKey).toBe('item:7');
  });

  it('the document key of an item without an id is derived from the content of the item', () => {
    const { documentKey } = createListedItem({ title: 'a', price: 1 });
    expect(documentKey).toMatch(/^item-without-id:.+/);
    expect(createListedItem({ price: 1, title: 'a' }).documentKey).toBe(documentKey);
    expect(createListedItem({ price: 2, title: 'a' }).documentKey).not.toBe(documentKey);
  });

  it('the hash of an item includes fields named `__proto__`, and is the same for any order of fields with numeric names', () => {
    const computeHash = (json: string): string => createListedItem(JSON.parse(json)).hash;
    expect(computeHash('{"__proto__":1}')).not.toBe(computeHash('{}'));
    expect(computeHash('{"a":{"__proto__":{"b":1}}}')).not.toBe(computeHash('{"a":{"__proto__":{"b":2}}}'));
    expect(computeHash('{"b":1,"10":2,"9":3}')).toBe(computeHash('{"9":3,"10":2,"b":1}'));
  });

  it('the hash of an item depends on every value of the item, but not on the order of the fields', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (fields, name) => {
        const reversed = Object.fromEntries(Object.entries(fields).reverse());
        expect(createListedItem(reversed).hash).toBe(createListedItem(fields).hash);
        expect(createListedItem({ ...fields, [name]: 'another' }).hash === createListedItem(fields).hash).toBe(
          fields[name] === 'another',
        );
      }),
    );
  });
});
