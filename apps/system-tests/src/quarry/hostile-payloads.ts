import { createHash } from 'node:crypto';

/** A hostile request body with its content type, and a title that describes the body. */
export type HostileBody = readonly [title: string, type: string, body: Buffer | string];

const nestRepeatedly = (levels: number, open = '{"a":', close = '}'): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

/**
 * Returns a text of `length` pseudorandom hexadecimal digits. PostgreSQL cannot compress it to the maximum size of an
 * index entry, so an index on such a value would fail.
 */
function createIncompressibleText(length: number): string {
  return createHash('shake256', { outputLength: length / 2 })
    .update('incompressible')
    .digest('hex');
}

/** JSON texts of values that have a wrong type for most fields, or an allowed type but extreme or invalid content. */
export const VALUES: readonly string[] = [
  ...['null', 'true', '0', '-1', '1e308', '-1e308', '1e999', '9007199254740993', '0.1', '""', '"\\u0000"', '"\\ud800"'],
  ...[
    '[]',
    '{}',
    '[[]]',
    '[null]',
    '[{}]',
    '["\\u0000"]',
    '{"constructor":1}',
    '{"__proto__":{"a":1}}',
    '{"toString":{}}',
  ],
  ...['{"length":-1}', '{"then":1}', '[{"constructor":{"name":[]}}]', '{"\\u0000":"\\udfff"}'],
  ...[
    nestRepeatedly(60),
    nestRepeatedly(60, '[', ']'),
    JSON.stringify('../'.repeat(200)),
    JSON.stringify('x'.repeat(70_000)),
    JSON.stringify(createIncompressibleText(20_000)),
  ],
];

/** JSON bodies that cannot be parsed, that are too large or too deeply nested, or that no operation expects. */
export const MALFORMED: readonly (readonly [title: string, body: Buffer | string])[] = [
  ['3,000 objects deep', nestRepeatedly(3_000)],
  ['100,000 lists deep', nestRepeatedly(100_000, '[', ']')],
  ['deep and unclosed', '['.repeat(200_000)],
  [
    'deep below fields',
    `{"documents":[{"text":"a","metadata":${nestRepeatedly(3_000)}}],"config":${nestRepeatedly(3_000)}}`,
  ],
  ['2 MB', `{"query":${JSON.stringify('x'.repeat(2_000_000))}}`],
  ['100,000 fields', `{${Array.from({ length: 100_000 }, (_, at) => `"f${at}":0`).join(',')}}`],
  ['nothing', ''],
  ['blanks', ' \n\t'],
  ['half an object', '{"name":'],
  ['NUL', '\0'],
  ['NUL in text', '{"name":"a\0"}'],
  ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0xc3, 0x7d])],
  ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le')],
  ['a byte order mark', '\ufeff{"name":7}'],
  ['prototype names', '{"__proto__":{"name":1},"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":null}'],
  ['a field twice', '{"name":1,"name":{}}'],
  ...['null', '7', 'true', '"text"', '[]', '[{}]', 'NaN', 'undefined'].map((body) => [`only ${body}`, body] as const),
];

/** Content types that are malformed, or that no operation accepts for a JSON body. */
export const TYPES: readonly string[] = [
  ...['', 'text/plain', 'application/json; charset', 'application/json; charset=utf-32', 'application/json;;;=', '/'],
  ...['multipart/form-data', 'multipart/form-data; boundary=', `multipart/form-data; boundary=${'b'.repeat(5_000)}`],
];

const FORM = 'multipart/form-data; boundary=b';
const formatFormPart = (disposition: string, content = 'x', more = ''): string =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
const formatFilePart = (name: string, content = 'text', type = 'text/plain'): string =>
  formatFormPart(`name="file"; filename="${name}"`, content, `Content-Type: ${type}\r\n`);

/** Malformed or unusual multipart forms. */
export const FORMS: readonly HostileBody[] = [
  ['an empty form', FORM, ''],
  ['a form without an end', FORM, formatFilePart('a.txt')],
  ['a form that ends at once', FORM, '--b--\r\n'],
  ['a form with half a header', FORM, '--b\r\nContent-Disposition: form-da'],
  ['a form with another boundary', FORM, '--c\r\n\r\n--c--'],
  [
    'a form with prototype names',
    FORM,
    `${['__proto__', 'constructor', 'toString', '__proto__[a]', 'a[b][c]'].map((name) => formatFormPart(`name="${name}"`)).join('')}--b--\r\n`,
  ],
  ['a form with deeply nested fields', FORM, `${formatFormPart(`name="a${'[b]'.repeat(2_000)}"`)}--b--\r\n`],
  [
    'a form with fields twice',
    FORM,
    `${formatFormPart('name="type"', 'file')}${formatFormPart('name="type"', 'file')}${formatFilePart('a.txt')}--b--\r\n`,
  ],
  ['a form with many fields', FORM, `${formatFormPart('name="f"').repeat(2_000)}--b--\r\n`],
  ['a form with a large field', FORM, `${formatFormPart('name="type"', 'x'.repeat(200_000))}--b--\r\n`],
  ['a form with a file in another field', FORM, `${formatFormPart('name="other"; filename="a.txt"')}--b--\r\n`],
  ['a form with two files', FORM, `${formatFilePart('a.txt')}${formatFilePart('b.txt')}--b--\r\n`],
  ['a form with an empty file', FORM, `${formatFilePart('a.txt', '')}--b--\r\n`],
  ['a form with a file without a name', FORM, `${formatFilePart('')}--b--\r\n`],
  ['a form with hostile names of files', FORM, `${formatFilePart('../../\0\ud800.txt')}--b--\r\n`],
  ['a form with a file of another type', FORM, `${formatFilePart('a.exe', 'MZ', 'application/x-msdownload')}--b--\r\n`],
  [
    'a form with NUL in its headers',
    FORM,
    `--b\r\nContent-Disposition: form-data; name="\0"\r\n\0: \0\r\n\r\n\0\r\n--b--\r\n`,
  ],
  ['a form with a header of 100 kB', FORM, `--b\r\nX: ${'x'.repeat(100_000)}\r\n\r\na\r\n--b--\r\n`],
  ['a form that breaks off in its file', FORM, formatFilePart('a.txt', 'x'.repeat(100_000)).slice(0, -1_000)],
];
