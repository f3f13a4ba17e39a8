import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Seals text so that who holds the key, and nobody else, can read it, and only for the owner it was sealed for. */
export interface Sealing {
  /** @param owner what the text belongs to, such as `organization/datasource`: it opens for the same owner alone */
  seal(text: string, owner: string): string;

  /** @throws SealBroken when it was sealed with another key, for another owner, or has been changed */
  open(sealed: string, owner: string): string;
}

/** A sealed text cannot be opened. The message never holds any of it. */
export class SealBroken extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`a sealed text cannot be opened: ${reason}`, options);
    this.name = 'SealBroken';
  }
}

const FORMAT = 's1';
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** NIST SP 800-38D, 8.2.2: random, 96 bits, safe for 2³² texts under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM. A sealed text is `s1.<key id>.<base64url of nonce, tag and ciphertext>`.
 *
 * @param keys of 32 bytes each. The first one seals; all open, so that a key can be replaced without losing what it sealed.
 * @throws RangeError when there is no key, or one of another length
 */
export function createSealing(keys: readonly Uint8Array[]): Sealing {
  const [first] = keys;
  if (first === undefined) throw new RangeError('expected at least one key, found none');
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  return {
    seal: (text, owner) => `${FORMAT}.${idOf(first)}.${encrypt(first, text, owner).toString('base64url')}`,
    open: (sealed, owner) => {
      const [format, id = '', content = '', ...rest] = sealed.split('.');
      if (format !== FORMAT || rest.length > 0) throw new SealBroken(`expected the form ${FORMAT}.<key>.<content>`);
      const key = byId.get(id);
      if (key === undefined) throw new SealBroken(`it was sealed with the key ${shown(id)}, which is not among ours`);
      return decrypt(key, Buffer.from(content, 'base64url'), owner);
    },
  };
}

/**
 * A key from its text form.
 *
 * @param text 32 bytes as base64, base64url or hexadecimal digits
 * @throws RangeError when it is something else
 */
export function sealingKey(text: string): Uint8Array {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES)
    throw new RangeError(
      `expected a key of ${KEY_BYTES} bytes as base64 or hexadecimal digits, found ${key.length} bytes`,
    );
  return key;
}

/** Says which key it was without saying anything about it. */
function idOf(key: Uint8Array): string {
  if (key.length !== KEY_BYTES) throw new RangeError(`expected a key of ${KEY_BYTES} bytes, found ${key.length}`);
  return createHash('sha256').update('quarry sealing key').update(key).digest('hex').slice(0, 8);
}

function encrypt(key: Uint8Array, text: string, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(owner, 'utf8'));
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]);
}

function decrypt(key: Uint8Array, sealed: Buffer, owner: string): string {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken('it has been cut off');
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner, 'utf8'));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch (cause) {
    throw new SealBroken('it has been changed, or was sealed for another owner', { cause });
  }
}

function shown(id: string): string {
  return JSON.stringify(id.slice(0, 8));
}
