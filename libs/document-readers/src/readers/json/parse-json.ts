import { printParseErrorCode, visit } from 'jsonc-parser';

/**
 * A value as the file writes it. Numbers and booleans are the text that stands there: a number of twenty digits keeps all of them.
 */
export type JsonValue = null | string | readonly JsonValue[] | JsonObject;

/** Names and values in the order of the file. A name that stands there twice is there twice. */
export interface JsonObject {
  readonly names: readonly string[];
  readonly values: readonly JsonValue[];
}

/** An object may hold some of others, again and again. */
const MOST_SHAPES = 8;

export class JsonSyntaxError extends Error {
  /** @param line from 1 */
  constructor(reason: string, line: number, column: number) {
    super(`${reason} at line ${line}, column ${column}`);
    this.name = 'JsonSyntaxError';
  }
}

/**
 * @param firstLine the number of the text's first line in its file
 * @throws JsonSyntaxError
 */
export function parseJson(text: string, firstLine = 1): JsonValue {
  const builder = new ValueBuilder();
  visit(
    text,
    {
      onObjectBegin: () => {
        builder.open();
      },
      onObjectProperty: (name) => {
        builder.addName(name);
      },
      onObjectEnd: () => {
        builder.closeObject();
      },
      onArrayBegin: () => {
        builder.open();
      },
      onArrayEnd: () => {
        builder.closeList();
      },
      onLiteralValue: (value: unknown, offset, length) => {
        builder.add(literal(value, text.slice(offset, offset + length)));
      },
      onError: (code, ...[, , line, column]) => {
        throw new JsonSyntaxError(inWords(printParseErrorCode(code)), firstLine + line, column + 1);
      },
    },
    { disallowComments: true },
  );
  return builder.value;
}

/** Lists are made when they end, just as long as they are: millions of them must fit into memory. */
class ValueBuilder {
  /** Of what is not ended yet. */
  readonly #names: string[] = [];
  readonly #values: JsonValue[] = [];
  /** Where in those the lists and objects that are open begin. */
  readonly #open: { readonly names: number; readonly values: number }[] = [];
  readonly #shapes = new Shapes();

  open(): void {
    this.#open.push({ names: this.#names.length, values: this.#values.length });
  }

  addName(name: string): void {
    this.#names.push(name);
  }

  add(value: JsonValue): void {
    this.#values.push(value);
  }

  closeList(): void {
    const begin = this.#open.pop();
    this.#values.push(this.#values.splice(begin?.values ?? 0));
  }

  closeObject(): void {
    const begin = this.#open.pop();
    const values = this.#values.splice(begin?.values ?? 0);
    this.#values.push({ names: this.#shapes.shared(this.#names.splice(begin?.names ?? 0)), values });
  }

  get value(): JsonValue {
    return this.#values[0] ?? null;
  }
}

/** The names of the objects in a list are most often the same: they are kept once. */
class Shapes {
  readonly #recent: (readonly string[])[] = [];
  #next = 0;

  shared(names: readonly string[]): readonly string[] {
    const known = this.#recent.find((shape) => isSame(shape, names));
    if (known !== undefined) return known;
    this.#recent[this.#next] = names;
    this.#next = (this.#next + 1) % MOST_SHAPES;
    return names;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

function literal(value: unknown, written: string): JsonValue {
  if (value === null) return null;
  return typeof value === 'string' ? value : written;
}

/** `EndOfFileExpected` as `end of file expected`. */
function inWords(code: string): string {
  return code.replace(/\B[A-Z]/g, ' $&').toLowerCase();
}
