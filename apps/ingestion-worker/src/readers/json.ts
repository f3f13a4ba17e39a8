import type { Block } from './block.js';
import { cleanText } from './clean-text.js';
import { decodeText } from './decoding/decode-text.js';
import { paragraphsOf } from './paragraphs.js';
import { ReadingFailed, type Reader } from './reader.js';

/** A value whose lines are together shorter than this stays in one block, whatever it is made of. */
const SMALL = 1_200;
/** What is longer is cut at its line ends before it becomes one block. */
const LONG = 100_000;

/**
 * JSON, also one value a line: each value on a line of its own, behind the path that leads to it. The elements of a list are
 * blocks of their own, and what is too large for one block is a section under its name.
 */
export const readJson: Reader = async function* (bytes) {
  const text = (await decodeText(bytes)).trim();
  if (text !== '') yield* blocksOf(valueOf(text), TOP);
};

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const values = lines.length > 1 ? lines.map(tryParse) : [];
    if (values.length > 0 && values.every((value) => value !== undefined)) return values;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ReadingFailed('file_unreadable', `The file is not JSON: ${reason}.`, { cause: error });
  }
}

function tryParse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
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

function* blocksOf(value: unknown, place: Place): Generator<Block> {
  if (Array.isArray(value)) yield* elements(value, place);
  else if (isObject(value)) yield* fields(value, place);
  else yield* block(linesOf(value, ''), place);
}

function* elements(values: readonly unknown[], place: Place): Generator<Block> {
  if (values.every((value) => !isObject(value) && !Array.isArray(value))) {
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
function* fields(value: object, place: Place): Generator<Block> {
  const together: string[] = [];
  for (const [name, field] of Object.entries(value) as [string, unknown][]) {
    const lines = linesOf(field, name);
    if (sizeOf(lines) <= SMALL) {
      together.push(...lines);
      continue;
    }
    yield* block(together.splice(0), place);
    const { pointer } = inside(place, name);
    if (isObject(field) || Array.isArray(field)) yield* section(field, { path: [...place.path, name], pointer });
    else yield* longText(lines.join('\n'), { path: place.path, pointer });
  }
  yield* block(together, place);
}

function* section(value: unknown, place: Place): Generator<Block> {
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

/** `name: value` for every value inside, such as `address.city: Lisbon`. Nothing is said of what is null or empty. */
function linesOf(value: unknown, name: string): readonly string[] {
  if (value === null || value === '') return [];
  if (Array.isArray(value)) {
    const plain = value.every((element) => element === null || typeof element !== 'object');
    if (plain) return value.length === 0 ? [] : [line(name, value.map(String).join(', '))];
    return value.flatMap((element, index) => linesOf(element, name === '' ? `${index + 1}` : `${name}.${index + 1}`));
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, field]) => linesOf(field, name === '' ? key : `${name}.${key}`));
  }
  return [line(name, typeof value === 'string' ? value : JSON.stringify(value))];
}

function line(name: string, value: string): string {
  return name === '' ? value : `${name}: ${value}`;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, text) => sum + text.length, 0);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
