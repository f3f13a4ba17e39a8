import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rootKey } from './secrets.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quarry-secrets-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe('rootKey', () => {
  it('makes a key once, and keeps it', () => {
    const first = rootKey(directory, undefined);
    expect(first.isNew).toBe(true);
    expect(first.text).toMatch(/^qk_[\w-]{43}$/);
    expect(rootKey(directory, undefined)).toEqual({ ...first, isNew: false });
  });

  it('is readable by its owner alone', () => {
    const { file } = rootKey(directory, undefined);
    expect(statSync(String(file)).mode & 0o777).toBe(0o600);
  });

  it('prefers the key it was given, and does not keep it', () => {
    expect(rootKey(directory, 'qk_given')).toEqual({ text: 'qk_given', isNew: false, file: undefined });
    expect(rootKey(directory, undefined).isNew).toBe(true);
  });
});
