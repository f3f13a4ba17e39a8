/** The way in which a guarantee is violated, such as `lost` for a missing document. */
export type ViolationKind =
  'lost' | 'stuck' | 'duplicated' | 'resurrected' | 'refused' | 'miscounted' | 'ended' | 'left behind';

/** An error that reports a violated guarantee of Quarry. Its message contains the expected and the found state. */
export class Violation extends Error {
  readonly broken: ViolationKind;

  constructor(broken: ViolationKind, message: string, options?: ErrorOptions) {
    super(`${broken}: ${message}`, options);
    this.name = 'Violation';
    this.broken = broken;
  }
}
