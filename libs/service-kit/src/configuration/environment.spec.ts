import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IntegerFromText, IsOptional, IsString, Matches } from '@quarry/validation';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from './configuration-error.js';
import { parseEnvironment } from './environment.js';

class Environment {
  @IntegerFromText({ min: 1, max: 65_535 })
  readonly QUARRY_PORT: number = 3000;

  @IsString()
  readonly QUARRY_TOKEN: string;

  @IsOptional()
  @IsString()
  readonly QUARRY_NAME?: string;
}

function catchErrorMessage(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('expected the call to throw an error');
}

describe('parseEnvironment', () => {
  it('parseEnvironment reads the declared variables, and uses the default of a variable that is absent or empty', () => {
    const environment = parseEnvironment(Environment, { QUARRY_PORT: '', QUARRY_TOKEN: 't', PATH: '/bin' });
    expect(environment).toEqual({ QUARRY_PORT: 3000, QUARRY_TOKEN: 't' });
  });

  it('parseEnvironment reports all problems at once, one per line', () => {
    expect(() => parseEnvironment(Environment, { QUARRY_PORT: 'http' })).toThrow(
      new ConfigurationError(['QUARRY_PORT must be an integer number, found "http"', 'QUARRY_TOKEN is required']),
    );
  });

  it('parseEnvironment does not show the value of a secret variable that is invalid', () => {
    class Secrets {
      @Matches(/^.{8,}$/, { message: 'must have 8 characters' })
      readonly QUARRY_ROOT_KEY: string;

      @Matches(/^postgres:/, { message: 'must be a postgres:// address' })
      readonly DATABASE_URL: string;
    }
    const given = { QUARRY_ROOT_KEY: 'geheim7', DATABASE_URL: 'mysql://me:geheim@host/"quoted", found "x"' };
    const error = catchErrorMessage(() => parseEnvironment(Secrets, given));
    expect(error).toMatch(/QUARRY_ROOT_KEY must have 8 characters \(the value is not shown\)$/m);
    expect(error).toMatch(/DATABASE_URL must be a postgres:\/\/ address \(the value is not shown\)$/m);
    expect(error).not.toContain('geheim');
  });

  it('parseEnvironment reports a single problem in one line', () => {
    expect(catchErrorMessage(() => parseEnvironment(Environment, {}))).toBe(
      'The configuration is not valid: QUARRY_TOKEN is required',
    );
  });

  it('parseEnvironment reads the value of a variable from the file that the variable with the suffix _FILE names', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'quarry-')), 'token');
    writeFileSync(file, 'from-file\n');
    expect(parseEnvironment(Environment, { QUARRY_TOKEN_FILE: file }).QUARRY_TOKEN).toBe('from-file');
    expect(parseEnvironment(Environment, { QUARRY_TOKEN: 'given', QUARRY_TOKEN_FILE: file }).QUARRY_TOKEN).toBe(
      'given',
    );
    expect(() => parseEnvironment(Environment, { QUARRY_TOKEN_FILE: `${file}-missing` })).toThrow(/cannot be read/);
  });

  it('parseEnvironment treats a variable as absent if the file that its `_FILE` variable names is empty', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'quarry-')), 'name');
    writeFileSync(file, '\n');
    expect(parseEnvironment(Environment, { QUARRY_TOKEN: 't', QUARRY_NAME_FILE: file })).not.toHaveProperty(
      'QUARRY_NAME',
    );
  });
});
