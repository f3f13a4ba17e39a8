import { IntegerFromText, IsString } from '@quarry/validation';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, parseEnvironment } from './environment.js';
import { readParts } from './read-parts.js';

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

describe('readParts', () => {
  it('readParts returns the results of all parts', () => {
    expect(readParts({ NAME: 'n' }, readers)).toEqual({ name: 'n', size: 3 });
  });

  it('readParts reports the problems of all parts, each once', () => {
    expect(() => readParts({ SIZE: '10' }, readers)).toThrow(
      new ConfigurationError(['NAME is required', 'SIZE must not be greater than 9, found 10']),
    );
  });

  it('readParts rethrows an error that is not a ConfigurationError', () => {
    const throwOtherError = (): never => {
      throw new TypeError('a mistake');
    };
    expect(() => readParts({}, { broken: throwOtherError })).toThrow(TypeError);
  });
});
