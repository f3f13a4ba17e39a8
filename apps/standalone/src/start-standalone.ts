import { access, constants, mkdir } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { ensureRootKey } from '@quarry/gateway';
import { checkPort, ConfigurationError, createLog, type RunningService } from '@quarry/service-kit';
import type { StandaloneConfig } from './config.js';
import { lockDataDirectory } from './instance-lock.js';
import { rememberToClose } from './on-close.js';
import { openParts } from './parts.js';
import { showProgress } from './progress.js';
import { ensureSample } from './sample/ensure-sample.js';
import { rootKey } from './secrets.js';
import { startServices } from './services.js';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder.js';
import { welcome } from './welcome.js';

export interface RunningStandalone extends RunningService {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
}

/** Others may pass through, which the database's own user has to, but not look in. */
const FOLDER_MODE = 0o711;

/**
 * Starts the five services in this process, on parts that need nothing installed, and tells a person how it goes.
 *
 * @throws ConfigurationError when another Quarry uses the data folder, the folder cannot be written, or the port is used
 */
export async function startStandalone(config: StandaloneConfig, out: Writable): Promise<RunningStandalone> {
  const log = createLog('quarry', config.logLevel);
  const progress = showProgress(out);
  const { onClose, closeAll } = rememberToClose();
  const { promise: failure, resolve: onFailure } = Promise.withResolvers<Error>();
  out.write(`Quarry starts on ${config.dataDirectory}\n`);
  try {
    await makeDataDirectory(config.dataDirectory);
    const lock = lockDataDirectory(config.dataDirectory);
    onClose(() => {
      lock.release();
    });
    await makeTemporaryFolder(config.temporaryDirectory);
    onClose(() => removeTemporaryFolder(config.temporaryDirectory));
    await checkPort(config);
    const parts = await openParts({ config, log, progress, onClose, onFailure });
    const key = rootKey(config.dataDirectory, config.rootKey);
    await ensureRootKey(parts.database.db, key.text);
    const services = await progress.step('Starting the services', async () => startServices(config, parts, log));
    const { url } = services;
    const sample = await progress.step('Reading the sample documents', async () =>
      config.sample
        ? ensureSample({ dataDirectory: config.dataDirectory, apiUrl: `${url}/api`, key: key.text, log })
        : undefined,
    );
    out.write(welcome({ url, key, sample }));
    return {
      url,
      failure,
      close: async (deadlineMs) => {
        await services.close(deadlineMs);
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll().catch(() => undefined);
    throw error;
  }
}

/** @throws ConfigurationError naming the variable to change */
async function makeDataDirectory(directory: string): Promise<void> {
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
