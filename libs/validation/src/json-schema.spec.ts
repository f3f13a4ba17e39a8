import { describe, expect, it } from 'vitest';
import {
  AliasOf,
  ArrayMaxSize,
  Describe,
  Equals,
  IntegerFromText,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  OrNull,
  parse,
  createJsonSchema,
  Type,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from './index.js';

@Describe('A leaf.')
class Leaf {
  @IsString()
  @IsNotEmpty()
  @Matches(/\S/u)
  @Describe('What is on it.')
  readonly text: string;
}

class Plant {
  @Equals('plant')
  readonly kind: 'plant';

  @IsOptional()
  @IsIn(['a', 'b'])
  readonly size?: 'a' | 'b';
}

@Describe('A tree.', { minProperties: 2 })
class Tree extends Plant {
  @IntegerFromText({ min: 1, max: 9 })
  readonly height: number;

  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => Leaf)
  readonly leaves: readonly Leaf[];

  @IsArray()
  @IsString({ each: true })
  readonly names: readonly string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Leaf)
  readonly first?: Leaf;

  @OrNull()
  @IsString()
  readonly owner: string | null;

  @ValidateIf((tree: Tree) => tree.height > 3)
  @IsString()
  readonly permit?: string;
}

const getSchemaReference = ({ name }: { readonly name: string }) => ({ $ref: `#/${name}` });

describe('the JSON Schema of a class', () => {
  it('the JSON Schema of a class contains the rules that have their own message', () => {
    class Named {
      @IsString()
      @Matches(/^[a-z]+$/, { message: 'must be lower-case letters' })
      readonly name: string;
    }
    expect(createJsonSchema(Named, { getSchemaReference }).properties).toEqual({
      name: { type: 'string', pattern: '^[a-z]+$' },
    });
  });

  it('the JSON Schema of a class describes the rules of the class and of its superclasses', () => {
    expect(createJsonSchema(Tree, { getSchemaReference })).toEqual({
      type: 'object',
      description: 'A tree.',
      minProperties: 2,
      properties: {
        kind: { type: 'string', const: 'plant' },
        size: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
        height: { type: 'integer', minimum: 1, maximum: 9 },
        leaves: { type: 'array', maxItems: 3, items: { $ref: '#/Leaf' } },
        names: { type: 'array', items: { type: 'string' } },
        first: { anyOf: [{ $ref: '#/Leaf' }, { type: 'null' }] },
        owner: { type: ['string', 'null'] },
        permit: { type: 'string' },
      },
      required: expect.arrayContaining(['kind', 'height', 'leaves', 'names', 'owner']) as unknown,
    });
    expect(createJsonSchema(Tree, { getSchemaReference }).required).toHaveLength(5);
  });

  it('the JSON Schema of a class includes the texts that Describe sets', () => {
    expect(createJsonSchema(Leaf, { getSchemaReference })).toEqual({
      type: 'object',
      description: 'A leaf.',
      properties: { text: { type: 'string', description: 'What is on it.', minLength: 1, pattern: '\\S' } },
      required: ['text'],
    });
  });

  it('if the option `nulls` is false, the JSON Schema of a class does not allow null in optional fields', () => {
    expect(createJsonSchema(Plant, { getSchemaReference, nulls: false }).properties['size']).toEqual({
      type: 'string',
      enum: ['a', 'b'],
    });
  });

  it('the JSON Schema of a class omits an alias, although parse accepts it', () => {
    class Window {
      @IsOptional()
      @IsString()
      readonly maxWidth?: string;

      @AliasOf('maxWidth')
      @IsOptional()
      @IsString()
      readonly max_width?: string;
    }
    expect(Object.keys(createJsonSchema(Window, { getSchemaReference }).properties)).toEqual(['maxWidth']);
    expect(parse(Window, { max_width: 'a' }, 'refuse')).toEqual({ max_width: 'a' });
  });

  it('createJsonSchema rejects a rule without a JSON Schema equivalent', () => {
    class Odd {
      @ValidateBy({ name: 'isOdd', validator: { validate: (value) => Number(value) % 2 === 1 } })
      readonly number: number;
    }
    expect(() => createJsonSchema(Odd, { getSchemaReference })).toThrow(/Odd.number has the rule isOdd/);
  });

  it('parse accepts null in a field with OrNull, and rejects a missing field and a value of another type', () => {
    class Owned {
      @OrNull()
      @IsString()
      readonly owner: string | null;
    }
    expect(parse(Owned, { owner: null }, 'refuse').owner).toBeNull();
    expect(() => parse(Owned, {}, 'refuse')).toThrow(/owner/);
    expect(() => parse(Owned, { owner: 7 }, 'refuse')).toThrow(/owner/);
  });
});
