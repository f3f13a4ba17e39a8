import fc from 'fast-check';
import type { MetadataFilter } from '../metadata-filter.js';

export type Metadata = Readonly<Record<string, unknown>>;

/**
 * Texts that a store could misinterpret, for example because of special characters of query languages, paths or
 * patterns.
 */
export const AWKWARD_TEXTS = [
  `O'Reilly "x"\\%_`,
  `'; DROP TABLE fragments; --`,
  `' OR '1'='1`,
  `x') OR TRUE OR contains(metadata, '`,
  'a.b[0]."c"[]',
  'a\u0000b',
  'a\u001eb\u001fc',
  'line\nbreak\ttab',
  '\ud800 lone',
  '東京 № 5 👩‍👩‍👧 e\u0301',
  '__proto__',
  'constructor',
  'null',
  'true',
  '5',
  ' ',
  '-',
  'x'.repeat(3_000),
];

/** Keys of the sample metadata. */
const SAMPLE_KEYS = ['price', 'color', 'a.b', "it's", 'both', '__proto__'];

/** Dates with different UTC offsets, equal instants in different notations, and texts that resemble dates. */
const DATES = [
  ...['2026-11-24', '2026-11-24T00:00:00Z', '2026-11-24T00:30+01:00', '2026-11-23T23:30:00.000Z', '1969-12-31'],
  ...['2026-11-24T09:30', '0000-01-01', '9999-12-31T23:59:59.999Z', '2026-02-30', '24.11.2026', '2026-11'],
];

const scalar = fc.oneof(
  fc.constantFrom(...DATES),
  fc.constantFrom('red', 'green', 'Red', '', '5', 'true', ...AWKWARD_TEXTS),
  fc.constantFrom(5, -5, 0, -0, 9.99, 0.1 + 0.2, 1e21, -1e-7, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE),
  fc.integer({ min: -3, max: 8 }),
  fc.boolean(),
);
const storedValue = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.constantFrom(null, { nested: 5 }, ['red', null, ['green'], { price: 5 }]),
);
const key = fc.constantFrom(...SAMPLE_KEYS, 'absent');
/** Generates metadata of documents. */
export const sampleMetadata: fc.Arbitrary<Metadata> = fc
  .array(fc.tuple(fc.constantFrom(...SAMPLE_KEYS), storedValue), { maxLength: 5 })
  // Metadata come from JSON, in which `__proto__` is an ordinary key.
  .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))) as Metadata);

const bound = fc.oneof(
  fc.integer({ min: -6, max: 9 }),
  fc.constantFrom(9.99, 0.1 + 0.2, -0, 1e21, -Number.MAX_VALUE, Date.parse('2026-11-24')),
  fc.constantFrom(...DATES, '', 'red', '5'),
);
const comparison: fc.Arbitrary<MetadataFilter> = fc.oneof(
  fc.record({ type: fc.constantFrom('eq' as const, 'ne' as const), key, value: scalar }),
  fc.record({
    type: fc.constantFrom('gt' as const, 'gte' as const, 'lt' as const, 'lte' as const),
    key,
    value: bound,
  }),
  fc.record({ type: fc.constantFrom('in' as const, 'nin' as const), key, value: fc.array(scalar, { maxLength: 3 }) }),
);
/** Generates filters of up to four levels. */
export const { filter: sampleFilter } = fc.letrec<{ filter: MetadataFilter; compound: MetadataFilter }>((tie) => ({
  filter: fc.oneof({ maxDepth: 3, withCrossShrink: true }, comparison, tie('compound')),
  compound: fc.record({
    type: fc.constantFrom('and' as const, 'or' as const),
    filters: fc.array(tie('filter'), { maxLength: 3 }),
  }),
}));
