import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '@quarry/service-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataDirectory, recreateTemporaryFolder } from './start-standalone.js';

describe('the data folder of Quarry on one machine', () => {
  it('lockDataDirectory rejects a data folder that another instance uses, and names the variable that changes the folder', () => {
    const directory = mkdtempSync(join(tmpdir(), 'quarry-lock-'));
    const lock = lockDataDirectory(directory);
    const lockAgain = (): unknown => lockDataDirectory(directory);
    expect(lockAgain).toThrow(ConfigurationError);
    expect(lockAgain).toThrow(/used by another Quarry \(process \d+, since .*\); stop it, or set QUARRY_DATA_DIR/);
    lock.release();
    rmSync(directory, { recursive: true });
  });

  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'quarry-temporary-'));
  });

  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  it('recreateTemporaryFolder creates a temporary folder that only its owner can read', async () => {
    const folder = join(directory, 'tmp');
    await recreateTemporaryFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('recreateTemporaryFolder removes the temporary files of a killed process', async () => {
    const folder = join(directory, 'tmp');
    mkdirSync(join(folder, '.tmpLeft'), { recursive: true });
    writeFileSync(join(folder, '.tmpLeft', 'part'), 'of an index');
    await recreateTemporaryFolder(folder);
    expect(readdirSync(folder)).toEqual([]);
  });
});
