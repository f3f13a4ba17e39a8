import { IsInt, IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from './fields-of.js';

class Named {
  @IsString()
  readonly name: string;
}

class Person extends Named {
  @IsOptional()
  @IsInt()
  readonly age?: number;
}

describe('fieldsOf', () => {
  it('returns each declared field once, including inherited ones', () => {
    expect([...fieldsOf(Person)].sort()).toEqual(['age', 'name']);
  });
});
