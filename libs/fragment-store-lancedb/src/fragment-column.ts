import { decodeRectangles, encodeRectangles, type StoredFragment } from '@quarry/fragment-store';
import { quoteSqlText } from './filters.js';

/** Name of the column with the encoded fragment, that is, with all fields that searches return. */
export const FRAGMENT_COLUMN = 'fragment';

const SEPARATOR = '\u001f';
/** Character that represents null as the value of a field in an encoded fragment. */
const NULL = '\u0018';
const ESCAPE = '\u001b';
/**
 * Maps each control character of the encoding to its escape letter: in a field, `ESCAPE` and this letter represent the
 * character. `ESCAPE` itself must be the first entry.
 */
const LETTERS: ReadonlyMap<string, string> = new Map([
  [ESCAPE, 'e'],
  [SEPARATOR, 's'],
  [NULL, 'n'],
]);
const SPECIAL_BY_LETTER = new Map([...LETTERS].map(([special, letter]) => [letter, special]));
const SPECIAL = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g');
const ESCAPED = new RegExp(`${ESCAPE}([${[...LETTERS.values()].join('')}])`, 'g');

/** Holds a fragment and describes its document. */
export interface FragmentOfDocument {
  readonly documentId: string;
  /** Number of fragments of the document. Null in rows that an earlier version of Quarry wrote. */
  readonly documentFragments: number | null;
  readonly fragment: StoredFragment;
}

/**
 * Encodes the fields of a fragment as one text, in the order of `EARLIER_COLUMNS`. For 50 rows, LanceDB reads one
 * column much faster than 16 columns.
 */
export function encodeFragment({ documentId, documentFragments, fragment }: FragmentOfDocument): string {
  return [
    ...[fragment.id, documentId, fragment.datastoreId, fragment.datasourceId, fragment.documentKey],
    ...[fragment.customId, fragment.source, fragment.version, fragment.generation, fragment.page, fragment.location],
    ...[encodeRectangles(fragment.rectangles), fragment.ordinal, fragment.context, fragment.text, documentFragments],
  ]
    .map((field) => (field === null ? NULL : escapeField(String(field))))
    .join(SEPARATOR);
}

/** Decodes the result of `encodeFragment`. @throws Error if fields are missing */
export function decodeFragment(encoded: string): FragmentOfDocument {
  const fields = encoded.split(SEPARATOR).map((field) => (field === NULL ? null : unescapeField(field)));
  const [id, documentId, datastoreId, datasourceId, documentKey, customId, source, version, generation, ...others] =
    fields;
  const [page, location, rectangles, ordinal, context, text, documentFragments] = others;
  const fragment = {
    id: requireField(id),
    datastoreId: requireField(datastoreId),
    datasourceId: requireField(datasourceId),
    documentKey: requireField(documentKey),
    customId: customId ?? null,
    source: source ?? null,
    version: requireField(version),
    generation: Number(requireField(generation)),
    page: typeof page === 'string' ? Number(page) : null,
    location: location ?? null,
    rectangles: decodeRectangles(rectangles ?? null),
    ordinal: Number(requireField(ordinal)),
    context: requireField(context),
    text: requireField(text),
  };
  return {
    documentId: requireField(documentId),
    documentFragments: typeof documentFragments === 'string' ? Number(documentFragments) : null,
    fragment,
  };
}

/** Lists the columns of earlier versions of Quarry that contain the fields of a fragment. */
const EARLIER_COLUMNS = [
  ...['id', 'document_id', 'datastore_id', 'datasource_id', 'document_key', 'custom_id', 'source', 'content_hash'],
  ...['generation', 'page', 'location', 'rectangles', 'ordinal', 'context', 'text', 'document_fragments'],
];

/** Lists the columns of earlier versions of Quarry that `FRAGMENT_COLUMN` replaces. */
export const REPLACED_COLUMNS = [
  ...['document_key', 'source', 'page', 'location', 'rectangles', 'ordinal', 'context', 'text'],
];

/**
 * Builds the SQL expression that encodes a fragment as `encodeFragment` does, for a table of an earlier version of
 * Quarry.
 *
 * @param columns names of the columns of the table, which may lack `rectangles`
 */
export function buildFragmentExpression(columns: ReadonlySet<string>): string {
  const fields = EARLIER_COLUMNS.map((column) =>
    columns.has(column) ? buildEscapeExpression(`CAST(${column} AS STRING)`) : 'CAST(NULL AS STRING)',
  );
  return `array_to_string(make_array(${fields.join(', ')}), ${quoteSqlText(SEPARATOR)}, ${quoteSqlText(NULL)})`;
}

function buildEscapeExpression(value: string): string {
  return [...LETTERS].reduce(
    (escaped, [special, letter]) => `replace(${escaped}, ${quoteSqlText(special)}, ${quoteSqlText(ESCAPE + letter)})`,
    value,
  );
}

function escapeField(field: string): string {
  return field.replace(SPECIAL, (special) => ESCAPE + (LETTERS.get(special) ?? ''));
}

function unescapeField(field: string): string {
  if (!field.includes(ESCAPE)) return field;
  return field.replace(ESCAPED, (_, letter: string) => SPECIAL_BY_LETTER.get(letter) ?? '');
}

function requireField(field: string | null | undefined): string {
  if (typeof field === 'string') return field;
  throw new Error(`expected all fields of a fragment in the column ${FRAGMENT_COLUMN}, found fewer`);
}
