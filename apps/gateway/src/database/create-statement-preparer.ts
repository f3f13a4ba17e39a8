import type { PoolClient } from 'pg';

/**
 * Number of executions after which a statement is prepared. Rare statements, such as statements with lists of varying
 * length, are not prepared.
 */
const MIN_EXECUTIONS = 10;
/**
 * Maximum number of prepared statements per connection. Each uses about 10 kB of memory in the PostgreSQL process of
 * the connection.
 */
const MAX_PREPARED = 100;
/** Maximum number of different statements whose executions are counted. When it is reached, counting starts again. */
const MAX_COUNTED = 1_000;

/**
 * Creates a function that makes a connection prepare frequent statements, so that PostgreSQL does not parse and plan
 * them again. Parsing and planning take half of the time of a small statement. For a prepared statement, PostgreSQL
 * still chooses between a generic and a custom plan (`plan_cache_mode`).
 *
 * @returns the function to call once with each new connection
 */
export function createStatementPreparer(): (client: Pick<PoolClient, 'query'>) => void {
  const executions = new Map<string, number>();
  const names = new Map<string, string>();
  const chooseStatementName = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_PREPARED) return known;
    const count = (executions.get(text) ?? 0) + 1;
    if (executions.size >= MAX_COUNTED) executions.clear();
    executions.set(text, count);
    if (count >= MIN_EXECUTIONS) names.set(text, `kept_${names.size}`);
    return undefined;
  };
  return (client) => {
    const query: Query = client.query.bind(client);
    const withStatementName: Query = (config, values, ...rest) => {
      const canPrepare = isStatement(config) && Array.isArray(values) && values.length > 0;
      const name = canPrepare ? chooseStatementName(config.text) : undefined;
      return query(name === undefined ? config : { ...Object(config), name }, values, ...rest);
    };
    client.query = withStatementName as typeof client.query; // the same overloads, with one implementation
  };
}

type Query = (config: unknown, values?: unknown, ...rest: readonly unknown[]) => unknown;

/** Returns true for an object that contains the text of a statement. Drizzle passes such objects to `query`. */
function isStatement(config: unknown): config is { readonly text: string } {
  return typeof config === 'object' && config !== null && 'text' in config && typeof config.text === 'string';
}
