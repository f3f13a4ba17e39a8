import { describe, expect, it } from 'vitest';
import {
  IntegerFromText,
  IsArray,
  IsBoolean,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  parse,
  Type,
  ValidateNested,
  ValidationError,
} from './index.js';

class Leaf {
  @IsString()
  readonly text: string;
}

class Tree {
  @Max(1)
  readonly weight: number;

  @IsOptional()
  @IsString()
  readonly name?: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Leaf)
  readonly leaves?: readonly Leaf[];
}

class Pair {
  @ValidateNested()
  @Type(() => Leaf)
  readonly left: Leaf;

  @IsOptional()
  @ValidateNested()
  @Type(() => Leaf)
  readonly right?: Leaf | null;
}

class Free {
  @IsObject()
  readonly metadata: object;
}

class Library {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Free)
  readonly documents: readonly Free[];
}

class Bounded {
  @IsInt()
  @Max(100)
  readonly topK: number;

  @IsArray()
  @IsString({ each: true })
  readonly words: readonly string[];

  @IsNotEmpty()
  @MaxLength(3)
  readonly name: string;

  @IsBoolean()
  readonly isOpen: boolean;
}

class Languages {
  @Matches(/^\w+$/, { each: true, message: 'must be words' })
  readonly words: readonly string[];
}

const BOUNDED = { topK: 1, words: [], name: 'a', isOpen: true };

class Settings {
  @IntegerFromText({ min: 1, max: 10 })
  readonly workers: number;
}

function catchValidationIssues(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof ValidationError) return error.issues;
    throw error;
  }
  return 'nothing was refused';
}

