/** What a way to ingest took for a corpus. */
export interface Ingested {
  readonly way: string;
  readonly documents: number;
  readonly fragments: number;
  readonly seconds: number;
}
