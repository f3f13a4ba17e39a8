import type { FragmentScope } from '@quarry/fragment-store';

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

export function both(...conditions: readonly string[]): string {
  return conditions.join(' AND ');
}

/** What a search may see, or undefined where it can see nothing. */
export function scopeFilter(scope: FragmentScope): string | undefined {
  const lists = [
    ['datastore_id', scope.datastoreIds],
    ['datasource_id', scope.datasourceIds],
    ['custom_id', scope.customIds],
  ] as const;
  const conditions = [equals('organization_id', scope.organizationId)];
  // A vacated slot has an empty organization.
  if (scope.organizationId === '') return undefined;
  for (const [column, values] of lists) {
    if (values === undefined) continue;
    if (values.length === 0) return undefined;
    conditions.push(isOneOf(column, values));
  }
  return both(...conditions);
}
