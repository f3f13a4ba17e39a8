import {
  countCharacters,
  Describe,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  parseTimestamp,
  Type,
  type Violation,
} from '@quarry/validation';

/** Maximum length of a metadata key in a filter, in characters. */
export const MAX_METADATA_KEY_CHARACTERS = 256;
/**
 * Maximum number of nested levels of a filter. A comparison is one level, and each `and` or `or` around it is another
 * level.
 */
export const MAX_METADATA_FILTER_DEPTH = 5;
/** Maximum number of comparisons in a filter. */
export const MAX_METADATA_COMPARISONS = 50;
/**
 * Maximum number of values in a filter. Each value of a list counts. A comparison without a list counts as one value.
 */
export const MAX_METADATA_FILTER_VALUES = 500;
/** Maximum length of a text with which a filter compares metadata, in characters. */
export const MAX_METADATA_TEXT_CHARACTERS = 4_000;

const EQUALITIES = ['eq', 'ne'] as const;
const RANGES = ['gt', 'gte', 'lt', 'lte'] as const;
const LISTS = ['in', 'nin'] as const;
const COMPOUNDS = ['and', 'or'] as const;
const COMPARISONS = [...EQUALITIES, ...RANGES, ...LISTS] as const;
const TYPES = [...COMPARISONS, ...COMPOUNDS] as const;

const SCALARS = ['string', 'number', 'boolean'];

/** Describes a valid filter on metadata: each node has the fields that its type requires. */
export type MetadataCondition =
  | { readonly type: 'eq' | 'ne'; readonly key: string; readonly value: string | number | boolean }
  | { readonly type: 'gt' | 'gte' | 'lt' | 'lte'; readonly key: string; readonly value: number | string }
  | { readonly type: 'in' | 'nin'; readonly key: string; readonly value: readonly (string | number | boolean)[] }
  | { readonly type: 'and' | 'or'; readonly filters: readonly MetadataCondition[] };

/**
 * Describes a node of a filter on metadata for the API documentation. `findMetadataFilterViolations` validates filters,
 * because the decorators of a class cannot validate a recursive object.
 */
@Describe(
  `Selects documents by their metadata: a comparison with \`key\` and \`value\`, or \`and\` or \`or\` with \`filters\`. At most ${MAX_METADATA_FILTER_DEPTH} levels, ${MAX_METADATA_COMPARISONS} comparisons and ${MAX_METADATA_FILTER_VALUES} values.`,
  { additionalProperties: false },
)
export class MetadataFilter {
  @Describe(
    '`eq`, `ne`: equal or not. `gt`, `gte`, `lt`, `lte`: greater or less than a number, or later or earlier than a date. `in`, `nin`: equal to one of a list or to none. `ne` and `nin` also match documents without the key.',
  )
  @IsIn(TYPES)
  readonly type: (typeof TYPES)[number];

  @Describe(`Key of the metadata, for a comparison. At most ${MAX_METADATA_KEY_CHARACTERS} characters.`)
  @IsOptional()
  @IsString()
  readonly key?: string;

  @Describe(
    'Value of a comparison: a text, number or boolean for `eq` and `ne`, a number or an ISO 8601 date for `gt`, `gte`, `lt` and `lte`, a list for `in` and `nin`. A value of another type is never equal.',
    { anyOf: [...SCALARS.map((type) => ({ type })), { type: 'array', items: { type: SCALARS } }, { type: 'null' }] },
  )
  @IsOptional()
  readonly value?: string | number | boolean | readonly (string | number | boolean)[];

  @Describe('Filters of `and` and `or`, at least one.')
  @IsOptional()
  @IsArray()
  @Type(() => MetadataFilter)
  readonly filters?: readonly MetadataFilter[];
}

interface FilterSize {
  comparisons: number;
  values: number;
}

/** Returns the violations of a filter on metadata; none if the filter is a valid `MetadataCondition`. */
export function findMetadataFilterViolations(filter: unknown): readonly Violation[] {
  const size: FilterSize = { comparisons: 0, values: 0 };
  const violations = findFilterNodeViolations(filter, { path: '', depth: 1 }, size);
  if (violations.length > 0) return violations;
  return [
    ...findCountViolation(
      size.comparisons,
      MAX_METADATA_COMPARISONS,
      'comparisons; use `in` for several values of a key',
    ),
    ...findCountViolation(size.values, MAX_METADATA_FILTER_VALUES, 'values; send several queries'),
  ];
}

function findCountViolation(count: number, max: number, countedThings: string): readonly Violation[] {
  return count <= max ? [] : [{ path: '', message: `must have at most ${max} ${countedThings}`, found: count }];
}

interface FilterNodePosition {
  readonly path: string;
  readonly depth: number;
}