describe('parse', () => {
  it('parse shortens a long text in a message without splitting a surrogate pair', () => {
    const issues = catchValidationIssues(() => parse(Bounded, { ...BOUNDED, name: '😀'.repeat(100) }, 'refuse'));
    expect(JSON.stringify(issues)).toContain('characters)');
    expect(JSON.stringify(issues)).not.toContain('\\ud83d');
  });

  it.each(['v', '"', '\u0001', '😀'])(
    'the message about a shortened text contains the number of its characters, if each is %j',
    (character) => {
      const name = character.repeat(256);
      const message = /^must be shorter than or equal to 3 characters, found ".*… \(256 characters\)$/;
      expect(catchValidationIssues(() => parse(Bounded, { ...BOUNDED, name }, 'refuse'))).toEqual([
        { path: 'name', message: expect.stringMatching(message) as unknown },
      ]);
    },
  );

  it('parse reports the first element of a list that violates a rule, with its position and value', () => {
    expect(
      catchValidationIssues(() => parse(Bounded, { ...BOUNDED, words: ['a', 5, null], name: 'long' }, 'ignore')),
    ).toEqual([
      { path: 'words.1', message: 'must be a string, found 5' },
      { path: 'name', message: 'must be shorter than or equal to 3 characters, found "long"' },
    ]);
  });

  it('parse reports the list as a whole if the rule of its elements has its own message', () => {
    const words = ['eng', '?'];
    expect(catchValidationIssues(() => parse(Languages, { words }, 'ignore'))).toEqual([
      { path: 'words', message: 'must be words, found a list of 2' },
    ]);
  });

  it('parse returns an instance with the declared fields only', () => {
    const tree = parse(Tree, { weight: 1, more: true, leaves: [{ text: 'a', extra: 1 }] }, 'ignore');
    expect(tree).toBeInstanceOf(Tree);
    expect(JSON.parse(JSON.stringify(tree))).toEqual({ weight: 1, leaves: [{ text: 'a' }] });
    expect('name' in tree).toBe(false);
  });

  it('parse with the option `refuse` rejects unknown fields', () => {
    expect(catchValidationIssues(() => parse(Tree, { weight: 1, more: true }, 'refuse'))).toEqual([
      { path: 'more', message: 'is not a field of this object' },
    ]);
  });

  it('parse reports an invalid value with its path, the violated rule and the found value, even inside lists', () => {
    expect(
      catchValidationIssues(() => parse(Tree, { weight: 1.5, leaves: [{ text: 'a' }, { text: 7 }] }, 'ignore')),
    ).toEqual([
      { path: 'weight', message: 'must not be greater than 1, found 1.5' },
      { path: 'leaves.1.text', message: 'must be a string, found 7' },
    ]);
  });

  it.each([[undefined], [null], ['text'], [7], [[{ weight: 1 }]]])(
    'parse rejects %j if an object is expected',
    (value) => {
      expect(() => parse(Tree, value, 'ignore')).toThrow(/must be an object/);
    },
  );

  it('parse rejects a list or a missing value if a nested object is expected', () => {
    const refused = [
      { path: 'left', message: expect.stringMatching(/^must be an object, found|^is required$/) as unknown },
    ];
    for (const wrong of [{}, { left: [] }, { left: [{ text: 'a' }] }, { left: null }, { left: 'a' }]) {
      expect(catchValidationIssues(() => parse(Pair, wrong, 'ignore'))).toEqual(refused);
    }
    expect(catchValidationIssues(() => parse(Pair, { left: { text: 'a' }, right: [] }, 'ignore'))).toMatchObject([
      { path: 'right' },
    ]);
    expect(parse(Pair, { left: { text: 'a' }, right: null }, 'ignore')).toMatchObject({ left: { text: 'a' } });
    expect(catchValidationIssues(() => parse(Pair, { left: { text: 7 } }, 'ignore'))).toMatchObject([
      { path: 'left.text' },
    ]);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'prototype', 'then', 'length'])(
    'parse returns a free-form object unchanged, even if it has fields named %s',
    (name) => {
      for (const value of ['1', 'null', '{"a":1}', '[{"b":2}]']) {
        const json = `{"documents":[{"metadata":{"${name}":${value},"inner":{"${name}":${value}}}}]}`;
        expect(JSON.stringify(parse(Library, JSON.parse(json), 'refuse'))).toBe(json);
      }
    },
  );

  it.each(['constructor', '__proto__', 'toString'])(
    'parse treats a field named %s like any other unknown field',
    (name) => {
      const value: unknown = JSON.parse(`{"weight": 1, "leaves": [{"text": "a", "${name}": {}}], "${name}": {}}`);
      expect(JSON.stringify(parse(Tree, value, 'ignore'))).toBe('{"weight":1,"leaves":[{"text":"a"}]}');
      expect(catchValidationIssues(() => parse(Tree, value, 'refuse'))).toMatchObject([
        { path: name },
        { path: `leaves.0.${name}` },
      ]);
    },
  );

  it.each([
    [[], 'a list of 0'],
    [[{ text: 'a' }], 'a list of 1'],
    ['a', 'a string'],
    [null, 'null'],
    [7, '7'],
  ])('parse rejects %j in a list of objects', (wrong, found) => {
    expect(catchValidationIssues(() => parse(Tree, { weight: 1, leaves: [{ text: 'a' }, wrong] }, 'ignore'))).toEqual([
      { path: 'leaves.1', message: `must be an object, found ${found}` },
    ]);
  });

  it('the messages of parse do not reveal the content of an unexpected list or object', () => {
    for (const wrong of [[{ key: 'secret' }], { key: 'secret' }, [['secret']]]) {
      expect(
        JSON.stringify(catchValidationIssues(() => parse(Pair, { left: { text: wrong } }, 'ignore'))),
      ).not.toContain('secret');
    }
    const listed = catchValidationIssues(() => parse(Pair, { left: [{ text: 'secret' }] }, 'ignore'));
    expect(listed).toEqual([{ path: 'left', message: 'must be an object, found a list of 1' }]);
  });

  it('if a value has the wrong type and also violates other rules, parse reports only the wrong type', () => {
    const issues = catchValidationIssues(() =>
      parse(Bounded, { topK: '3', words: 'a', name: 7, isOpen: 'yes' }, 'ignore'),
    );
    expect(issues).toEqual([
      { path: 'topK', message: 'must be a number, found a string' },
      { path: 'words', message: 'must be a list, found a string' },
      { path: 'name', message: 'must be a string, found 7' },
      { path: 'isOpen', message: 'must be true or false, found a string' },
    ]);
    expect(catchValidationIssues(() => parse(Bounded, { ...BOUNDED, topK: 101 }, 'ignore'))).toEqual([
      { path: 'topK', message: 'must not be greater than 100, found 101' },
    ]);
    expect(catchValidationIssues(() => parse(Bounded, { ...BOUNDED, topK: 1.5 }, 'ignore'))).toEqual([
      { path: 'topK', message: 'must be an integer number, found 1.5' },
    ]);
  });

  it('parse reports a missing field as required, and null in a field as a value of the wrong type', () => {
    const fields = ['topK', 'words', 'name', 'isOpen'];
    const required = fields.map((path) => ({ path, message: 'is required' }));
    expect(catchValidationIssues(() => parse(Bounded, {}, 'ignore'))).toEqual(required);
    expect(catchValidationIssues(() => parse(Bounded, { ...BOUNDED, name: null }, 'ignore'))).toEqual([
      { path: 'name', message: 'must be a string, found null' },
    ]);
    expect(catchValidationIssues(() => parse(Pair, {}, 'ignore'))).toEqual([{ path: 'left', message: 'is required' }]);
  });

  it('parse does not change `Object.prototype`, even if the value has a field named `__proto__`', () => {
    const hostile: unknown = JSON.parse('{"weight": 1, "__proto__": {"polluted": true}}');
    parse(Tree, hostile, 'ignore');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('parse converts text to a number in a field with IntegerFromText, and rejects text that is not a number in the range', () => {
    expect(parse(Settings, { workers: '3' }, 'ignore').workers).toBe(3);
    expect(() => parse(Settings, { workers: 'many' }, 'ignore')).toThrow(/workers/);
    expect(() => parse(Settings, { workers: '11' }, 'ignore')).toThrow(/must not be greater than 10/);
  });
});
