import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/**
 * Null if the machine has a pseudo-terminal; else the reason why a test on a terminal cannot run.
 */
export const noPseudoTerminal: string | null = /util-linux/.test(
  String(spawnSync('script', ['--version']).stdout),
)
  ? null
  : "the command 'script' of util-linux is not installed"

export interface PseudoTerminal {
  /**
   * Resolves after the terminal has shown `text` behind the texts of earlier calls. @throws if the
   * command ends before
   */
  shows(text: string): Promise<void>
  /**
   * Keys as a terminal sends them: Enter is `\r`, Ctrl-C `\x03`, Ctrl-D `\x04`, Backspace `\x7f`.
   */
  type(keys: string): void
  /** Resolves with the exit code once the command has ended. */
  ended(): Promise<number | null>
  /** Everything that the terminal shows, including the echo of typed keys. */
  screen(): string
  kill(): void
}

/** Runs a shell command on a new pseudo-terminal. */
export function onPseudoTerminal(command: string): PseudoTerminal {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH, HOME, TMPDIR, TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close').then(([code]) => code as number | null)
  let screen = ''
  let seen = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text))
  return {
    async shows(text) {
      for (;;) {
        const at = screen.indexOf(text, seen)
        if (at !== -1) {
          seen = at + text.length
          return
        }
        const isOver = await Promise.race([
          once(child.stdout, 'data').then(() => false),
          closed.then(() => true),
        ])
        if (isOver && !screen.includes(text, seen))
          throw new Error(`The command ended and did not show '${text}'. It showed:\n${screen}`)
      }
    },
    type: (keys) => void child.stdin.write(keys),
    ended: () => closed,
    screen: () => screen,
    kill: () => void child.kill('SIGKILL'),
  }
}
