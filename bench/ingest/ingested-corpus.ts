/** Measurements of one program that has ingested a corpus. */
export interface IngestedCorpus {
  readonly way: string;
  readonly documents: number;
  readonly fragments: number;
  readonly seconds: number;
}
