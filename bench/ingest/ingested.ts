/** Measurements of one program that ingests a corpus. */
export interface Ingested {
  readonly way: string;
  readonly documents: number;
  readonly fragments: number;
  readonly seconds: number;
}
