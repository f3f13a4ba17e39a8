import { access, constants, mkdir, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { requireFreePort, ConfigurationError, createLog, type RunningService } from '@quarry/service-kit';
import { DirectoryInUse, type DirectoryLock, lockDirectory } from '@quarry/directory-lock';
import type { StandaloneConfig } from './config.js';
import { createCloseStack } from './close-stack.js';
import { createProgressReport } from './progress.js';
import { loadOrCreateSample } from './sample/load-or-create-sample.js';
import { loadRootKey } from './secrets.js';
import type * as serviceModules from './service-modules.js';
import { startDatabase, type DatabaseStart } from './start-database.js';
import { formatWelcome } from './format-welcome.js';

export interface RunningStandalone extends RunningService {
  /** The URL of the gateway, such as `http://127.0.0.1:3000`. */
  readonly url: string;
}

/** The defaults of `scripts/ask.mjs`. The repository is three folders above this file. */
const ASK_DEFAULTS = {
  url: 'http://127.0.0.1:3000',
  dataDirectory: fileURLToPath(new URL('../../../data', import.meta.url)),
};

/**
 * Part of the shutdown time, in milliseconds, that is reserved for closing the stores and stopping PostgreSQL after the
 * services have stopped.
 */
const STORES_CLOSE_MS = 5_000;

/**
 * Access mode of the data folder. Other accounts cannot list the folder, but can open files in it by their paths. This
 * is necessary because PostgreSQL may run under another account and must reach its database.
 */
const FOLDER_MODE = 0o711;

/**
 * Starts the five services and their embedded database, queues and stores in this process, and prints the progress.
 *
 * @throws ConfigurationError when another Quarry uses the data folder, the folder is not writable, or the port is in
 *   use
 */
export async function startStandalone(config: StandaloneConfig, out: Writable): Promise<RunningStandalone> {
  const log = createLog('quarry', config.logLevel);
  const progress = createProgressReport(out);
  const { onClose, closeAll } = createCloseStack();
  const { promise: failure, resolve: onFailure } = Promise.withResolvers<Error>();
  out.write(`Quarry starts on ${config.dataDirectory}\n`);
  try {
    await createDataDirectory(config.dataDirectory);
    const lock = lockDataDirectory(config.dataDirectory);
    onClose(() => {
      lock.release();
    });
    await recreateTemporaryFolder(config.temporaryDirectory);
    onClose(() => removeTemporaryFolder(config.temporaryDirectory));
    await requireFreePort(config);
    const opening = { config, log, progress, onClose, onFailure };
    const { databaseUrl, modules } = await startDatabaseAndLoadServices(opening);
    const parts = await modules.openSharedParts(opening, databaseUrl);
    const key = loadRootKey(config.dataDirectory, config.rootKey);
    await modules.ensureRootKey(parts.database.db, key.text);
    const services = await progress.step('Starting the services', async () =>
      modules.startServices(config, parts, log),
    );
    const { url } = services;
    const sample = await progress.step('Reading the sample documents', async () =>
      config.sample
        ? loadOrCreateSample({ dataDirectory: config.dataDirectory, apiUrl: `${url}/api`, key: key.text, log })
        : undefined,
    );
    const { dataDirectory } = config;
    const signInUrl = `${url}${await modules.createSignInPath(parts.database.db, key.text)}`;
    out.write(formatWelcome({ url, signInUrl, dataDirectory, key, sample }, ASK_DEFAULTS));
    return {
      url,
      failure,
      close: async (deadlineMs) => {
        await services.close(Math.max(0, deadlineMs - STORES_CLOSE_MS));
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll().catch(() => undefined);
    throw error;
  }
}

/**
 * Starts the embedded PostgreSQL unless `databaseUrl` is configured. Loads the modules of the services while PostgreSQL
 * starts.
 */
async function startDatabaseAndLoadServices(
  opening: Omit<DatabaseStart, 'onStarting'> & { readonly config: StandaloneConfig },
) {
  let loading: Promise<typeof serviceModules> | undefined;
  const loadServiceModules = (): NonNullable<typeof loading> => (loading ??= import('./service-modules.js'));
  // An error of the import is thrown below, because PostgreSQL can be stopped only after it has started.
  const onStarting = (): void => void loadServiceModules().catch(() => undefined);
  const databaseUrl = opening.config.databaseUrl ?? (await startDatabase({ ...opening, onStarting }));
  return { databaseUrl, modules: await loadServiceModules() };
}

/** Creates the data folder if it is missing. @throws ConfigurationError if Quarry cannot read and write in it */
async function createDataDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: FOLDER_MODE });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ConfigurationError(
      [`the data folder ${directory} cannot be written (${reason}): make it writable, or set QUARRY_DATA_DIR`],
      { cause: error },
    );
  }
}

/** Locks a data folder for one process. @throws ConfigurationError naming the process that uses the folder */
export function lockDataDirectory(directory: string): DirectoryLock {
  try {
    return lockDirectory(directory, 'instance');
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new ConfigurationError(
      [`the data folder ${directory} is used by another Quarry (${error.holder}); stop it, or set QUARRY_DATA_DIR`],
      { cause: error },
    );
  }
}

/**
 * Creates an empty folder for temporary files. If the folder exists, deletes it first with the files that a killed
 * process left in it, so no other process may use it.
 */
export async function recreateTemporaryFolder(folder: string): Promise<void> {
  await removeTemporaryFolder(folder);
  await mkdir(folder, { mode: 0o700 });
}

/** Removes the folder for temporary files with its content. LanceDB, for example, leaves files in it. */
async function removeTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
