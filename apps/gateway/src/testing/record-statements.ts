import type pg from 'pg';

/** Records the SQL statements that a connection pool sends. */
export interface StatementRecorder {
  /** Returns the texts of the statements that were sent since the previous call, in the order of sending. */
  takeStatements(): readonly string[];
  /**
   * Returns the number of round trips since the last call of `takeStatements`: the length of the longest sequence in
   * which each statement was sent after the response to the previous statement.
   */
  countRoundTrips(): number;
}

type Query = (config: unknown, ...rest: readonly unknown[]) => unknown;

/**
 * Records each statement of a pool, including statements of libraries and statements that begin and end transactions.
 * Call this function before the pool connects.
 */
export function recordStatements(pool: pg.Pool): StatementRecorder {
  let sent: string[] = [];
  let longest = { length: 0 };
  pool.on('connect', (client) => {
    const query: Query = client.query.bind(client);
    const withRecord: Query = (config, ...rest) => {
      const text = typeof config === 'string' ? config : String(Reflect.get(Object(config), 'text'));
      sent.push(...text.split(/;\s*(?=set\b)/));
      const sequence = longest;
      const length = sequence.length + 1;
      const onResponse = (): void => {
        sequence.length = Math.max(sequence.length, length);
      };
      const callback = rest.at(-1);
      if (typeof callback === 'function') {
        return query(config, ...rest.slice(0, -1), (...response: readonly unknown[]) => {
          onResponse();
          Reflect.apply(callback, undefined, response);
        });
      }
      const response = query(config, ...rest);
      if (response instanceof Promise) void response.then(onResponse, onResponse);
      return response;
    };
    client.query = withRecord as typeof client.query; // the same overloads, with one implementation
  });
  return {
    takeStatements: () => {
      const recorded = sent;
      sent = [];
      longest = { length: 0 };
      return recorded;
    },
    countRoundTrips: () => longest.length,
  };
}
