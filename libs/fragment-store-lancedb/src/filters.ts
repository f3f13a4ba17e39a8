import type { FragmentScope, PriceBounds } from '@quarry/fragment-store';

/** Formats a text as an SQL string literal, in which only single quotes must be escaped. */
export function quoteSqlText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

export function buildEqualsCondition(column: string, value: string): string {
  return `${column} = ${quoteSqlText(value)}`;
}

export function buildInCondition(column: string, values: readonly string[]): string {
  return `${column} IN (${values.map(quoteSqlText).join(', ')})`;
}

export function buildNotInCondition(column: string, values: readonly string[]): string {
  return `NOT (${buildInCondition(column, values)})`;
}

export function joinConditions(...conditions: readonly string[]): string {
  return conditions.join(' AND ');
}

function buildPriceConditions(column: string, bounds: PriceBounds | undefined): readonly string[] {
  if (bounds === undefined) return [];
  const { min, max } = bounds;
  return [
    `${column} IS NOT NULL`,
    ...(min === undefined ? [] : [`${column} >= ${formatSqlNumber(min)}`]),
    ...(max === undefined ? [] : [`${column} <= ${formatSqlNumber(max)}`]),
  ];
}

/**
 * Formats a number as an SQL expression. The number is a text with a cast, because not every dialect of SQL accepts
 * exponents.
 */
function formatSqlNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`expected a price that is a finite number, found ${value}`);
  return `CAST('${value}' AS DOUBLE)`;
}

/**
 * Returns the filter of a scope without the metadata filter, or undefined if the scope matches nothing. The filter has
 * no condition on the organization, because each organization has its own table.
 */
export function buildScopeFilter(scope: FragmentScope): string | undefined {
  const lists = [
    // The rows of vacated slots have an empty datastore id, which no scope may match.
    ['datastore_id', scope.datastoreIds.filter((id) => id !== '')],
    ['datasource_id', scope.datasourceIds],
    ['custom_id', scope.customIds],
    ['stock_status', scope.stockStatuses],
  ] as const;
  const conditions: string[] = [];
  for (const [column, values] of lists) {
    if (values === undefined) continue;
    if (values.length === 0) return undefined;
    conditions.push(buildInCondition(column, values));
  }
  const excludedIds = scope.excluded?.datasourceIds ?? [];
  if (excludedIds.length > 0) conditions.push(buildNotInCondition('datasource_id', excludedIds));
  return joinConditions(...conditions, ...buildPriceConditions('price', scope.price));
}
