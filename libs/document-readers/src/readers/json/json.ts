import type { Block } from '../block.js';
import { normalizeForStorage } from '../normalize-for-storage.js';
import { decodeText } from '../decoding/decode-text.js';
import { isBase64Data } from '../base64-data.js';
import { splitIntoParagraphs } from '../split-into-paragraphs.js';
import { ReadingFailed, type Reader } from '../reader.js';
import { parseJson, type JsonObject, type JsonValue } from './parse-json.js';

/** Maximum number of characters of a field or list element that is not divided into several blocks. */
const MAX_COMPACT_CHARACTERS = 1_200;
/** Maximum number of characters of a block. Longer text is split at line ends into several blocks. */
const MAX_BLOCK_CHARACTERS = 100_000;

/**
 * Reads JSON and JSON Lines. Writes each value on its own line, after the path of the value. Each element of a list is
 * a block. A value that is too large for a block becomes a section, with the name of the value as the heading.
 */
export const readJson: Reader = async function* (bytes) {
  const text = (await decodeText(bytes)).trimEnd();
  if (text !== '') yield* createValueBlocks(parseJsonDocument(text), TOP);
};

/** Parses a document as JSON or JSON Lines. @throws ReadingFailed with the position of the syntax error */
function parseJsonDocument(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    return parseJsonLines(text) ?? throwReadingFailed(error);
  }
}

/** Parses JSON Lines. Returns undefined if the first line is not a JSON value: the file then has another format. */
function parseJsonLines(text: string): JsonValue | undefined {
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  const [first] = lines;
  if (first === undefined || lines.length === 1 || !isJsonText(first.line)) return undefined;
  try {
    return lines.map(({ line, number }) => parseJson(line, number));
  } catch (error) {
    return throwReadingFailed(error);
  }
}

function isJsonText(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

function throwReadingFailed(error: unknown): never {
  const tooDeep = error instanceof RangeError;
  const reason = error instanceof Error ? error.message : String(error);
  const message = tooDeep ? 'The values of the file are nested too deeply.' : `The file is not JSON: ${reason}.`;
  throw new ReadingFailed('file_unreadable', message, { cause: error });
}

/** Describes the position of a value in the document. */
interface JsonPosition {
  /** Names of the sections that contain the value, outermost first. */
  readonly path: readonly string[];
  /** JSON pointer to the value. Source: RFC 6901. */
  readonly pointer: string;
}

const TOP: JsonPosition = { path: [], pointer: '' };

/** Creates the position of a list element or an object field in its parent, in the same section. */
function createChildPosition({ path, pointer }: JsonPosition, key: string | number): JsonPosition {
  return { path, pointer: `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}` };
}

function* createValueBlocks(value: JsonValue, position: JsonPosition): Generator<Block> {
  if (Array.isArray(value)) yield* createElementBlocks(value, position);
  else if (isJsonObject(value)) yield* createFieldBlocks(value, position);
  else yield* createLineBlocks(formatValueLines(value, ''), position);
}

function* createElementBlocks(values: readonly JsonValue[], position: JsonPosition): Generator<Block> {
  if (values.every(isScalar)) {
    yield* createLineBlocks(
      values.flatMap((value) => formatValueLines(value, '')),
      position,
    );
    return;
  }
  for (const [index, value] of values.entries()) {
    const lines = formatValueLines(value, '');
    if (countCharacters(lines) <= MAX_COMPACT_CHARACTERS || !isJsonObject(value))
      yield* createLineBlocks(lines, createChildPosition(position, index));
    else yield* createFieldBlocks(value, createChildPosition(position, index));
  }
}

/**
 * Yields the blocks of an object. Small fields share a block. A long text becomes a block of its own, and a large
 * nested field becomes a section.
 */
function* createFieldBlocks(value: JsonObject, position: JsonPosition): Generator<Block> {
  const compactLines: string[] = [];
  for (const [name, field] of listObjectFields(value)) {
    const lines = formatValueLines(field, name);
    if (countCharacters(lines) <= MAX_COMPACT_CHARACTERS) {
      compactLines.push(...lines);
      continue;
    }
    yield* createLineBlocks(compactLines.splice(0), position);
    const { pointer } = createChildPosition(position, name);
    if (!isScalar(field)) yield* createSectionBlocks(field, { path: [...position.path, name], pointer });
    else yield* createTextBlocks(lines.join('\n'), { path: position.path, pointer });
  }
  yield* createLineBlocks(compactLines, position);
}

function* createSectionBlocks(value: JsonValue, position: JsonPosition): Generator<Block> {
  const name = position.path.at(-1) ?? '';
  if (name.trim() !== '')
    yield { kind: 'heading', text: name, ...createPositionFields(position), level: position.path.length };
  yield* createValueBlocks(value, position);
}

function* createTextBlocks(text: string, position: JsonPosition): Generator<Block> {
  for (const paragraph of splitIntoParagraphs(normalizeForStorage(text)))
    yield { kind: 'text', text: paragraph, ...createPositionFields(position) };
}

function* createLineBlocks(lines: readonly string[], position: JsonPosition): Generator<Block> {
  const text = normalizeForStorage(lines.join('\n'));
  if (text.length > MAX_BLOCK_CHARACTERS) yield* createTextBlocks(text, position);
  // The kind `table` prevents overlap between fragments, which would mix records.
  else if (text.trim() !== '') yield { kind: 'table', text, ...createPositionFields(position) };
}

function createPositionFields({
  path,
  pointer,
}: JsonPosition): Pick<Block, 'headingPath' | 'page' | 'location' | 'pointer'> {
  return { headingPath: path, page: null, location: null, ...(pointer === '' ? {} : { pointer }) };
}

/**
 * Formats every nested value as `name: value`, such as `address.city: Lisbon`. A list of scalars is one value, with its
 * elements joined. Omits a value that is null, empty or base64.
 */
function formatValueLines(value: JsonValue, name: string): readonly string[] {
  if (value === null || value === '') return [];
  if (typeof value === 'string') return isBase64Data(value) ? [] : [formatNamedValue(name, value)];
  if (isJsonObject(value)) {
    return [...listObjectFields(value)].flatMap(([key, field]) =>
      formatValueLines(field, name === '' ? key : `${name}.${key}`),
    );
  }
  if (value.every(isScalar))
    return formatValueLines(value.map((element) => element ?? 'null').join(chooseListSeparator(value)), name);
  return value.flatMap((element, index) =>
    formatValueLines(element, name === '' ? `${index + 1}` : `${name}.${index + 1}`),
  );
}

/** Returns the separator for joining the elements of a list: '' for lines that end with `\n`, or else ', '. */
function chooseListSeparator(values: readonly JsonValue[]): string {
  const isText =
    values.length > 1 && values.slice(0, -1).every((value) => typeof value === 'string' && value.endsWith('\n'));
  return isText ? '' : ', ';
}

function formatNamedValue(name: string, value: string): string {
  return name === '' ? value : `${name}: ${value}`;
}

function countCharacters(lines: readonly string[]): number {
  return lines.reduce((sum, text) => sum + text.length, 0);
}

function* listObjectFields({ names, values }: JsonObject): Generator<readonly [name: string, value: JsonValue]> {
  for (const [index, name] of names.entries()) yield [name, values[index] ?? null];
}

function isScalar(value: JsonValue): value is string | null {
  return value === null || typeof value === 'string';
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return !isScalar(value) && !Array.isArray(value);
}
