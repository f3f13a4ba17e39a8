export type FakePayload = Record<string, unknown>;

export interface FakePoint {
  readonly id: string;
  readonly vector: Readonly<Record<string, unknown>>;
  payload: FakePayload;
}

/** Describes the parts of a filter that Quarry uses. */
export interface FakeFilter {
  readonly must?: FakeConditions;
  readonly should?: FakeConditions;
  readonly must_not?: FakeConditions;
}

type FakeConditions = FakeCondition | readonly FakeCondition[];

type FakeCondition =
  | FakeFilter
  | { readonly has_id: readonly string[] }
  | { readonly is_empty: { readonly key: string } }
  | { readonly key: string; readonly match: { readonly value: unknown } | { readonly any: readonly unknown[] } }
  | { readonly key: string; readonly range: FakeRange };

interface FakeRange {
  readonly lt?: number;
  readonly lte?: number;
  readonly gt?: number;
  readonly gte?: number;
}

/** Returns true if a point matches a filter. An absent or null field meets no condition except `is_empty`. */
export function isMatchingPoint(filter: FakeFilter | undefined, point: FakePoint): boolean {
  if (filter === undefined) return true;
  const { must, should, must_not: mustNot } = filter;
  const isConditionMet = (condition: FakeCondition): boolean => isSingleConditionMet(condition, point);
  return (
    toConditionList(must).every(isConditionMet) &&
    (should === undefined || toConditionList(should).some(isConditionMet)) &&
    !toConditionList(mustNot).some(isConditionMet)
  );
}

function isSingleConditionMet(condition: FakeCondition, point: FakePoint): boolean {
  if ('has_id' in condition) return condition.has_id.includes(point.id);
  if ('is_empty' in condition) return isEmptyValue(readField(point.payload, condition.is_empty.key));
  if (!('key' in condition)) return isMatchingPoint(condition, point);
  const value = readField(point.payload, condition.key);
  if (value === undefined || value === null) return false;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if ('range' in condition) {
    const { range } = condition;
    return values.some((one) => typeof one === 'number' && isInRange(one, range));
  }
  const wanted = 'any' in condition.match ? condition.match.any : [condition.match.value];
  return values.some((one) => wanted.includes(one));
}

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Reads a field by its path: names separated by dots. */
function readField(payload: FakePayload, path: string): unknown {
  let value: unknown = payload;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as FakePayload)[name]; // checked above
  }
  return value;
}

function isInRange(value: number, { lt, lte, gt, gte }: FakeRange): boolean {
  return (
    (lt === undefined || value < lt) &&
    (lte === undefined || value <= lte) &&
    (gt === undefined || value > gt) &&
    (gte === undefined || value >= gte)
  );
}

function toConditionList(conditions: FakeConditions | undefined): readonly FakeCondition[] {
  if (conditions === undefined) return [];
  return isConditionList(conditions) ? conditions : [conditions];
}

function isConditionList(conditions: FakeConditions): conditions is readonly FakeCondition[] {
  return Array.isArray(conditions);
}
