/** Holds a page as the server sent it, before its scripts have run. */
export interface PageToRender {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Renders pages that are built by scripts. */
export interface Renderer {
  /** Returns the HTML of the page after its scripts have run. @throws RenderingFailed; the signal's reason */
  render(page: PageToRender, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** Reports that the browser did not start, crashed, or exceeded the time limit for rendering a page. */
export class RenderingFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RenderingFailed';
  }
}
