/** Reports a vector whose length does not match the embedding of its collection. */
export class DimensionMismatch extends Error {
  readonly expected: number;
  readonly found: number;

  constructor(model: string, expected: number, found: number) {
    super(`expected vectors of ${expected} dimensions from model ${model}, found ${found}`);
    this.name = 'DimensionMismatch';
    this.expected = expected;
    this.found = found;
  }
}
