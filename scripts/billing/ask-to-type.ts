import { createInterface } from 'node:readline/promises'

/**
 * Asks the operator on the terminal to type a text. The question goes to standard error, so that
 * standard output has only the answer of the command. False for any other text, and if the operator
 * ends the input.
 */
export async function askToType(question: string, expected: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const ended = new Promise<null>((resolve) => terminal.once('close', () => resolve(null)))
    const answer = await Promise.race([terminal.question(question), ended])
    return answer?.trim() === expected
  } finally {
    terminal.close()
  }
}
