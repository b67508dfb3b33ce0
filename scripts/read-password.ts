import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { StartupError } from '#services/foundation/startup-error'

const shortest = 12
/** UTF-16 code units: the limit of the sign-in page's contract. */
const longest = 1024

/**
 * Reads a new password for the administrators. On a terminal, prompts twice and does not echo the
 * input. Otherwise reads standard input to its end.
 * @throws StartupError for a password that cannot be used, and if the operator ends the prompt
 */
export function readPassword(): Promise<string> {
  return process.stdin.isTTY ? readTyped() : readPiped()
}

async function readPiped(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (/[\r\n]/.test(password))
    throw new StartupError('The password has more than one line. Pipe a single line.')
  return checked(password)
}

async function readTyped(): Promise<string> {
  const unseen = new Writable({ write: (_text, _encoding, done) => done() })
  // This sets the terminal to raw mode, so the terminal does not echo the input. Ctrl-C and Ctrl-D
  // close the interface.
  const terminal = createInterface({
    input: process.stdin,
    output: unseen,
    terminal: true,
    historySize: 0,
  })
  const lines = terminal[Symbol.asyncIterator]()
  const ask = async (prompt: string) => {
    process.stderr.write(prompt)
    const line = await lines.next()
    process.stderr.write('\n')
    if (line.done === true)
      throw new StartupError('No password was entered, so no hash was made. Run the command again.')
    return line.value
  }
  try {
    const password = checked(await ask('Password: '))
    if ((await ask('Password again: ')) !== password)
      throw new StartupError('The two passwords differ. Run the command again.')
    return password
  } finally {
    terminal.close()
  }
}

function checked(password: string): string {
  if (password.length < shortest)
    throw new StartupError(
      `The password is too short: choose one of ${shortest} characters or more.`,
    )
  if (password.length > longest)
    throw new StartupError(
      `The password is too long: choose one of ${longest.toLocaleString('en-US')} characters or fewer.`,
    )
  return password
}
