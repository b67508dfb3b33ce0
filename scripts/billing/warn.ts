/** Prints a sentence that does not change the outcome of a command. */
export function warn(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
