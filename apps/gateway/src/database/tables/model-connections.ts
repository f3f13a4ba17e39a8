import type { ModelProvider } from '@quarry/contracts';
import { text } from 'drizzle-orm/pg-core';
import { quarry, timeColumn } from './quarry-schema.js';

/**
 * Stores the connections to providers of language models. The connections belong to the installation, not to an
 * organization.
 */
export const modelConnections = quarry.table('model_connections', {
  provider: text('provider').$type<ModelProvider>().primaryKey(),
  /** The address and the model of the provider `custom`. Null for other providers. */
  baseUrl: text('base_url'),
  model: text('model'),
  /**
   * The API key of the provider, encrypted so that it can only be decrypted for this provider and address. Null: the
   * server needs no key.
   */
  encryptedKey: text('encrypted_key'),
  /** The last characters of the key. Null: there is no key, or it is short. */
  keyHint: text('key_hint'),
  updatedAt: timeColumn('updated_at').notNull(),
});
