import type { PoolClient } from 'pg';

/** A statement that was sent this often has a fixed shape, rather than a list of accidental length. */
const OFTEN = 10;
/** Each connection keeps each statement, which takes about 10 kB of its process. */
const MOST = 100;
const MOST_COUNTED = 1_000;

/**
 * Prepares frequent statements in the database under a name per connection. PostgreSQL then does not parse and plan them again,
 * which is half of the cost of a small statement. PostgreSQL still chooses the plan (`plan_cache_mode`).
 *
 * @returns the function that is called for each new connection
 */
export function prepareFrequentStatements(): (client: Pick<PoolClient, 'query'>) => void {
  const counted = new Map<string, number>();
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MOST) return known;
    const count = (counted.get(text) ?? 0) + 1;
    if (counted.size >= MOST_COUNTED) counted.clear();
    counted.set(text, count);
    if (count >= OFTEN) names.set(text, `kept_${names.size}`);
    return undefined;
  };
  return (client) => {
    const query: Query = client.query.bind(client);
    const withName: Query = (asked, values, ...rest) => {
      const isKept = isStatement(asked) && Array.isArray(values) && values.length > 0;
      const name = isKept ? nameOf(asked.text) : undefined;
      return query(name === undefined ? asked : { ...Object(asked), name }, values, ...rest);
    };
    client.query = withName as typeof client.query; // it is asked in the same ways
  };
}

type Query = (asked: unknown, values?: unknown, ...rest: readonly unknown[]) => unknown;

/** Drizzle sends this form. Several statements in one text have no values, and cannot be prepared. */
function isStatement(asked: unknown): asked is { readonly text: string } {
  return typeof asked === 'object' && asked !== null && 'text' in asked && typeof asked.text === 'string';
}
