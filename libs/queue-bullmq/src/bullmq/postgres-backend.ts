import { PostgresConnection, PostgresQueueBackend, type BackendFactory, type PostgresConnectionOptions } from 'bullmq';

/** Makes what a queue or a worker of BullMQ works on, in place of BullMQ's own `createPostgresBackend`. */
export const createBackend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (name, opts, kind) => {
  const listeningAs = kind?.withBlockingConnection === true ? name : undefined;
  return new PostgresQueueBackend(new PreparedConnection(opts.connection), name, opts, true, listeningAs);
};

/** A connection to a database whose schema was brought up to date before. */
class PreparedConnection extends PostgresConnection {
  /** Has nothing to wait for. BullMQ would verify the schema, and keep a failure of that for good: no later statement would be sent. */
  override async waitUntilReady(): Promise<void> {
    return Promise.resolve();
  }
}
