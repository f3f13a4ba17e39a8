import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'docs/guide.md', 'docs/operations.md'];

/** A fenced block of shell commands. */
export interface Block {
  readonly document: string;
  /** Its commands, one each, without the comments behind them. */
  readonly commands: readonly string[];
  /** The lines as printed. */
  readonly lines: readonly string[];
}

const read = (document: string): string => readFileSync(`${ROOT}${document}`, 'utf8');

/** Returns the `sh` blocks of the documents, in their order. */
export function readBlocks(): readonly Block[] {
  return DOCUMENTS.flatMap((document) =>
    [...read(document).matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text = '']) => {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      return { document, lines, commands: lines.flatMap(commandsOf) };
    }),
  );
}

/** Returns the commands that stand within the text and the tables. */
export function readInlineCommands(): readonly { readonly document: string; readonly command: string }[] {
  return DOCUMENTS.flatMap((document) =>
    [...read(document).matchAll(/`((?:npm|npx|sh|kubectl|docker) [^`\n]+)`/g)].map(([, command = '']) => ({
      document,
      command,
    })),
  );
}

function commandsOf(line: string): readonly string[] {
  return line
    .replace(/\s+#\s.*$/, '')
    .split(' && ')
    .map((command) => command.trim());
}
