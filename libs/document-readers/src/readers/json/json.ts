import type { Block } from '../block.js';
import { cleanText } from '../clean-text.js';
import { decodeText } from '../decoding/decode-text.js';
import { isEncodedBytes } from '../encoded-bytes.js';
import { paragraphsOf } from '../paragraphs.js';
import { ReadingFailed, type Reader } from '../reader.js';
import { parseJson, type JsonObject, type JsonValue } from './parse-json.js';

/** A value whose lines are together shorter than this stays in one block, whatever it is made of. */
const SMALL = 1_200;
/** What is longer is cut at its line ends before it becomes one block. */
const LONG = 100_000;

/**
 * JSON, also one value a line: each value on a line of its own, behind the path that leads to it. The elements of a list are
 * blocks of their own, and what is too large for one block is a section under its name.
 */
export const readJson: Reader = async function* (bytes) {
  const text = (await decodeText(bytes)).trimEnd();
  if (text !== '') yield* blocksOf(valueOf(text), TOP);
};

/** @throws ReadingFailed that says where it is no JSON */
function valueOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    return valuesOfLines(text) ?? refuse(error);
  }
}

/** @returns undefined where the first line is not a value of its own, so that lines mean nothing */
function valuesOfLines(text: string): JsonValue | undefined {
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  const [first] = lines;
  if (first === undefined || lines.length === 1 || !isJson(first.line)) return undefined;
  try {
    return lines.map(({ line, number }) => parseJson(line, number));
  } catch (error) {
    return refuse(error);
  }
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

function refuse(error: unknown): never {
  const tooDeep = error instanceof RangeError;
  const reason = error instanceof Error ? error.message : String(error);
  const message = tooDeep ? 'Its values nest too deep to be read.' : `The file is not JSON: ${reason}.`;
  throw new ReadingFailed('file_unreadable', message, { cause: error });
}

/** Where in the document a value is. */
interface Place {
  /** The names of the sections that it is in. */
  readonly path: readonly string[];
  /** Source: RFC 6901. */
  readonly pointer: string;
}

const TOP: Place = { path: [], pointer: '' };

function inside({ path, pointer }: Place, key: string | number): Place {
  return { path, pointer: `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}` };
}

function* blocksOf(value: JsonValue, place: Place): Generator<Block> {
  if (Array.isArray(value)) yield* elements(value, place);
  else if (isObject(value)) yield* fields(value, place);
  else yield* block(linesOf(value, ''), place);
}

function* elements(values: readonly JsonValue[], place: Place): Generator<Block> {
  if (values.every(isPlain)) {
    yield* block(
      values.flatMap((value) => linesOf(value, '')),
      place,
    );
    return;
  }
  for (const [index, value] of values.entries()) {
    const lines = linesOf(value, '');
    if (sizeOf(lines) <= SMALL || !isObject(value)) yield* block(lines, inside(place, index));
    else yield* fields(value, inside(place, index));
  }
}

/** Small fields stay together; a long text is one, and a large field that is made of others becomes a section. */
function* fields(value: JsonObject, place: Place): Generator<Block> {
  const together: string[] = [];
  for (const [name, field] of fieldsOf(value)) {
    const lines = linesOf(field, name);
    if (sizeOf(lines) <= SMALL) {
      together.push(...lines);
      continue;
    }
    yield* block(together.splice(0), place);
    const { pointer } = inside(place, name);
    if (!isPlain(field)) yield* section(field, { path: [...place.path, name], pointer });
    else yield* longText(lines.join('\n'), { path: place.path, pointer });
  }
  yield* block(together, place);
}

function* section(value: JsonValue, place: Place): Generator<Block> {
  const name = place.path.at(-1) ?? '';
  if (name.trim() !== '') yield { kind: 'heading', text: name, ...placed(place), level: place.path.length };
  yield* blocksOf(value, place);
}

function* longText(text: string, place: Place): Generator<Block> {
  for (const paragraph of paragraphsOf(cleanText(text))) yield { kind: 'text', text: paragraph, ...placed(place) };
}

function* block(lines: readonly string[], place: Place): Generator<Block> {
  const text = cleanText(lines.join('\n'));
  if (text.length > LONG) yield* longText(text, place);
  // One record must not run into the next: a table's rows are never repeated.
  else if (text.trim() !== '') yield { kind: 'table', text, ...placed(place) };
}

function placed({ path, pointer }: Place): Pick<Block, 'headingPath' | 'page' | 'location' | 'pointer'> {
  return { headingPath: path, page: null, location: null, ...(pointer === '' ? {} : { pointer }) };
}

/** `name: value` for every value inside, such as `address.city: Lisbon`. Nothing is said of what is null, empty or no text. */
function linesOf(value: JsonValue, name: string): readonly string[] {
  if (value === null || value === '') return [];
  if (typeof value === 'string') return isEncodedBytes(value) ? [] : [line(name, value)];
  if (isObject(value)) {
    return [...fieldsOf(value)].flatMap(([key, field]) => linesOf(field, name === '' ? key : `${name}.${key}`));
  }
  if (value.every(isPlain)) return linesOf(value.map((element) => element ?? 'null').join(betweenOf(value)), name);
  return value.flatMap((element, index) => linesOf(element, name === '' ? `${index + 1}` : `${name}.${index + 1}`));
}

/** A text that is kept as a list of its lines, as notebooks do it, is a text. */
function betweenOf(values: readonly JsonValue[]): string {
  const isText =
    values.length > 1 && values.slice(0, -1).every((value) => typeof value === 'string' && value.endsWith('\n'));
  return isText ? '' : ', ';
}

function line(name: string, value: string): string {
  return name === '' ? value : `${name}: ${value}`;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, text) => sum + text.length, 0);
}

function* fieldsOf({ names, values }: JsonObject): Generator<readonly [name: string, value: JsonValue]> {
  for (const [index, name] of names.entries()) yield [name, values[index] ?? null];
}

function isPlain(value: JsonValue): value is string | null {
  return value === null || typeof value === 'string';
}

function isObject(value: JsonValue): value is JsonObject {
  return !isPlain(value) && !Array.isArray(value);
}
