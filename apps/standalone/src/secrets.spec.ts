import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadRootKey } from './secrets.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quarry-secrets-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe('the root key', () => {
  it('the root key is created at the first start and loaded at later starts', () => {
    const first = loadRootKey(directory, undefined);
    expect(first.isNew).toBe(true);
    expect(first.text).toMatch(/^qk_[\w-]{43}$/);
    expect(loadRootKey(directory, undefined)).toEqual({ ...first, isNew: false });
  });

  it('the file of the root key is readable only by its owner', () => {
    const { file } = loadRootKey(directory, undefined);
    expect(statSync(String(file)).mode & 0o777).toBe(0o600);
  });

  it('loadRootKey replaces an empty key file, which an interrupted start can leave, by a file with a new key', () => {
    writeFileSync(join(directory, 'root-key'), '');
    const first = loadRootKey(directory, undefined);
    expect(first.isNew).toBe(true);
    expect(loadRootKey(directory, undefined)).toEqual({ ...first, isNew: false });
    expect(readdirSync(directory)).toEqual(['root-key']);
  });

  it('loadRootKey returns a configured root key, and does not store it', () => {
    expect(loadRootKey(directory, 'qk_given')).toEqual({ text: 'qk_given', isNew: false, file: undefined });
    expect(loadRootKey(directory, undefined).isNew).toBe(true);
  });
});
