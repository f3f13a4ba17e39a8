import { IntegerFromText, IsString } from '@quarry/validation';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from './configuration-error.js';
import { parseEnvironment } from './environment.js';
import { readConfigParts } from './read-config-parts.js';

class Named {
  @IsString()
  readonly NAME: string;
}

class Sized {
  @IsString()
  readonly NAME: string;

  @IntegerFromText({ min: 1, max: 9 })
  readonly SIZE: number = 3;
}

const readers = {
  name: (environment: NodeJS.ProcessEnv) => parseEnvironment(Named, environment).NAME,
  size: (environment: NodeJS.ProcessEnv) => parseEnvironment(Sized, environment).SIZE,
};

describe('readConfigParts', () => {
  it('readConfigParts returns the result of each reader under the name of the reader', () => {
    expect(readConfigParts({ NAME: 'n' }, readers)).toEqual({ name: 'n', size: 3 });
  });

  it('readConfigParts reports the problems of all readers in one error, each problem once', () => {
    expect(() => readConfigParts({ SIZE: '10' }, readers)).toThrow(
      new ConfigurationError(['NAME is required', 'SIZE must not be greater than 9, found 10']),
    );
  });

  it('if a reader throws an error other than a ConfigurationError, readConfigParts rethrows the error', () => {
    const throwOtherError = (): never => {
      throw new TypeError('a mistake');
    };
    expect(() => readConfigParts({}, { broken: throwOtherError })).toThrow(TypeError);
  });
});
