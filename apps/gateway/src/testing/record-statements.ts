import type pg from 'pg';

/** Records the statements that a pool sends. */
export interface StatementRecorder {
  /** Returns the texts of the statements since the last call, in the order in which they were sent. */
  take(): readonly string[];
}

type Query = (config: unknown, ...rest: readonly unknown[]) => unknown;

/**
 * Records each statement of a pool, with those that begin and end transactions and those of libraries. Call this function before the
 * pool connects.
 */
export function recordStatements(pool: pg.Pool): StatementRecorder {
  let sent: string[] = [];
  pool.on('connect', (client) => {
    const query: Query = client.query.bind(client);
    const withRecord: Query = (config, ...rest) => {
      const text = typeof config === 'string' ? config : String(Reflect.get(Object(config), 'text'));
      sent.push(...text.split(/;\s*(?=set\b)/));
      return query(config, ...rest);
    };
    client.query = withRecord as typeof client.query; // the same overloads, with one implementation
  });
  return {
    take: () => {
      const recorded = sent;
      sent = [];
      return recorded;
    },
  };
}
