import { describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { createLogger } from '#services/foundation/logger'
import { terminalLine } from '#services/foundation/terminal-line'

function shown(write: (log: pino.Logger) => void): string {
  const lines: string[] = []
  write(createLogger('trace', { write: (line) => void lines.push(terminalLine(line)) }))
  return lines.join('')
}

describe('a line of the log on a terminal', () => {
  it('is text: the time of day, the level, the sentence and the fields', () => {
    expect(
      shown((log) =>
        log.warn(
          { reason: 'exit code 1', againInMs: 500, url: { port: 3001, host: null } },
          'The sandbox ended. It is started again.',
        ),
      ),
    ).toMatch(
      /^\d\d:\d\d:\d\d WARN {2}The sandbox ended\. It is started again\. \(reason "exit code 1", againInMs 500, url\.port 3001\)\n$/,
    )
  })

  it('has the message of an error on the line of a warning, and its stack below an error', () => {
    const err = new Error('It broke.')
    expect(shown((log) => log.warn({ err }, 'It is tried again.'))).toMatch(
      /^\S+ WARN {2}It is tried again\. \(err "It broke\."\)\n$/,
    )
    expect(shown((log) => log.error({ err }, 'It ends.'))).toMatch(
      /^\S+ ERROR It ends\.\n {2}Error: It broke\.\n {6}at /,
    )
  })

  it('has only the message of an error in another field', () => {
    const failure = { message: 'No answer.', stack: 'Error: No answer.\n    at x.js:1' }
    expect(shown((log) => log.warn({ failure }, 'It waits.'))).toMatch(
      / WARN {2}It waits\. \(failure "No answer\."\)\n$/,
    )
  })

  it('hides what the logger hides', () => {
    expect(shown((log) => log.warn({ email: 'dana@example.com' }, 'A mail waits.'))).toContain(
      'email "[hidden]"',
    )
  })

  it('reads the levels and times of pino itself, as the sandbox writes them', () => {
    const lines: string[] = []
    pino({ name: 'sandbox' }, { write: (line) => void lines.push(terminalLine(line)) }).error('No.')
    expect(lines).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d ERROR No\. \(name "sandbox"\)\n$/),
    ])
  })

  it('stays as it is if it is no entry of the log', () => {
    expect(terminalLine('FATAL ERROR: out of memory\n')).toBe('FATAL ERROR: out of memory\n')
    expect(terminalLine('{"level":\n')).toBe('{"level":\n')
  })
})
