/** Creates a plain text file for an upload. */
export function createTextFile(name: string, text: string): File {
  return new File([text], name, { type: 'text/plain' });
}
