import type { FragmentScope, PriceBounds } from '@quarry/fragment-store';

/** Quotes a string literal of SQL, in which only the quote is special. */
export function quoteLiteral(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

export function equals(column: string, value: string): string {
  return `${column} = ${quoteLiteral(value)}`;
}

export function isOneOf(column: string, values: readonly string[]): string {
  return `${column} IN (${values.map(quoteLiteral).join(', ')})`;
}

export function isNoneOf(column: string, values: readonly string[]): string {
  return `NOT (${isOneOf(column, values)})`;
}

export function joinConditions(...conditions: readonly string[]): string {
  return conditions.join(' AND ');
}

function buildPriceConditions(column: string, bounds: PriceBounds | undefined): readonly string[] {
  if (bounds === undefined) return [];
  const { min, max } = bounds;
  return [
    `${column} IS NOT NULL`,
    ...(min === undefined ? [] : [`${column} >= ${number(min)}`]),
    ...(max === undefined ? [] : [`${column} <= ${number(max)}`]),
  ];
}

/** Formats a number. A cast is needed, because not every dialect of SQL accepts an exponent. */
function number(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`expected a price that is a finite number, found ${value}`);
  return `CAST('${value}' AS DOUBLE)`;
}

/** Returns the filter of a scope, or undefined if the scope matches nothing. */
export function buildScopeFilter(scope: FragmentScope): string | undefined {
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
  return joinConditions(...conditions, ...buildPriceConditions('price', scope.price));
}
