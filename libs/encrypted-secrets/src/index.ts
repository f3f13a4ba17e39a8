export { decryptHeaders, encryptHeaders, type Headers, type HeadersOwner } from './encrypted-headers.js';
export { redactSecretInError, redactSecretInText } from './redact-secret.js';
export { createSecretCipher, DecryptionFailed, parseEncryptionKey, type SecretCipher } from './secret-cipher.js';
