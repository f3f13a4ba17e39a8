/**
 * Exits with an explanation if the command line has arguments. Otherwise, users might expect that an argument such as
 * `--port` has an effect.
 *
 * @param command the command as the user types it, such as `npm start`
 */
export function refuseArguments(command) {
  const found = process.argv.slice(2);
  if (found.length === 0) return;
  console.error(
    `expected no arguments of ${command}, found: ${found.join(' ')}. Set an environment variable instead, such as QUARRY_PORT=8080. docs/operations.md lists them.`,
  );
  process.exit(2);
}
