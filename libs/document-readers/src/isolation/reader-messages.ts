import type { SplittingSettings } from '@quarry/contracts';
import type { DeclaredFile } from '../readers/file-type.js';
import type { ReadingFailure, ReadingProgress } from '../readers/reader.js';
import type { Fragment } from '../splitting/fragment.js';

/** What the reading process is asked: everything it needs to know of a document. */
export interface ReadRequest {
  /** Of the file that holds the document's bytes. */
  readonly path: string;
  readonly file: DeclaredFile;
  readonly splitting: SplittingSettings;
  /** More text than this, in characters, is refused. */
  readonly maxCharacters: number;
}

/** What the reading process answers: any number of the first two, then one of the others. */
export type ReadAnswer =
  | { readonly type: 'progress'; readonly progress: ReadingProgress }
  | { readonly type: 'fragments'; readonly fragments: readonly Fragment[] }
  | ({ readonly type: 'finished' } & Usage)
  | ({ readonly type: 'failed'; readonly code: ReadingFailure; readonly message: string } & Usage);

interface Usage {
  /** The most that the process held since it was started, all memory counted. */
  readonly peakMemoryMb: number;
  /** What it holds now. */
  readonly memoryMb: number;
}
