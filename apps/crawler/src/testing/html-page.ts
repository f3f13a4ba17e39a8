/** A whole page, whose title is its heading. @param head what its head holds beside the title */
export const htmlPage = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`;
