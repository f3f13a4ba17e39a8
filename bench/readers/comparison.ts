/** The text that one library read from one file, and the reading time. */
export interface FileRead {
  readonly type: string;
  readonly file: string;
  /** Minimum duration in milliseconds of several readings of the file; undefined if reading failed. */
  readonly ms?: number;
  readonly text?: string;
}

/** The recall and the reading time of a library for one file type. */
export interface Comparison {
  readonly type: string;
  readonly library: string;
  readonly isChosen: boolean;
  /** Number of files that have a reference text and that the library can read. */
  readonly read: number;
  readonly files: number;
  /** Mean recall of the words of the reference texts. A file that the library cannot read counts as 0. */
  readonly recall: number;
  /** Reading time divided by that of the library that Quarry uses: the geometric mean over the files that both read. */
  readonly time: number;
}

export interface ChosenLibrary {
  readonly type: string;
  readonly library: string;
}

/**
 * Compares libraries with the libraries that Quarry uses for the same file types.
 *
 * @param reads the texts and times of each library, keyed by library
 * @param chosen the libraries that Quarry uses, by file type
 * @param recallOf returns the recall of the reference's words in a text, from 0 to 1; undefined for a file without a
 * reference
 */
export function compareLibraries(
  reads: ReadonlyMap<string, readonly FileRead[]>,
  chosen: readonly ChosenLibrary[],
  recallOf: (file: string, text: string) => number | undefined,
): readonly Comparison[] {
  return chosen.flatMap(({ type, library: ours }) => {
    const own = (reads.get(ours) ?? []).filter((read) => read.type === type);
    return [...reads].flatMap(([library, all]) => {
      const of = all.filter((read) => read.type === type);
      if (of.length === 0) return [];
      const referenced = of.filter(({ file }) => recallOf(file, '') !== undefined);
      const recalls = referenced.map(({ file, text }) => (text === undefined ? 0 : (recallOf(file, text) ?? 0)));
      const row = { type, library, isChosen: library === ours, files: referenced.length };
      const read = referenced.filter(({ text }) => text !== undefined).length;
      return [{ ...row, read, recall: computeMean(recalls), time: computeGeometricMean(computeTimeRatios(of, own)) }];
    });
  });
}

function computeTimeRatios(reads: readonly FileRead[], against: readonly FileRead[]): readonly number[] {
  return reads.flatMap(({ file, ms }) => {
    const other = against.find((read) => read.file === file)?.ms;
    return ms === undefined || other === undefined ? [] : [ms / other];
  });
}

function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function computeGeometricMean(values: readonly number[]): number {
  return Math.exp(computeMean(values.map((value) => Math.log(value))));
}
