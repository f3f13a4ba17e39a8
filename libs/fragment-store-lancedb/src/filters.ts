import type { FragmentScope, PriceBounds } from '@quarry/fragment-store';

/** A string literal of SQL: inside it nothing but the quote has a meaning. */
export function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

export function equals(column: string, value: string): string {
  return `${column} = ${literal(value)}`;
}

export function isOneOf(column: string, values: readonly string[]): string {
  return `${column} IN (${values.map(literal).join(', ')})`;
}

export function isNoneOf(column: string, values: readonly string[]): string {
  return `NOT (${isOneOf(column, values)})`;
}

export function both(...conditions: readonly string[]): string {
  return conditions.join(' AND ');
}

function within(column: string, bounds: PriceBounds | undefined): readonly string[] {
  if (bounds === undefined) return [];
  const { min, max } = bounds;
  return [
    `${column} IS NOT NULL`,
    ...(min === undefined ? [] : [`${column} >= ${number(min)}`]),
    ...(max === undefined ? [] : [`${column} <= ${number(max)}`]),
  ];
}

/** With an exponent, too, which not every dialect of SQL takes as it stands. */
function number(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`a price is to be a finite number, found ${value}`);
  return `CAST('${value}' AS DOUBLE)`;
}

/** Returns the filter of what a search may see, or undefined where it can see nothing. */
export function scopeFilter(scope: FragmentScope): string | undefined {
  const lists = [
    ['datastore_id', scope.datastoreIds],
    ['datasource_id', scope.datasourceIds],
    ['custom_id', scope.customIds],
    ['stock_status', scope.stockStatuses],
  ] as const;
  const conditions = [equals('organization_id', scope.organizationId)];
  // A vacated slot has an empty organization.
  if (scope.organizationId === '') return undefined;
  for (const [column, values] of lists) {
    if (values === undefined) continue;
    if (values.length === 0) return undefined;
    conditions.push(isOneOf(column, values));
  }
  const excludedIds = scope.excluded?.datasourceIds ?? [];
  if (excludedIds.length > 0) conditions.push(isNoneOf('datasource_id', excludedIds));
  return both(...conditions, ...within('price', scope.price));
}
