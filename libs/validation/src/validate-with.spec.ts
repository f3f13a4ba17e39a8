import { describe, expect, it } from 'vitest';
import {
  compileShapeCheck,
  createJsonSchema,
  Describe,
  IsOptional,
  parse,
  ValidateWith,
  ValidationError,
} from './index.js';

class Even {
  @Describe('Even numbers.', { type: 'array' })
  @IsOptional()
  @ValidateWith((value) => {
    if (!Array.isArray(value)) return [{ path: '', message: 'must be a list', found: value }];
    return value.flatMap((one: unknown, at) =>
      typeof one === 'number' && one % 2 === 0 ? [] : [{ path: String(at), message: 'must be even', found: one }],
    );
  })
  readonly numbers?: readonly number[];
}

describe('ValidateWith', () => {
  const listIssues = (value: object): unknown => {
    try {
      return parse(Even, value, 'refuse');
    } catch (error) {
      return error instanceof ValidationError ? error.issues : error;
    }
  };

  it('parse returns a value unchanged if ValidateWith finds no violation', () => {
    expect(listIssues({ numbers: [2, 4] })).toEqual({ numbers: [2, 4] });
    expect(listIssues({})).toEqual({});
  });

  it('parse reports every violation of ValidateWith with the path of the violation and the found value', () => {
    expect(listIssues({ numbers: [1, 2, 'x'] })).toEqual([
      { path: 'numbers.0', message: 'must be even, found 1' },
      { path: 'numbers.2', message: 'must be even, found "x"' },
    ]);
    expect(listIssues({ numbers: 'x' })).toEqual([{ path: 'numbers', message: 'must be a list, found "x"' }]);
  });

  it('a compiled check of a field with ValidateWith accepts the same values as parse', () => {
    const check = compileShapeCheck(Even, 'refuse');
    expect([[2], [1], 'x', undefined].map((numbers) => check({ numbers }))).toEqual([true, false, false, true]);
  });

  it('the JSON Schema of a field with ValidateWith contains the type and the text of Describe', () => {
    const schema = createJsonSchema(Even, { getSchemaReference: () => ({}) });
    expect(schema.properties['numbers']).toEqual({ description: 'Even numbers.', type: ['array', 'null'] });
  });
});
