import { IsInt, IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { listFieldNames } from './list-field-names.js';

class Named {
  @IsString()
  readonly name: string;
}

class Person extends Named {
  @IsOptional()
  @IsInt()
  readonly age?: number;
}

describe('listFieldNames', () => {
  it('listFieldNames returns each declared field once, including inherited ones', () => {
    expect([...listFieldNames(Person)].sort()).toEqual(['age', 'name']);
  });
});
