/** Shorter ones may be a name or a key that somebody looks for. */
const LONG = 1_000;
const BASE64 = /^(?:data:[^,]{0,200},)?(?:[\w+/-]{60,}\r?\n)*[\w+/-]+={0,2}\s*$/;
const DATA_ADDRESS = /data:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*;base64,[\w+/=-]*/g;
/** As mail and notebooks write them: many lines, each as long as the one before. */
const LINES = /(?:^[A-Za-z0-9+/]{60,76}\n){10,}(?:^[A-Za-z0-9+/]+={0,2}$)?/gm;

/** Whether a value is a picture or another file, written in letters: base64. */
export function isEncodedBytes(text: string): boolean {
  if (text.length < LONG || !BASE64.test(text)) return false;
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
}

/** A text without the files that are written into it. */
export function withoutEncodedBytes(text: string): string {
  return text.replace(DATA_ADDRESS, '').replace(LINES, '');
}
