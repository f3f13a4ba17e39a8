/** Names the violated guarantee. */
export type Broken =
  'lost' | 'stuck' | 'duplicated' | 'resurrected' | 'refused' | 'miscounted' | 'ended' | 'left behind';

/** Reports a violated guarantee of Quarry. The message contains the expected and the found state. */
export class Violation extends Error {
  readonly broken: Broken;

  constructor(broken: Broken, message: string, options?: ErrorOptions) {
    super(`${broken}: ${message}`, options);
    this.name = 'Violation';
    this.broken = broken;
  }
}