function findFilterNodeViolations(node: unknown, position: FilterNodePosition, size: FilterSize): readonly Violation[] {
  const { path } = position;
  if (position.depth > MAX_METADATA_FILTER_DEPTH) {
    return [{ path, message: `must be nested at most ${MAX_METADATA_FILTER_DEPTH} levels deep`, found: node }];
  }
  if (typeof node !== 'object' || node === null || Array.isArray(node)) {
    return [{ path, message: 'must be an object with `type`', found: node }];
  }
  const given = new Map<string, unknown>(
    Object.entries(node).filter(([, value]: [string, unknown]) => value !== null && value !== undefined),
  );
  const type = given.get('type');
  const isCompound = isOneOf(COMPOUNDS, type);
  if (!isCompound && !isOneOf(COMPARISONS, type)) {
    return [{ path: joinPath(path, 'type'), message: `must be one of ${TYPES.join(', ')}`, found: type }];
  }
  const unknown = findUnknownFieldViolations(given, isCompound ? ['type', 'filters'] : ['type', 'key', 'value'], {
    path,
    type,
  });
  if (unknown.length > 0) return unknown;
  return isCompound
    ? findFilterListViolations(given.get('filters'), position, size)
    : [...findKeyViolation(given.get('key'), path), ...findValueViolations(given.get('value'), { path, type }, size)];
}

function findUnknownFieldViolations(
  fields: ReadonlyMap<string, unknown>,
  known: readonly string[],
  { path, type }: { readonly path: string; readonly type: string },
): readonly Violation[] {
  return [...fields].flatMap(([name, found]) =>
    known.includes(name)
      ? []
      : [
          {
            path: joinPath(path, name),
            message: `must be absent: the fields of ${type} are ${known.join(', ')}`,
            found,
          },
        ],
  );
}

function findFilterListViolations(
  filters: unknown,
  { path, depth }: FilterNodePosition,
  size: FilterSize,
): readonly Violation[] {
  const at = joinPath(path, 'filters');
  if (!Array.isArray(filters) || filters.length === 0) {
    return [{ path: at, message: 'must be a list with at least one filter', found: filters }];
  }
  if (filters.length > MAX_METADATA_COMPARISONS) {
    return [{ path: at, message: `must be a list with at most ${MAX_METADATA_COMPARISONS} filters`, found: filters }];
  }
  return filters.flatMap((filter: unknown, index) =>
    findFilterNodeViolations(filter, { path: joinPath(at, String(index)), depth: depth + 1 }, size),
  );
}

function findKeyViolation(key: unknown, path: string): readonly Violation[] {
  if (typeof key === 'string' && key !== '' && countCharacters(key) <= MAX_METADATA_KEY_CHARACTERS) return [];
  const message = `must be a text with 1 to ${MAX_METADATA_KEY_CHARACTERS} characters`;
  return [{ path: joinPath(path, 'key'), message, found: key }];
}

function findValueViolations(
  value: unknown,
  { path, type }: { readonly path: string; readonly type: (typeof COMPARISONS)[number] },
  size: FilterSize,
): readonly Violation[] {
  const at = joinPath(path, 'value');
  size.comparisons += 1;
  size.values += Array.isArray(value) ? value.length : 1;
  if (isOneOf(RANGES, type)) {
    const message = `must be a number or an ISO 8601 date, such as 2026-11-24T09:30:00Z, for ${type}`;
    return isNumberOrTimestamp(value) ? [] : [{ path: at, message, found: value }];
  }
  if (isOneOf(EQUALITIES, type)) return findScalarViolation(value, at);
  if (!Array.isArray(value)) {
    return [{ path: at, message: `must be a list of texts, numbers and booleans for ${type}`, found: value }];
  }
  if (value.length > MAX_METADATA_FILTER_VALUES) {
    return [{ path: at, message: `must be a list of at most ${MAX_METADATA_FILTER_VALUES} values`, found: value }];
  }
  return value.flatMap((one: unknown, index) => findScalarViolation(one, joinPath(at, String(index))));
}

function findScalarViolation(value: unknown, path: string): readonly Violation[] {
  if (typeof value === 'boolean' || Number.isFinite(value)) return [];
  if (typeof value === 'string' && countCharacters(value) <= MAX_METADATA_TEXT_CHARACTERS) return [];
  const message = `must be a number, a boolean or a text of at most ${MAX_METADATA_TEXT_CHARACTERS} characters`;
  return [{ path, message, found: value }];
}

function isNumberOrTimestamp(value: unknown): boolean {
  return typeof value === 'string' ? parseTimestamp(value) !== undefined : Number.isFinite(value);
}

function isOneOf<T extends string>(types: readonly T[], type: unknown): type is T {
  return types.some((one) => one === type);
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
