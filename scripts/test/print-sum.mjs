/**
 * Prints the last lines of a test command: the names of the skipped tests, then `N passed, N
 * failed`. Sets the exit code.
 */
export function printSum({ passed, failed, skipped }) {
  process.exitCode = failed > 0 ? 1 : 0
  const parts = [
    `${passed} passed`,
    `${failed} failed`,
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ]
  process.stdout.write(
    [...skipped.map((name) => `skipped: ${name}`), parts.join(', '), ''].join('\n'),
  )
}
