/** Limits of one request. Sizes are in bytes. */
export interface Limits {
  /** Size of an uploaded file. */
  readonly fileBytes: number;
  /** Size of the body of an upsert. */
  readonly upsertBytes: number;
  /** Number of documents in an upsert. */
  readonly upsertDocuments: number;
  /** Size of a document's metadata as JSON. The metadata is part of the job. */
  readonly metadataBytes: number;
  /** Length of a question or search query, in characters. */
  readonly queryCharacters: number;
  /** Size of any other JSON body. */
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
