import { DockerfileParser, type From, type Instruction } from 'dockerfile-ast';

/** Describes a build stage of a Dockerfile, which begins with `FROM`. */
export interface Stage {
  readonly baseImage: string;
  /** Instructions of the stage after `FROM`, in their order. */
  readonly instructions: readonly Statement[];
}

export interface Statement {
  /** Keyword in capitals, such as `RUN`. */
  readonly keyword: string;
  /** The words after the keyword, without line continuations. */
  readonly words: readonly string[];
}

export interface ParsedDockerfile {
  /** The names of the parser directives, such as `syntax`. */
  readonly directives: readonly string[];
  /** Build arguments of all stages with their defaults; undefined for an argument without a default. */
  readonly buildArguments: ReadonlyMap<string, string | undefined>;
  readonly stages: readonly Stage[];
}

const DIRECTIVES = ['check', 'escape', 'syntax'];

export function parseDockerfile(text: string): ParsedDockerfile {
  const file = DockerfileParser.parse(text);
  const stages: { baseImage: string; instructions: Statement[] }[] = [];
  for (const instruction of file.getInstructions()) {
    if (isFromInstruction(instruction)) stages.push({ baseImage: instruction.getImage() ?? '', instructions: [] });
    else stages.at(-1)?.instructions.push(toStatement(instruction));
  }
  const buildArguments = file.getInstructions().flatMap((instruction) => {
    const { keyword, words } = toStatement(instruction);
    return keyword === 'ARG' ? words.map(parseAssignment) : [];
  });
  return {
    // The parser also returns comments that contain an equals sign, which are no directives.
    directives: file
      .getDirectives()
      .map((directive) => directive.getName().toLowerCase())
      .filter((name) => DIRECTIVES.includes(name)),
    // If a stage declares an argument of an earlier stage again without a default, the earlier default applies.
    buildArguments: buildArguments.reduce(
      (all, [name, value]) => all.set(name, value ?? all.get(name)),
      new Map<string, string | undefined>(),
    ),
    stages,
  };
}

/** Returns the instructions of a stage that have this keyword, in their order. */
export function listInstructionsOf(stage: Stage | undefined, keyword: string): readonly Statement[] {
  return (stage?.instructions ?? []).filter((statement) => statement.keyword === keyword);
}

/**
 * Returns the arguments of the last instruction in a stage that has this keyword; undefined if there is none. The last
 * instruction overrides the earlier ones.
 */
export function findLastArguments(stage: Stage | undefined, keyword: string): string | undefined {
  return listInstructionsOf(stage, keyword).at(-1)?.words.join(' ');
}

function isFromInstruction(instruction: Instruction): instruction is From {
  return instruction.getKeyword() === 'FROM';
}

/** Converts an instruction from the parser's form to a `Statement`. */
function toStatement(instruction: Instruction): Statement {
  return { keyword: instruction.getKeyword(), words: instruction.getArguments().map((word) => word.getValue()) };
}

/** Splits `NAME=value` into its name and its value; undefined for a word without a value. */
function parseAssignment(word: string): readonly [string, string | undefined] {
  const [name = '', ...value] = word.split('=');
  return [name, value.length === 0 ? undefined : value.join('=')];
}
