import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IntegerFromText, IsOptional, IsString } from '@quarry/validation';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, parseEnvironment } from './environment.js';

class Environment {
  @IntegerFromText({ min: 1, max: 65_535 })
  readonly QUARRY_PORT: number = 3000;

  @IsString()
  readonly QUARRY_TOKEN: string;

  @IsOptional()
  @IsString()
  readonly QUARRY_NAME?: string;
}

describe('parseEnvironment', () => {
  it('reads what is declared, and keeps the default of what is absent or empty', () => {
    const environment = parseEnvironment(Environment, { QUARRY_PORT: '', QUARRY_TOKEN: 't', PATH: '/bin' });
    expect(environment).toEqual({ QUARRY_PORT: 3000, QUARRY_TOKEN: 't' });
  });

  it('reports every problem at once, a line each', () => {
    expect(() => parseEnvironment(Environment, { QUARRY_PORT: 'http' })).toThrow(
      new ConfigurationError([
        'QUARRY_PORT must be an integer number, found "http"',
        'QUARRY_TOKEN must be a string, found nothing',
      ]),
    );
  });

  it('reads a value from the file that the variable with _FILE names', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'quarry-')), 'token');
    writeFileSync(file, 'from-file\n');
    expect(parseEnvironment(Environment, { QUARRY_TOKEN_FILE: file }).QUARRY_TOKEN).toBe('from-file');
    expect(parseEnvironment(Environment, { QUARRY_TOKEN: 'given', QUARRY_TOKEN_FILE: file }).QUARRY_TOKEN).toBe(
      'given',
    );
    expect(() => parseEnvironment(Environment, { QUARRY_TOKEN_FILE: `${file}-missing` })).toThrow(/cannot be read/);
  });

  it('takes an empty file for an absent variable', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'quarry-')), 'name');
    writeFileSync(file, '\n');
    expect(parseEnvironment(Environment, { QUARRY_TOKEN: 't', QUARRY_NAME_FILE: file })).not.toHaveProperty(
      'QUARRY_NAME',
    );
  });
});
