import type { FragmentScope, PriceBounds } from '@quarry/fragment-store';
import type { Schemas } from '@qdrant/js-client-rest';

export type Filter = Schemas['Filter'];
export type Condition = Schemas['FieldCondition'];

export function buildEqualsCondition(key: string, value: string): Condition {
  return { key, match: { value: value.toWellFormed() } };
}

export function buildInCondition(key: string, values: readonly string[]): Condition {
  return { key, match: { any: values.map((value) => value.toWellFormed()) } };
}

/** Builds a range condition. The minimum is always set, because the server requires at least one bound. */
function buildRangeCondition(key: string, { min = -Number.MAX_VALUE, max }: PriceBounds): Condition {
  return { key, range: { gte: min, ...(max === undefined ? {} : { lte: max }) } };
}

/** Returns the filter of a scope without the metadata filter, or undefined if the scope matches nothing. */
export function buildScopeFilter(scope: FragmentScope): Filter | undefined {
  const lists = [
    ['datastore_id', scope.datastoreIds],
    ['datasource_id', scope.datasourceIds],
    ['custom_id', scope.customIds],
    ['stock_status', scope.stockStatuses],
  ] as const;
  const must: Condition[] = [buildEqualsCondition('organization_id', scope.organizationId)];
  for (const [key, values] of lists) {
    if (values === undefined) continue;
    if (values.length === 0) return undefined;
    must.push(buildInCondition(key, values));
  }
  if (scope.price !== undefined) must.push(buildRangeCondition('price', scope.price));
  const excludedIds = scope.excluded?.datasourceIds ?? [];
  return { must, ...(excludedIds.length === 0 ? {} : { must_not: [buildInCondition('datasource_id', excludedIds)] }) };
}
