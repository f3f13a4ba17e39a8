import type { Icon } from '../components/icons.js';

/** An entry of the command palette. */
export interface Command {
  readonly key: string;
  readonly title: string;
  /** Search words besides the title with which the palette finds the command, separated by spaces. */
  readonly words: string;
  readonly group: string;
  readonly icon: Icon;
  readonly onRun: () => void;
}

const MAX_COMMANDS = 50;

/**
 * Returns the commands whose title, search words and group contain all words of the typed text. Commands whose title
 * begins with the first word come first.
 */
export function filterCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = removeCaseAndAccents(text).split(/\s+/).filter(Boolean);
  const found = commands.filter((command) => {
    const content = removeCaseAndAccents(`${command.title} ${command.words} ${command.group}`);
    return words.every((word) => content.includes(word));
  });
  const beginning = words[0] ?? '';
  const begins = ({ title }: Command): number => (removeCaseAndAccents(title).startsWith(beginning) ? 0 : 1);
  return found.toSorted((one, other) => begins(one) - begins(other)).slice(0, MAX_COMMANDS);
}

/** Returns a text in lower case without accents. */
function removeCaseAndAccents(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
}
