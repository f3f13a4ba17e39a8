/** What one request may hold. Sizes in bytes. */
export interface Limits {
  /** An uploaded file. */
  readonly fileBytes: number;
  /** The body of an upsert. */
  readonly upsertBytes: number;
  /** The documents of an upsert. */
  readonly upsertDocuments: number;
  /** A document's metadata, as JSON: it travels in the job. */
  readonly metadataBytes: number;
  /** A question or a search, in characters. */
  readonly queryCharacters: number;
  /** Any other JSON body. */
  readonly bodyBytes: number;
}

const MIB = 1_048_576;

export const DEFAULT_LIMITS: Limits = {
  fileBytes: 100 * MIB,
  upsertBytes: 10 * MIB,
  upsertDocuments: 500,
  metadataBytes: 16_384,
  queryCharacters: 32_000,
  bodyBytes: MIB,
};
