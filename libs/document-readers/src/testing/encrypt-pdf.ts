import { createCipheriv, createHash } from 'node:crypto';

const FILE_KEY = Buffer.alloc(32, 7);
const NO_IV = Buffer.alloc(16);
const IV = Buffer.alloc(16, 9);
const PERMISSIONS = -4;

/**
 * Writes a PDF file from its objects, encrypted with AES-256 and an empty user password. Objects without a stream are
 * in an object stream. Source: ISO 32000-1 with Adobe's supplement for extension level 3, section 3.5.
 *
 * @param objects objects of the file; the first is the catalog
 */
export function writeEncryptedPdf(objects: readonly string[]): Buffer {
  const [streamNumber, encryptNumber, tableNumber] = [1, 2, 3].map((more) => objects.length + more);
  const packed = [...objects.entries()].filter(([, object]) => !object.includes('stream'));
  const contents = packed.map(([, object]) => object);
  const offsets = contents.map((_, index) => contents.slice(0, index).join(' ').length + (index === 0 ? 0 : 1));
  const header = packed.map(([index], at) => `${index + 1} ${offsets[at]}`).join(' ');
  const written = new Map<number, string>();
  for (const [index, object] of objects.entries()) {
    if (object.includes('stream')) written.set(index + 1, encryptStreamObject(object));
  }
  const entries = `/Type /ObjStm /N ${packed.length} /First ${header.length + 1}`;
  written.set(streamNumber ?? 0, createEncryptedStream(`${header} ${contents.join(' ')}`, entries));
  written.set(encryptNumber ?? 0, createEncryptDictionary());
  let file = '%PDF-1.7\n';
  const rows = new Map(packed.map(([index], at) => [index + 1, [2, streamNumber ?? 0, at]]));
  for (const [number, object] of written) {
    rows.set(number, [1, file.length, 0]);
    file += `${number} 0 obj\n${object}\nendobj\n`;
  }
  rows.set(tableNumber ?? 0, [1, file.length, 0]);
  const table = encodeCrossReferences(rows);
  const trailer = `/Root 1 0 R /Encrypt ${encryptNumber} 0 R /ID [<00><00>]`;
  const start = file.length;
  file += `${tableNumber} 0 obj\n<< /Type /XRef /Size ${rows.size + 1} /W [1 4 2] ${trailer} /Length ${table.length} >>\nstream\n${table}\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

function encryptStreamObject(object: string): string {
  const [, entries = '', content = ''] = /^<< \/Length \d+ (.*?) >>\nstream\n([^]*)\nendstream$/.exec(object) ?? [];
  return createEncryptedStream(content, entries);
}

function createEncryptedStream(content: string, entries: string): string {
  const encrypted = Buffer.concat([IV, encryptAes(FILE_KEY, IV, Buffer.from(content, 'latin1'))]).toString('latin1');
  return `<< /Length ${encrypted.length} ${entries} >>\nstream\n${encrypted}\nendstream`;
}

/** Encodes a cross-reference stream with rows of 7 bytes. Row 0 marks a free object. */
function encodeCrossReferences(rows: ReadonlyMap<number, readonly number[]>): string {
  const table = Buffer.alloc(7 * (rows.size + 1));
  for (const [number, [type = 0, offset = 0, index = 0]] of rows) {
    table.writeUInt8(type, 7 * number);
    table.writeUInt32BE(offset, 7 * number + 1);
    table.writeUInt16BE(index, 7 * number + 5);
  }
  return table.toString('latin1');
}

function createEncryptDictionary(): string {
  const user = createPasswordEntries('', Buffer.alloc(0));
  const owner = createPasswordEntries('owner', user.check);
  const permissions = Buffer.alloc(16, 0xff);
  permissions.writeInt32LE(PERMISSIONS, 0);
  permissions.write('Tadb', 8, 'latin1');
  const cipher = createCipheriv('aes-256-ecb', FILE_KEY, null).setAutoPadding(false);
  const crypt = '/CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> /StmF /StdCF /StrF /StdCF';
  const keys = `/U ${formatHexString(user.check)} /UE ${formatHexString(user.key)} /O ${formatHexString(owner.check)} /OE ${formatHexString(owner.key)}`;
  return `<< /Filter /Standard /V 5 /R 5 /Length 256 /P ${PERMISSIONS} ${crypt} ${keys} /Perms ${formatHexString(cipher.update(permissions))} >>`;
}

/**
 * Creates the entries of the encryption dictionary for a password: `check` verifies the password, and `key` contains
 * the encrypted key of the file.
 */
function createPasswordEntries(password: string, userCheck: Buffer): { readonly check: Buffer; readonly key: Buffer } {
  const [checkSalt, keySalt] = [Buffer.alloc(8, 1), Buffer.alloc(8, 2)];
  const hashPassword = (salt: Buffer): Buffer =>
    createHash('sha256').update(password).update(salt).update(userCheck).digest();
  const key = createCipheriv('aes-256-cbc', hashPassword(keySalt), NO_IV).setAutoPadding(false).update(FILE_KEY);
  return { check: Buffer.concat([hashPassword(checkSalt), checkSalt, keySalt]), key };
}

function encryptAes(key: Buffer, iv: Buffer, content: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  return Buffer.concat([cipher.update(content), cipher.final()]);
}

function formatHexString(bytes: Buffer): string {
  return `<${bytes.toString('hex')}>`;
}
