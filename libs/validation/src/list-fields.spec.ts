import { IsInt, IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { listFields } from './list-fields.js';

class Named {
  @IsString()
  readonly name: string;
}

class Person extends Named {
  @IsOptional()
  @IsInt()
  readonly age?: number;
}

describe('listFields', () => {
  it('listFields returns each declared field once, including inherited ones', () => {
    expect([...listFields(Person)].sort()).toEqual(['age', 'name']);
  });
});
