/** Returns a text file for an upload. */
export function textFile(name: string, text: string): File {
  return new File([text], name, { type: 'text/plain' });
}
