import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@quarry/embedded-postgres';
import type { StandaloneConfig } from './config.js';
import type { Opening } from './shared-parts.js';

export interface DatabaseStart extends Omit<Opening, 'config'> {
  readonly config: Pick<StandaloneConfig, 'dataDirectory' | 'databaseRestartMs'>;
  /** Receives the reason when the database has crashed and could not be restarted. */
  readonly onFailure: (error: Error) => void;
  /** Called when the processes of PostgreSQL have been started, but are not ready yet. */
  readonly onStarting: () => void;
}

/** Starts the embedded PostgreSQL, whose files are in the data folder. @returns its URL */
export async function startDatabase({
  config,
  log,
  progress,
  onClose,
  onFailure,
  onStarting,
}: DatabaseStart): Promise<string> {
  return progress.step('Starting PostgreSQL', async () => {
    const directory = join(config.dataDirectory, 'postgres');
    await mkdir(directory, { recursive: true });
    const restartTimeoutMs = config.databaseRestartMs;
    const postgres = await startEmbeddedPostgres({ directory, restartTimeoutMs, log, onStarting });
    void postgres.givenUp.then(onFailure);
    onClose(() => postgres.stop());
    return postgres.url;
  });
}
