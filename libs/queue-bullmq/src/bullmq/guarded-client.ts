import pg from 'pg';

/**
 * A client that survives the end of its server. The pool listens to idle clients only: while a client is in use and between two
 * statements, an error of its connection would otherwise end this process. Its next statement fails, and the pool drops it.
 */
export class GuardedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
