/** The guarantee that did not hold. */
export type Broken =
  'lost' | 'stuck' | 'duplicated' | 'resurrected' | 'refused' | 'miscounted' | 'ended' | 'left behind';

/** A guarantee of Quarry that did not hold. The message says what was expected and what was found. */
export class Violation extends Error {
  readonly broken: Broken;

  constructor(broken: Broken, message: string, options?: ErrorOptions) {
    super(`${broken}: ${message}`, options);
    this.name = 'Violation';
    this.broken = broken;
  }
}
