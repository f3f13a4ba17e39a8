const REQUIRED_MAJOR = 24;

/** @returns what is wrong with running on this version of Node, or undefined */
export function wrongNode(version: string): string | undefined {
  const major = Number(/^v(\d+)\./.exec(version)?.[1]);
  if (major === REQUIRED_MAJOR) return undefined;
  return `Quarry runs on Node ${REQUIRED_MAJOR}, found ${version}. npm scripts bring the right one: use npm start, or node_modules/.bin/node.`;
}

/** Ends the process when another Node runs it: native modules fail later, in ways that are hard to read. */
export function refuseOtherNode(): void {
  const problem = wrongNode(process.version);
  if (problem === undefined) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
