/** An error that reports the failure of a run for which the user waits. */
export class RunFailure extends Error {
  /** The code of the reason, such as `no_text_found`. */
  readonly code: string;

  /** @param reason the reason of the failure as the API returns it, with an English message */
  constructor({ code, message }: { readonly code: string; readonly message: string }) {
    super(message);
    this.name = 'RunFailure';
    this.code = code;
  }
}
