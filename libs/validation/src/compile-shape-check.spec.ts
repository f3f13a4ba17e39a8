import { registerDecorator, ValidatePromise, validateSync } from 'class-validator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ArrayMaxSize,
  compileShapeCheck,
  IsArray,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  OrNull,
  parse,
  Transform,
  Type,
  ValidateIf,
  ValidateNested,
  ValidationError,
  type Shape,
  type UnknownFields,
} from './index.js';

class Leaf {
  @IsString()
  @IsNotEmpty()
  readonly text: string;

  @OrNull()
  @IsInt()
  readonly age: number | null;
}

class Above {
  @IsIn(['oak', 'elm'])
  readonly kind: string;
}

class Tree extends Above {
  @Min(0)
  @Max(3)
  readonly height: number;

  @IsOptional()
  @Matches(/^[ab]+$/)
  readonly name?: string;

  @IsArray()
  @ArrayMaxSize(2)
  @IsString({ each: true })
  readonly words: readonly string[];

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Leaf)
  readonly leaves?: readonly Leaf[];

  @ValidateIf((tree: { kind: unknown }) => tree.kind === 'oak')
  @ValidateNested()
  @Type(() => Leaf)
  readonly acorn?: Leaf;

  @IsOptional()
  @IsObject()
  readonly more?: object;
}

const odd = fc.oneof(fc.constantFrom(null, '', 'a', 'oak', 0, 2, 9, 1.5, true), fc.jsonValue());
const createMostly = <T>(good: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: good, weight: 12 }, { arbitrary: odd, weight: 1 });
const leaf = fc.record(
  {
    text: createMostly(fc.string({ minLength: 1 })),
    age: createMostly(fc.option(fc.integer())),
    unknown: odd,
  },
  { requiredKeys: ['text', 'age'] },
);
const tree = fc.record(
  {
    kind: createMostly(fc.constantFrom('oak', 'elm')),
    height: createMostly(fc.integer({ min: 0, max: 3 })),
    name: createMostly(fc.constantFrom('a', 'abba', null)),
    words: createMostly(fc.array(createMostly(fc.string()), { maxLength: 2 })),
    leaves: createMostly(fc.array(createMostly(leaf), { maxLength: 3 })),
    acorn: createMostly(leaf),
    more: createMostly(fc.object()),
    unknown: odd,
  },
  { requiredKeys: ['kind', 'height', 'words', 'acorn'] },
);

function isParsed(shape: Shape<object>, value: unknown, unknownFields: UnknownFields): boolean {
  try {
    parse(shape, value, unknownFields);
    return true;
  } catch (error) {
    if (error instanceof ValidationError) return false;
    throw error;
  }
}

class Flat {
  @Min(0)
  @Max(3)
  @IsInt()
  readonly height: number;

  @IsOptional()
  @Matches(/^[ab]+$/, { message: '$property of $target must match $constraint1' })
  readonly name?: string;

  @IsArray()
  @ArrayMaxSize(2)
  @IsString({ each: true })
  @IsIn(['a', 'b'], { each: true })
  readonly words: readonly string[];

  @OrNull()
  @IsIn(['oak', 'elm'])
  readonly kind: string | null;
}

const flat = fc.record(
  {
    height: createMostly(fc.integer({ min: 0, max: 3 })),
    name: createMostly(fc.constantFrom('a', 'abba', null)),
    words: createMostly(fc.array(createMostly(fc.constantFrom('a', 'b')), { maxLength: 2 })),
    kind: createMostly(fc.constantFrom('oak', null)),
  },
  { requiredKeys: [] },
);

/** Returns the first message of class-validator for each invalid field, after the name of the field. */
function validateWithClassValidator(value: object): readonly string[] {
  return validateSync(Object.assign(new Flat(), value), { stopAtFirstError: true }).flatMap((error) =>
    Object.values(error.constraints ?? {}).map((message) => `${error.property}: ${message}`),
  );
}

/** Returns the messages of `parse`, each after the name of its field, without positions in lists and found values. */
function validateWithParse(value: object): readonly string[] {
  try {
    parse(Flat, value, 'refuse');
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const getField = (path: string): string => path.replace(/\.\d+$/, '');
    return error.issues.map(({ path, message }) => `${getField(path)}: ${message.replace(/, found [^]*$/, '')}`);
  }
}

