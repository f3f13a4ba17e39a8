import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '@quarry/service-kit';
import { expect, it } from 'vitest';
import { lockDataDirectory } from './instance-lock.js';

it('rejects a data folder that another instance uses, and names the environment variable that changes the folder', () => {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-lock-'));
  const lock = lockDataDirectory(directory);
  const locking = (): unknown => lockDataDirectory(directory);
  expect(locking).toThrow(ConfigurationError);
  expect(locking).toThrow(/used by another Quarry \(process \d+, since .*\); stop it, or set QUARRY_DATA_DIR/);
  lock.release();
  rmSync(directory, { recursive: true });
});
