import { generate } from 'selfsigned';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate for exactly these names, which nobody trusts until it is handed in as an authority. */
export async function certificateFor(...names: readonly string[]): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'for a test' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2 as const, value })) }],
  });
  return { key, cert };
}
