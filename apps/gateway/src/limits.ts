/** Limits of one API request. Sizes are in bytes. */
export interface Limits {
  /** Maximum size of an uploaded file. */
  readonly fileBytes: number;
  /** Maximum size of the body of an upsert request. */
  readonly upsertBytes: number;
  /** Maximum number of documents in an upsert. */
  readonly upsertDocuments: number;
  /** Maximum size of the metadata of a document as JSON. The metadata is part of the job that indexes the document. */
  readonly metadataBytes: number;
  /** Maximum length of a question or search query, in characters. */
  readonly queryCharacters: number;
  /** Maximum size of the body of a request for a new evaluation, which contains the dataset. */
  readonly evaluationBytes: number;
  /** Maximum number of questions of an evaluation dataset. */
  readonly evaluationQuestions: number;
  /** Maximum size of a JSON body for which no other limit is defined here. */
  readonly bodyBytes: number;
}

const MIB = 1_048_576;

export const DEFAULT_LIMITS: Limits = {
  fileBytes: 100 * MIB,
  upsertBytes: 10 * MIB,
  upsertDocuments: 500,
  metadataBytes: 16_384,
  queryCharacters: 32_000,
  evaluationBytes: 10 * MIB,
  evaluationQuestions: 2_000,
  bodyBytes: MIB,
};
