import { printParseErrorCode, visit } from 'jsonc-parser';

/**
 * Describes a value as it is written in the file. Numbers and booleans are strings, so that long numbers keep all
 * digits.
 */
export type JsonValue = null | string | readonly JsonValue[] | JsonObject;

/** Names and values of an object, in the order of the file. A duplicate name occurs twice. */
export interface JsonObject {
  readonly names: readonly string[];
  readonly values: readonly JsonValue[];
}

/**
 * Number of recent lists of names with which the names of each parsed object are compared, to share equal lists. It is
 * more than one, because the elements of a list can alternate between several kinds of objects.
 */
const MAX_SHAPES = 8;

export class JsonSyntaxError extends Error {
  /** @param line line of the error, from 1 @param column column of the error, from 1 */
  constructor(reason: string, line: number, column: number) {
    super(`${reason} at line ${line}, column ${column}`);
    this.name = 'JsonSyntaxError';
  }
}

/**
 * Parses JSON.
 *
 * @param firstLine number of the text's first line in its file
 * @throws JsonSyntaxError
 */
export function parseJson(text: string, firstLine = 1): JsonValue {
  const builder = new JsonValueBuilder();
  visit(
    text,
    {
      onObjectBegin: () => {
        builder.openValue();
      },
      onObjectProperty: (name) => {
        builder.addName(name);
      },
      onObjectEnd: () => {
        builder.closeObject();
      },
      onArrayBegin: () => {
        builder.openValue();
      },
      onArrayEnd: () => {
        builder.closeList();
      },
      onLiteralValue: (value: unknown, offset, length) => {
        builder.addValue(createScalar(value, text.slice(offset, offset + length)));
      },
      onError: (code, ...[, , line, column]) => {
        throw new JsonSyntaxError(splitCamelCase(printParseErrorCode(code)), firstLine + line, column + 1);
      },
    },
    { disallowComments: true },
  );
  return builder.value;
}

/**
 * Builds a JSON value from the events of a parser. Creates each array when all its values are known, with the exact
 * length, to save memory.
 */
class JsonValueBuilder {
  /** Names and values that are not yet part of a finished array or object. */
  readonly #names: string[] = [];
  readonly #values: JsonValue[] = [];
  /** Start indexes of the unfinished arrays and objects in `#names` and `#values`. */
  readonly #open: { readonly names: number; readonly values: number }[] = [];
  readonly #shapes = new SharedNameLists();

  openValue(): void {
    this.#open.push({ names: this.#names.length, values: this.#values.length });
  }

  addName(name: string): void {
    this.#names.push(name);
  }

  addValue(value: JsonValue): void {
    this.#values.push(value);
  }

  closeList(): void {
    const begin = this.#open.pop();
    this.#values.push(this.#values.splice(begin?.values ?? 0));
  }

  closeObject(): void {
    const begin = this.#open.pop();
    const values = this.#values.splice(begin?.values ?? 0);
    this.#values.push({ names: this.#shapes.getSharedList(this.#names.splice(begin?.names ?? 0)), values });
  }

  get value(): JsonValue {
    return this.#values[0] ?? null;
  }
}

/**
 * Saves memory by sharing equal lists of names between objects, because the objects of an array usually have the same
 * names.
 */
class SharedNameLists {
  readonly #recent: (readonly string[])[] = [];
  #next = 0;

  getSharedList(names: readonly string[]): readonly string[] {
    const known = this.#recent.find((shape) => areSameNames(shape, names));
    if (known !== undefined) return known;
    this.#recent[this.#next] = names;
    this.#next = (this.#next + 1) % MAX_SHAPES;
    return names;
  }
}

function areSameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

function createScalar(value: unknown, sourceText: string): JsonValue {
  if (value === null) return null;
  return typeof value === 'string' ? value : sourceText;
}

/** Converts an error code to words, such as `EndOfFileExpected` to `end of file expected`. */
function splitCamelCase(code: string): string {
  return code.replace(/\B[A-Z]/g, ' $&').toLowerCase();
}
