import type { ModelProvider } from '@quarry/contracts';
import { text } from 'drizzle-orm/pg-core';
import { quarry, timeColumn } from './quarry-schema.js';

/**
 * Stores the connections to providers of language models. The connections belong to the installation, not to an
 * organization.
 */
export const modelConnections = quarry.table('model_connections', {
  provider: text('provider').$type<ModelProvider>().primaryKey(),
  /** The address of the provider `custom`. This column and `model` are null for other providers. */
  baseUrl: text('base_url'),
  model: text('model'),
  /**
   * The API key of the provider, encrypted so that it can only be decrypted for this provider and address. Null: the
   * server needs no key.
   */
  encryptedKey: text('encrypted_key'),
  /** The last characters of the key, to recognize it. Null: there is no key, or it is too short for that. */
  keyHint: text('key_hint'),
  updatedAt: timeColumn('updated_at').notNull(),
});
