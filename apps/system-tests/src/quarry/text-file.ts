/** A file to upload. */
export function textFile(name: string, text: string): File {
  return new File([text], name, { type: 'text/plain' });
}
