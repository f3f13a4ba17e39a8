import type { PoolClient } from 'pg';

/** One that comes so often has a shape of its own, and is no list that happened to have this length. */
const OFTEN = 10;
/** Each connection's process keeps each of them, some ten thousand bytes. */
const MOST = 100;
const MOST_COUNTED = 1_000;

/**
 * Lets the database keep the statements that come often, each under a name on its connection, instead of parsing and planning them
 * anew: half of what a small one costs. The plan itself stays the database's to choose (`plan_cache_mode`).
 *
 * @returns what is to be done to each new connection
 */
export function keptStatements(): (client: Pick<PoolClient, 'query'>) => void {
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

/** As drizzle asks. What is several statements at once has no values, and cannot be kept. */
function isStatement(asked: unknown): asked is { readonly text: string } {
  return typeof asked === 'object' && asked !== null && 'text' in asked && typeof asked.text === 'string';
}
