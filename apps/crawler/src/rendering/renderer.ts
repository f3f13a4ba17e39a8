/** A page as it came from its server. */
export interface PageToRender {
  readonly address: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Runs the scripts of pages that consist of nothing else. */
export interface Renderer {
  /** @returns the page's HTML when its scripts have come to rest @throws RenderingFailed; the signal's reason */
  render(page: PageToRender, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** The browser could not be started, broke down, or was too long at it. */
export class RenderingFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RenderingFailed';
  }
}
