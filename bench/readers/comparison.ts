/** What a library made of a file. */
export interface FileRead {
  readonly type: string;
  readonly file: string;
  /** Best of several; undefined where it failed. */
  readonly ms?: number;
  readonly text?: string;
}

/** A library beside the one that Quarry is built on. */
export interface Comparison {
  readonly type: string;
  readonly library: string;
  readonly isChosen: boolean;
  /** How many of the files that have a reference it reads. */
  readonly read: number;
  readonly files: number;
  /** Mean of the references' words that it finds; 0 for a file that it does not read. */
  readonly recall: number;
  /** How long it takes against the chosen library, over the files that both read: the geometric mean of their ratios. */
  readonly time: number;
}

export interface Chosen {
  readonly type: string;
  readonly library: string;
}

/**
 * @param reads of each library
 * @param recallOf of a text, in [0, 1]; undefined for a file without a reference
 */
export function compare(
  reads: ReadonlyMap<string, readonly FileRead[]>,
  chosen: readonly Chosen[],
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
      return [{ ...row, read, recall: mean(recalls), time: geometricMean(ratios(of, own)) }];
    });
  });
}

function ratios(reads: readonly FileRead[], against: readonly FileRead[]): readonly number[] {
  return reads.flatMap(({ file, ms }) => {
    const other = against.find((read) => read.file === file)?.ms;
    return ms === undefined || other === undefined ? [] : [ms / other];
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(mean(values.map((value) => Math.log(value))));
}
