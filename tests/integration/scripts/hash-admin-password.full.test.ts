import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createSlowHash } from '#services/foundation/slow-hash'
import { createAdminPasswordCheck } from '#services/admin/admin-password'
import {
  noPseudoTerminal,
  onPseudoTerminal,
  type PseudoTerminal,
} from '../../support/machine/pseudo-terminal.ts'

const password = 'correct horse battery'

/** Runs `… | npm run -s hash-admin-password` from the sources. */
async function pipe(input: string) {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(process.execPath, ['scripts/hash-admin-password.mjs'], {
    env: { PATH, HOME, TMPDIR },
    stdio: 'pipe',
  })
  const closed = once(child, 'close').then(([code]) => code as number | null)
  child.stdin.end(input)
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, stdout, stderr }
}

const isHashOf = (hash: string, candidate: string) =>
  createAdminPasswordCheck(hash.trim(), createSlowHash())(candidate)

describe('hash-admin-password with a piped password', () => {
  it.each([
    ['without a newline at its end', password],
    ['with a newline at its end', `${password}\n`],
    ['with a Windows newline at its end', `${password}\r\n`],
  ])('prints only the hash of a line %s', async (_, input) => {
    const { code, stdout, stderr } = await pipe(input)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await isHashOf(stdout, password)).toBe(true)
  })

  it('keeps spaces and the letters of every script', async () => {
    const { stdout } = await pipe('  Grüße 世界 🔑  \n')
    expect(await isHashOf(stdout, '  Grüße 世界 🔑  ')).toBe(true)
  })

  it.each<[string, string, RegExp]>([
    ['no password', '', /12 characters or more/],
    ['a short password', 'short\n', /12 characters or more/],
    [
      'a password that is longer than the sign-in page accepts',
      'x'.repeat(1025),
      /1,024 characters or fewer/,
    ],
    ['several lines', `${password}\n${password}\n`, /more than one line/],
  ])('refuses %s with one sentence', async (_, input, sentence) => {
    const { code, stdout, stderr } = await pipe(input)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

const onTerminal =
  noPseudoTerminal === null
    ? it
    : (name: string, _run: () => Promise<void>) =>
        it.skip(`${name} [${noPseudoTerminal}]`, () => undefined)

describe('hash-admin-password on a terminal', () => {
  let terminal: PseudoTerminal
  afterEach(() => terminal?.kill())

  /** Prints the exit code of the command and the terminal settings that the command leaves. */
  function start(): void {
    terminal = onPseudoTerminal(
      `'${process.execPath}' scripts/hash-admin-password.mjs; echo "exit code $?"; stty -a`,
    )
  }
  async function endsWith(code: number): Promise<void> {
    await terminal.shows(`exit code ${code}`)
    expect(await terminal.ended()).toBe(0)
    const settings = terminal.screen().split('exit code')[1] ?? ''
    for (const setting of ['icanon', 'echo', 'isig', 'icrnl', 'opost'])
      expect(settings).toMatch(new RegExp(`\\s${setting}\\b`))
  }

  onTerminal(
    'requests the password twice, does not show typed characters, and prints the hash',
    async () => {
      start()
      await terminal.shows('Password: ')
      terminal.type('correct horse batteryy\x7f\r')
      await terminal.shows('Password again: ')
      terminal.type(`${password}\r`)
      await endsWith(0)
      expect(terminal.screen()).not.toMatch(/correct|horse|battery|\*/)
      expect(await isHashOf(/scrypt\$\S+/.exec(terminal.screen())?.[0] ?? '', password)).toBe(true)
    },
  )

  onTerminal('refuses two passwords that differ with one sentence', async () => {
    start()
    await terminal.shows('Password: ')
    terminal.type(`${password}\r`)
    await terminal.shows('Password again: ')
    terminal.type(`${password}s\r`)
    await terminal.shows('The two passwords differ')
    await endsWith(1)
    expect(terminal.screen()).not.toMatch(/battery|scrypt/)
  })

  onTerminal('refuses a short password before it requests the password again', async () => {
    start()
    await terminal.shows('Password: ')
    terminal.type('short\r')
    await terminal.shows('12 characters or more')
    await endsWith(1)
    expect(terminal.screen()).not.toContain('again')
  })

  for (const [key, typed] of [
    ['Ctrl-C', '\x03'],
    ['Ctrl-C after half a password', 'correct\x03'],
    ['Ctrl-D', '\x04'],
  ] as const) {
    onTerminal(
      `ends at ${key} with one sentence, and restores the settings of the terminal`,
      async () => {
        start()
        await terminal.shows('Password: ')
        terminal.type(typed)
        await terminal.shows('No password was entered')
        await endsWith(1)
        expect(terminal.screen()).not.toContain('correct')
      },
    )
  }
})
