import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { StartupError } from '#services/foundation/startup-error'

const shortest = 12
/** UTF-16 code units; the sign-in page's contract takes no more. */
const longest = 1024

/**
 * Reads a new password for the administrators. On a terminal, prompts twice and shows nothing of what is typed; else reads
 * standard input to its end.
 * @throws StartupError for a password that cannot be used, and when the operator leaves the prompt
 */
export function readPassword(): Promise<string> {
  return process.stdin.isTTY ? readTyped() : readPiped()
}

async function readPiped(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (/[\r\n]/.test(password))
    throw new StartupError('The password has more than one line: pipe one line.')
  return checked(password)
}

async function readTyped(): Promise<string> {
  const unseen = new Writable({ write: (_text, _encoding, done) => done() })
  // This puts the terminal into raw mode, so that the terminal echoes nothing either. Ctrl-C and Ctrl-D close the interface.
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
    if (line.done === true) throw new StartupError('No password was entered, and no hash was made.')
    return line.value
  }
  try {
    const password = checked(await ask('Password: '))
    if ((await ask('Password again: ')) !== password)
      throw new StartupError('The two passwords differ: run this again.')
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
