/** Error that is thrown if a run fails while the user waits for its result. */
export class RunFailure extends Error {
  /** The code of the reason of the failure, such as `no_text_found`. */
  readonly code: string;

  /** @param reason the reason of the failure as the API returns it, with an English message */
  constructor({ code, message }: { readonly code: string; readonly message: string }) {
    super(message);
    this.name = 'RunFailure';
    this.code = code;
  }
}
