/** What was found out about one rule of the contract. */
export type Verdict =
  | { readonly outcome: 'kept' }
  /** With the request that shows it. */
  | { readonly outcome: 'broken'; readonly found: string; readonly request: string }
  /** It takes more, such as two items of different dates, to tell. */
  | { readonly outcome: 'untold'; readonly because: string };

export const KEPT: Verdict = { outcome: 'kept' };

export function broken(found: string, request: string): Verdict {
  return { outcome: 'broken', found, request };
}

export function untold(because: string): Verdict {
  return { outcome: 'untold', because };
}
