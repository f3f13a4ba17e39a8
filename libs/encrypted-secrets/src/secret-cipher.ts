import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Encrypts secrets, each for one owner. A secret can be decrypted only with the same key and for the same owner. */
export interface SecretCipher {
  /**
   * Encrypts a text.
   *
   * @param owner identifies the resource that the text belongs to, such as `organization/datasource`
   */
  encrypt(text: string, owner: string): string;

  /**
   * Decrypts a text.
   *
   * @throws DecryptionFailed if the text was encrypted with an unknown key or for another owner, or was changed
   */
  decrypt(encrypted: string, owner: string): string;
}

/** Reports that a text cannot be decrypted. The message contains no part of the text. */
export class DecryptionFailed extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`an encrypted text cannot be decrypted: ${reason}`, options);
    this.name = 'DecryptionFailed';
  }
}

const FORMAT = 's1';
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/**
 * Length of the random nonce in bytes. With random nonces of this length, one key can encrypt 2³² texts. Source: NIST
 * SP 800-38D, section 8.2.2.
 */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates a cipher with AES-256-GCM. An encrypted text is `s1.<key id>.<base64url of nonce, tag and ciphertext>`.
 *
 * @param keys keys of 32 bytes each. The first key encrypts. Each key decrypts, so that texts of an old key stay
 * readable after a new key was added.
 * @throws RangeError if there is no key, or a key has another length
 */
export function createSecretCipher(keys: readonly Uint8Array[]): SecretCipher {
  const [first] = keys;
  if (first === undefined) throw new RangeError('expected at least one key, found none');
  const byId = new Map(keys.map((key) => [computeKeyId(key), key]));
  return {
    encrypt: (text, owner) =>
      `${FORMAT}.${computeKeyId(first)}.${encryptText(first, text, owner).toString('base64url')}`,
    decrypt: (encrypted, owner) => {
      const [format, id = '', content = '', ...rest] = encrypted.split('.');
      if (format !== FORMAT || rest.length > 0)
        throw new DecryptionFailed(`expected an encrypted text of the form ${FORMAT}.<key>.<content>`);
      const key = byId.get(id);
      if (key === undefined)
        throw new DecryptionFailed(
          `the text was encrypted with the key ${formatKeyId(id)}, which is not configured: configure this key, too`,
        );
      return decryptText(key, Buffer.from(content, 'base64url'), owner);
    },
  };
}

/**
 * Parses a key.
 *
 * @param text 32 bytes as base64, base64url or hexadecimal digits
 * @throws RangeError if `text` does not encode 32 bytes
 */
export function parseEncryptionKey(text: string): Uint8Array {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES)
    throw new RangeError(
      `expected a key of ${KEY_BYTES} bytes as base64 or hexadecimal digits, found ${key.length} bytes`,
    );
  return key;
}

/**
 * Computes the id of a key. The id does not reveal the key. Stored texts contain key ids, so the computation must not
 * change.
 */
function computeKeyId(key: Uint8Array): string {
  if (key.length !== KEY_BYTES) throw new RangeError(`expected a key of ${KEY_BYTES} bytes, found ${key.length} bytes`);
  return createHash('sha256').update('quarry sealing key').update(key).digest('hex').slice(0, 8);
}

function encryptText(key: Uint8Array, text: string, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(owner, 'utf8'));
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]);
}

function decryptText(key: Uint8Array, encrypted: Buffer, owner: string): string {
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) throw new DecryptionFailed('the encrypted text is too short');
  const decipher = createDecipheriv(ALGORITHM, key, encrypted.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner, 'utf8'));
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch (cause) {
    throw new DecryptionFailed('the text was changed, or was encrypted for another owner', { cause });
  }
}

function formatKeyId(id: string): string {
  return JSON.stringify(id.slice(0, 8));
}