/** Matches the messages of `parse` for a missing value and for a value of the wrong type. */
const OWN_MESSAGE = /^(\w+): (is required|must be a (string|number|list))$/;

describe('parse and class-validator', () => {
  it('parse rejects the same fields as class-validator, with other messages only for absent or mistyped values', () => {
    fc.assert(
      fc.property(flat, (value) => {
        const expected = validateWithClassValidator(value).map((text) =>
          text.replace(/^(\w+): (?:each value in )?\1 /, '$1: '),
        );
        const found = validateWithParse(value);
        expect(found.map((text) => text.split(':', 1))).toEqual(expected.map((text) => text.split(':', 1)));
        for (const [index, text] of found.entries()) {
          if (!OWN_MESSAGE.test(text)) expect(text).toBe(expected[index]);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a compiled check', () => {
  it.each(['ignore', 'refuse'] as const)(
    'a compiled check accepts the same JSON values as parse, with the option %s',
    (unknownFields) => {
      const check = compileShapeCheck(Tree, unknownFields);
      const said = new Set<boolean>();
      fc.assert(
        fc.property(createMostly(tree), (value) => {
          said.add(check(value));
          expect(check(value)).toBe(isParsed(Tree, value, unknownFields));
        }),
        { numRuns: 1_000 },
      );
      expect(said.size).toBe(2);
    },
  );

  it.each([[[]], [[[]]], [[1]], [[{ text: 'a', age: 1 }]], [[{ text: 1, age: 1 }]]])(
    'a compiled check accepts the same nested lists as parse: %j',
    (...leaves) => {
      const value = { kind: 'elm', height: 0, words: [], leaves };
      expect(compileShapeCheck(Tree, 'refuse')(value)).toBe(isParsed(Tree, value, 'refuse'));
    },
  );

  it('a compiled check does not change the value that it checks', () => {
    const value = { text: 'a', age: null, unknown: 1 };
    expect(compileShapeCheck(Leaf, 'ignore')(value)).toBe(true);
    expect(value).toEqual({ text: 'a', age: null, unknown: 1 });
  });
});

describe('compileShapeCheck for an unsupported shape', () => {
  class ForSomeGroups {
    @IsString({ groups: ['new'] })
    readonly text: string;
  }
  class ForSomeValues {
    @IsString({ validateIf: (object: object) => 'other' in object })
    readonly text: string;
  }
  class Promised {
    @ValidatePromise()
    readonly text: Promise<string>;
  }
  class Transformed {
    @Transform(({ value }) => String(value))
    @IsString()
    readonly text: string;
  }
  class BelowTransformed extends Transformed {
    @IsInt()
    readonly number: number;
  }
  class WithoutType {
    @ValidateNested()
    readonly leaf: Leaf;
  }
  class Endless {
    @IsOptional()
    @ValidateNested()
    @Type(() => Endless)
    readonly next?: Endless;
  }
  class WithoutRules {}
  class HoldsTransformed {
    @ValidateNested()
    @Type(() => Transformed)
    readonly inner: Transformed;
  }

  it.each([
    [ForSomeGroups, 'ForSomeGroups.text has a rule with `groups` or `validateIf`'],
    [ForSomeValues, 'ForSomeValues.text has a rule with `groups` or `validateIf`'],
    [Promised, 'Promised.text has the rule promiseValidation'],
    [Transformed, 'found Transformed.text: use parse'],
    [BelowTransformed, 'found BelowTransformed.text: use parse'],
    [HoldsTransformed, 'found Transformed.text: use parse'],
    [WithoutType, 'expected a Type decorator on the nested field WithoutType.leaf'],
    [Endless, 'Endless contains itself'],
    [WithoutRules, 'expected rules on the fields of WithoutRules, found none'],
  ])('compileShapeCheck throws an error for the unsupported shape %o', (shape: Shape<object>, message) => {
    expect(() => compileShapeCheck(shape, 'ignore')).toThrow(message);
  });

  it('compileShapeCheck throws an error for an asynchronous rule', () => {
    class Later {
      readonly text: string;
    }
    registerDecorator({
      ...{ name: 'later', async: true, target: Later, propertyName: 'text', options: {} },
      validator: { validate: () => Promise.resolve(true) },
    });
    expect(() => compileShapeCheck(Later, 'ignore')).toThrow('Later.text has the rule later');
  });
});
