import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Returns the paths of the tracked and new files that match any of Git's pathspecs; all files without a pathspec. */
export function listFiles(...patterns: readonly string[]): readonly string[] {
  const output = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return output.split('\n').filter((name) => name !== '');
}

/** Paths of the Markdown documents for users and contributors, without the decision records. */
export const DOCUMENTS = listFiles(
  ':(glob)*.md',
  ':(glob)docs/*.md',
  ':(glob)clients/*/README.md',
  ':(glob)libs/*/README.md',
  ':(glob)apps/*/README.md',
);

/** A fenced block of shell commands in a document. */
export interface Block {
  readonly document: string;
  /** The commands of the block, one per element, without comments. */
  readonly commands: readonly string[];
  /** The lines of the block, with continuation lines joined. */
  readonly lines: readonly string[];
  /** Documented response to the commands: the `json` or `text` block that directly follows; undefined without one. */
  readonly response: string | undefined;
}

export const readDocument = (document: string): string => readFileSync(`${ROOT}${document}`, 'utf8');

const BLOCK = /^```sh\n([^]*?)^```$(?:\n+```(?:json|text)\n([^]*?)^```$)?/gm;

/** Returns the fenced blocks with the language `sh` of all documents, in the order of `DOCUMENTS`. */
export function readShellBlocks(): readonly Block[] {
  return DOCUMENTS.flatMap((document) =>
    [...readDocument(document).matchAll(BLOCK)].map(([, text = '', response]) => {
      const lines = text
        .replace(/\\\n\s*/g, '')
        .split('\n')
        .filter((line) => line.trim() !== '');
      return { document, lines, commands: lines.flatMap(splitIntoCommands), response };
    }),
  );
}

/** Returns the commands in the inline code of all documents. */
export function readInlineCommands(): readonly { readonly document: string; readonly command: string }[] {
  return DOCUMENTS.flatMap((document) =>
    [...readDocument(document).matchAll(/`((?:npm|npx|sh|kubectl|docker) [^`\n]+)`/g)].map(([, command = '']) => ({
      document,
      command,
    })),
  );
}

function splitIntoCommands(line: string): readonly string[] {
  return line
    .replace(/\s+#\s.*$/, '')
    .split(' && ')
    .map((command) => command.trim());
}
